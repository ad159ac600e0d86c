import { readFileSync } from 'node:fs'

/**
 * Names one run of one process by its id and, where known, its start time, so a reused id is not
 * mistaken for it. One word, without spaces.
 */
export function identityOf(pid: number): string {
  const started = readStat(pid)?.started
  return started ? `${pid}@${started}` : String(pid)
}

/** True while that process runs. A zombie, which only waits to be reaped, counts as gone. */
export function isAlive(identity: string): boolean {
  const pid = Number.parseInt(identity, 10)
  if (!Number.isInteger(pid) || pid <= 0 || !hasProcess(pid)) return false
  const stat = readStat(pid)
  if (!stat) return true
  return stat.state !== 'Z' && (!identity.includes('@') || identity === `${pid}@${stat.started}`)
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // it runs, as another user
  }
}

/** State and start time from Linux's /proc (proc(5), fields 3 and 22); null if unknown. */
function readStat(pid: number): { state: string; started: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the program's name, in parentheses, may contain spaces and parentheses
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', started: fields[19] ?? '' }
  } catch {
    return null
  }
}
