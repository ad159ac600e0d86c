/** For tests: a worker's process that asks for an access token at each line it reads, and prints what it got. */
import { createInterface } from 'node:readline'
import { endPool } from '../db/pool.ts'
import { toOperationalError } from '../errors.ts'
import { getAccessToken } from './access-token.ts'

const [organizationId = '', connectionId = ''] = process.argv.slice(2)
process.stdout.write('ready\n')
for await (const _ of createInterface({ input: process.stdin })) {
  const answer = await getAccessToken(organizationId, connectionId).then(
    ({ accessToken, generation }) => ({ accessToken, generation }),
    (error: unknown) => ({ error: toOperationalError(error).code }),
  )
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
await endPool()
