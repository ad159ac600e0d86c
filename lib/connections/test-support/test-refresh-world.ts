/** For tests of the refresh protocol: an account whose token can be aged, worker processes. */

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { bundleProgram, NOT_BUNDLED } from '#lib/cli/builds/worker-build.ts'
import type { TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { type SyncWorld, seedSyncWorld } from '#lib/sync/test-support/seed.ts'
import { type AccessToken, type AccessTokenOptions, getAccessToken } from '../tokens/access-token.ts'

export const TOKEN_ENDPOINT = { match: { path: '/accounts/oauth2/token/' } }

/** As many as in production, and too short to notice. */
const REPLAY_PAUSES_MS = [5, 10, 20]

/** The same for all that this test starts: from the sources a start takes four times as long. */
let program: string | undefined

export type RefreshProcess = {
  /** Asks for a token. Resolves to the line printed: a token, an error, or a place. */
  ask: () => Promise<string>
  /** Lets it continue from the place where it holds; resolves to its next line. */
  go: () => Promise<string>
  next: () => Promise<string>
  kill: (signal: NodeJS.Signals) => void
  exited: Promise<number | NodeJS.Signals>
}

export type RefreshWorld = SyncWorld & {
  connectionId: ConnectionId
  /** Connects the account again; from then on the world is about the new connection. */
  renew: (account?: string) => Promise<void>
  /** With short pauses before a token is sent again. */
  getToken: (options?: AccessTokenOptions) => Promise<AccessToken>
  /** Outcomes of the refresh calls that the platform has seen. */
  refreshes: () => Record<string, number>
  /** Moves the access token's end (or another moment) into the past, unknown to the platform. */
  age: (column?: string, by?: string) => Promise<unknown>
  /** Ends the pause before the next call. */
  passPause: () => Promise<unknown>
  /** Ends the current lease. */
  passLease: () => Promise<unknown>
  readRow: () => Promise<{
    state: string
    state_cause: string | null
    generation: number
    lease_owner: string | null
    outcomes: (string | null)[] | null
  }>
  isLive: (accessToken: string) => boolean
  startProcess: (flags?: string[], environment?: Record<string, string>) => Promise<RefreshProcess>
}

export async function startRefreshWorld(options: { database?: TestDatabase } = {}): Promise<RefreshWorld> {
  const seeded = await seedSyncWorld(options)
  const processes: RefreshProcess[] = []
  const { database, sandbox, organizationId } = seeded
  const run = (text: string, values: unknown[] = []) => database.query(text, [world.connectionId, ...values])
  const world: RefreshWorld = {
    ...seeded,
    connectionId: '' as ConnectionId,
    renew: async (account = 'nordlicht') => {
      sandbox.reset()
      await database.query('delete from connection')
      world.connectionId = (await seeded.connect(account)).connectionId
    },
    getToken: (options) =>
      getAccessToken(organizationId, world.connectionId, { replayPausesMs: REPLAY_PAUSES_MS, ...options }),
    refreshes: () => sandbox.state().oauth.summary().tokenCalls.refresh_token ?? {},
    age: (column = 'access_expires_at', by = '1 second') =>
      run(
        `update connection_credential set obtained_at = now() - $2::interval - interval '1 hour', ${column} = now() - $2::interval
         where connection_id = $1`,
        [by],
      ),
    passPause: () => run('update refresh_attempt set next_attempt_at = now() where connection_id = $1'),
    passLease: () => run('update connection_credential set lease_until = now() where connection_id = $1'),
    readRow: async () => {
      const [row] = await run(
        `select c.state, c.state_cause, k.generation, k.lease_owner,
                (select array_agg(a.outcome order by a.started_at) from refresh_attempt a where a.organization_id = c.organization_id and a.connection_id = c.id) as outcomes
         from connection c join connection_credential k on k.organization_id = c.organization_id and k.connection_id = c.id where c.id = $1`,
      )
      return row as Awaited<ReturnType<RefreshWorld['readRow']>>
    },
    isLive: (accessToken) => sandbox.state().oauth.checkAccess(accessToken).kind === 'live',
    startProcess: async (flags = [], environment = {}) => {
      program ??= bundleProgram('lib/connections/test-support/test-refresh-process.ts', 'refresh-process', {
        format: 'esm',
        external: NOT_BUNDLED,
      })
      const args = [program, organizationId, world.connectionId, ...flags]
      const child = spawn(process.execPath, args, {
        env: { ...process.env, ...seeded.environment, LOG_LEVEL: 'silent', ...environment },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const started = toProcess(child)
      processes.push(started)
      expect(await started.next()).toBe('ready')
      return started
    },
    close: async () => {
      for (const started of processes) started.kill('SIGKILL')
      await Promise.all(processes.map(({ exited }) => exited))
      await seeded.close()
    },
  }
  return world
}

function toProcess(child: ChildProcess): RefreshProcess {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  const write = () => {
    child.stdin?.write('go\n')
    return next()
  }
  return {
    ask: write,
    go: write,
    next,
    kill: (signal) => child.kill(signal),
    exited: new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code ?? -1))),
  }
}
