/**
 * For tests and the soak: a worker process that asks for an access token at each line it reads, and
 * prints the answer. `--failpoint=<place>=kill
 * stop
 * hold`: at that place of the refresh it kills or stops itself, or prints the place and waits for a
 * line.
 */
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { endPool } from '#lib/db/pool.ts'
import { toOperationalError } from '#lib/errors.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { getAccessToken } from '../tokens/access-token.ts'
import type { RefreshFailpoint } from '../tokens/refresh-failpoints.ts'

const { values, positionals } = parseArgs({
  options: { failpoint: { type: 'string' }, 'lease-seconds': { type: 'string' }, 'deadline-ms': { type: 'string' } },
  allowPositionals: true,
})
const toNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text))
const timing = { leaseSeconds: toNumber(values['lease-seconds']), deadlineMs: toNumber(values['deadline-ms']) }
const [organizationId = '', connectionId = ''] = positionals
const [wantedPlace, action] = values.failpoint?.split('=') ?? []
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

const failpoint: RefreshFailpoint = async (place) => {
  if (place !== wantedPlace) return
  if (action === 'kill') process.kill(process.pid, 'SIGKILL')
  if (action === 'stop') process.kill(process.pid, 'SIGSTOP')
  if (action !== 'hold') return
  process.stdout.write(`${place}\n`)
  await lines.next()
}

process.stdout.write('ready\n')
while (!(await lines.next()).done) {
  const answer = await getAccessToken(organizationId, connectionId as ConnectionId, { failpoint, ...timing }).then(
    ({ accessToken, generation }) => ({ accessToken, generation }),
    (error: unknown) => ({ error: toOperationalError(error).code }),
  )
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
await endPool()
