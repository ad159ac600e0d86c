import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import { makePrivateKeySet, toPublicKeySet } from '#lib/cli/run/keys.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { bold, formatDuration, say } from '#lib/cli/run/terminal.ts'
import { storeConnection } from '#lib/connections/life/store-connection.ts'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { settings, toChildEnvironment } from '#lib/env.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { type Sandbox, startSandbox } from '#lib/sandbox/server.ts'
import { Secret } from '#lib/secret.ts'

const REDIRECT_URI = 'http://localhost:3000/api/auth/callback/partner'
const APPLICATION = { clientId: 'soak', clientSecret: 'a secret of the soak' }

type Worker = { ask: () => Promise<string>; stop: () => void }

/**
 * F1 in its long form: several worker processes ask for one connection's token at each of many
 * expiries, against a platform that accepts a refresh token once. Uses a temporary database and
 * platform.
 * @throws CommandError unless there was exactly one refresh per expiry, and no refusal or reuse.
 */
export async function soakRefresh(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { processes: { type: 'string' }, expiries: { type: 'string' } } })
  const [processes, expiries] = [Number(values.processes ?? 8), Number(values.expiries ?? 1000)]
  if (!(processes >= 1 && expiries >= 1))
    throw new CommandError('Usage: npm run soak -- refresh [--processes 8] [--expiries 1000]')
  const folder = mkdtempSync(join(tmpdir(), 'tieout-soak-'))
  chmodSync(folder, 0o711) // PostgreSQL may run as another account and must pass
  lifetime.onEnd('Soak folder', async () => rmSync(folder, { recursive: true, force: true }))
  // as in production: every commit reaches the disk before it counts
  const server = await startEmbeddedPostgres(join(folder, 'postgres'), 'tieout', [
    'autovacuum=off',
    'max_connections=100',
  ])
  lifetime.onEnd('PostgreSQL', server.leave)
  await prepareSchema(server.url, null)
  await switchPool(server.url)
  lifetime.onEnd('Database connections', endPool)
  const sandbox = await startSandbox({
    ...APPLICATION,
    redirectUris: [REDIRECT_URI],
    controlKey: 'soak',
    scimApiKey: 'soak',
    size: 'hostile',
  })
  lifetime.onEnd('Sandbox', () => sandbox.close())
  const environment = configure(sandbox, server.url, folder)
  const connection = await connect(sandbox)
  const workers = await startWorkers(processes, environment, connection, lifetime)
  await run({ expiries, workers, sandbox, connection }, lifetime.signal)
}

function configure(sandbox: Sandbox, databaseUrl: string, folder: string): NodeJS.ProcessEnv {
  const tokenPrivateKeys = makePrivateKeySet()
  const tokenPublicKeys = toPublicKeySet(tokenPrivateKeys)
  const { baseUrl, authUrl } = sandbox
  Object.assign(settings(), {
    partner: {
      ...APPLICATION,
      clientSecret: new Secret(APPLICATION.clientSecret),
      name: 'Sandbox',
      baseUrl,
      authUrl,
      scimBaseUrl: null,
      scopes: 'expenses:read',
      pageSize: 50,
    },
    tokenPublicKeys: JSON.parse(tokenPublicKeys),
    tokenPrivateKeys: new Secret(JSON.parse(tokenPrivateKeys)),
  })
  return toChildEnvironment({
    DATABASE_URL: databaseUrl,
    PARTNER_BASE_URL: baseUrl,
    PARTNER_AUTH_URL: authUrl,
    PARTNER_CLIENT_ID: APPLICATION.clientId,
    PARTNER_CLIENT_SECRET: APPLICATION.clientSecret,
    TOKEN_PUBLIC_KEYS: tokenPublicKeys,
    TOKEN_PRIVATE_KEYS: tokenPrivateKeys,
    SPOOL_DIR: join(folder, 'spool'),
    LOG_LEVEL: 'silent',
  })
}

async function connect(sandbox: Sandbox): Promise<{ organizationId: OrganizationId; connectionId: ConnectionId }> {
  const { organizationId, userId } = await withSystemSql(async (sql) => {
    const [organization] = await sql<{ id: string }>(`insert into organization (name) values ('Soak') returning id`)
    const [user] = await sql<{ id: string }>(
      `insert into app_user (organization_id, email, name, role) values ($1, 'soak@example.com', 'Soak', 'admin') returning id`,
      [organization?.id],
    )
    return { organizationId: organization?.id as string, userId: user?.id as string }
  })
  const { oauth, requireAccount } = sandbox.state()
  const code = oauth.issueCode(requireAccount().id, 'expenses:read', APPLICATION.clientId, REDIRECT_URI)
  const grant = oauth.exchangeCode(code, APPLICATION.clientId, REDIRECT_URI)
  if (grant.kind !== 'granted') throw new CommandError(`The sandbox refuses its own code: ${grant.reason}`)
  const intent = {
    organizationId,
    userId,
    actor: { kind: 'operator', name: 'npm run soak' } as const,
    idHash: 'soak',
    connectionId: null,
  }
  const { connectionId } = await storeConnection(intent, grant.pair, 0)
  return { organizationId, connectionId }
}

async function startWorkers(
  count: number,
  env: NodeJS.ProcessEnv,
  { organizationId, connectionId }: { organizationId: OrganizationId; connectionId: ConnectionId },
  lifetime: Lifetime,
): Promise<Worker[]> {
  const workers: Worker[] = []
  lifetime.onEnd('Worker processes', async () => {
    for (const worker of workers) worker.stop()
  })
  for (let index = 0; index < count; index++) {
    const args = [
      '--import',
      'tsx',
      'lib/connections/test-support/test-refresh-process.ts',
      organizationId,
      connectionId,
    ]
    const child: ChildProcess = spawn(process.execPath, args, {
      cwd: projectRoot,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
    const next = async () => String((await lines.next()).value)
    workers.push({
      ask: () => {
        child.stdin?.write('go\n')
        return next()
      },
      stop: () => child.kill('SIGKILL'),
    })
    if ((await next()) !== 'ready') throw new CommandError('A worker process did not start.')
  }
  return workers
}

type Soak = { expiries: number; workers: Worker[]; sandbox: Sandbox; connection: { connectionId: ConnectionId } }

async function run({ expiries, workers, sandbox, connection }: Soak, signal: AbortSignal): Promise<void> {
  const transactionsBefore = await countTransactions()
  const begin = performance.now()
  const roundsMs: number[] = []
  let wrong = 0
  let round = 0
  for (; round < expiries && !signal.aborted; round++) {
    await letExpire(connection.connectionId)
    const roundBegin = performance.now()
    const answers = await Promise.all(workers.map((worker) => worker.ask()))
    roundsMs.push(performance.now() - roundBegin)
    const hasToken = (JSON.parse(answers[0] ?? '{}') as { generation?: number }).generation === round + 2
    if (!hasToken || new Set(answers).size !== 1) wrong += 1
    if ((round + 1) % 100 === 0) say(`  ${round + 1} expiries, ${formatDuration(performance.now() - begin)}`)
  }
  const { tokenCalls, reuseAttempts, maxSuccessesPerGeneration } = sandbox.state().oauth.summary()
  const { success = 0, ...others } = tokenCalls.refresh_token ?? {}
  const transactions = (await countTransactions()) - transactionsBefore - round
  const sorted = roundsMs.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)
  say(bold(`F1: ${workers.length} processes, ${round} expiries in ${formatDuration(performance.now() - begin)}`))
  say(`  refreshes ${success}; other outcomes ${JSON.stringify(others)}; reuses ${reuseAttempts}`)
  say(`  successes per generation at most ${maxSuccessesPerGeneration}; rounds with a wrong answer ${wrong}`)
  say(`  all ${workers.length} answered: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`)
  say(`  writing transactions per expiry, over all processes: ${(transactions / round).toFixed(2)}`)
  if (success !== round || Object.keys(others).length > 0 || reuseAttempts > 0 || wrong > 0)
    throw new CommandError('The soak failed: there was not exactly one refresh per expiry.')
}

function letExpire(connectionId: ConnectionId): Promise<unknown> {
  return withSystemSql((sql) =>
    sql(
      `update connection_credential set obtained_at = now() - interval '2 hours', access_expires_at = now() - interval '1 second'
       where connection_id = $1`,
      [connectionId],
    ),
  )
}

/**
 * How many transactions have written so far: each takes a number, and its commit flushes the log
 * once.
 */
async function countTransactions(): Promise<number> {
  const [row] = await withSystemSql((sql) =>
    sql<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as next'),
  )
  return Number(row?.next)
}
