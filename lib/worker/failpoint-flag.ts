import { FAILPOINTS, type Failpoint } from '#lib/sync/model.ts'

/**
 * `after-commit:3=kill`: kill -9 this process when it reaches that place for the third time, to
 * test what a crash leaves behind. @throws Error for another form.
 */
export function parseFailpointFlag(flag: string): Failpoint {
  const [, place, count] = /^([a-z-]+):(\d+)=kill$/.exec(flag) ?? []
  if (!FAILPOINTS.some((known) => known === place))
    throw new Error(`--failpoint must be <place>:<count>=kill, with one of the places ${FAILPOINTS.join(', ')}`)
  let left = Number(count)
  return (name) => {
    if (name === place) left -= 1
    if (name === place && left === 0) process.kill(process.pid, 'SIGKILL')
  }
}
