/**
 * `npm run soak -- restore`: a real pg_dump of an installation with an account, restored by a real
 * pg_restore into a server that was empty. Every row must be the same; then a worker starts on it,
 * and the account goes on; or, where its tokens were renewed after the dump, asks to be reconnected
 * (docs/operations.md, "Restore").
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { inspectSchema, prepareSchema } from '#lib/cli/run/schema.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { EMBEDDED_ROLES } from '#lib/db/embedded-postgres.ts'
import { withConnection } from '#lib/db/one-connection.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { requireRole } from '#lib/db/roles.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import {
  dumpDatabase,
  findServerTools,
  type OwnDatabase,
  restoreDatabase,
  startOwnServer,
} from '#lib/world/own-server.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'

const ACCOUNT = 'nordlicht'
const PATIENCE_MS = 120_000

/** @throws CommandError naming the table or promise that does not hold. */
export async function soakRestore(lifetime: Lifetime): Promise<void> {
  const tools = findServerTools()
  const openServer = (folder: string) => startOwnServer(lifetime, tools, folder)
  let first: OwnDatabase | undefined
  const world = await openOwnWorld(lifetime, {
    account: ACCOUNT,
    pageSize: 50,
    workerFlags: [],
    openDatabase: async (folder) => {
      first = await (await openServer(join(folder, 'first-server'))).createDatabase('tieout')
      await prepareSchema(first.owner, EMBEDDED_ROLES)
      return first
    },
  })
  if (first === undefined) throw new CommandError('The first server did not start.')
  await syncOn(world, first)
  const dump = join(world.folder, 'tieout.dump')
  await dumpDatabase(tools, first.superuser, dump)
  const dumped = await digestTables(first)
  const fresh = await openServer(join(world.folder, 'second-server'))
  const restore = async (name: string) => {
    const database = await fresh.createDatabase(name)
    await restoreDatabase(tools, database.superuser, dump)
    return database
  }

  const heir = await restore('goes_on')
  requireEqual(dumped, await digestTables(heir))
  const { pending } = await inspectSchema(heir.worker)
  if (pending.length > 0) throw new CommandError(`The restored schema lacks ${pending.join(', ')}.`)
  await requireRole(heir.worker, ['worker'])
  say(`Restored ${dumped.size} tables into a fresh server: every row and right is the same`)

  world.sandbox.state().issueInvoice(ACCOUNT, { issuingDate: '2026-11-20', lines: 3, position: 'front' })
  await syncOn(world, heir)
  if ((await countRows('invoice')) !== toCount(dumped.get('invoice')) + 1)
    throw new CommandError('The account did not read what is new after the restore.')
  say('A worker started on it with the same keys; the account went on and read what is new')

  // the first server goes on after its dump: its renewal uses up the refresh token in the dump
  await switchPool(first.owner)
  await expireAccess(world)
  await syncOn(world, first)
  const late = await restore('asks')
  await switchPool(late.owner)
  await expireAccess(world)
  await requestSync(world.organizationId, world.connectionId, MANUAL)
  const state = await workUntil(world, late, async () => {
    const current = await readState(world)
    return current === 'active' ? null : current
  })
  if (state !== 'needs_reconnect') throw new CommandError(`The account is ${state}; it should ask to be reconnected.`)
  const kept = await digestTables(late)
  for (const table of ['line', 'line_payload', 'invoice'])
    if (kept.get(table) !== dumped.get(table)) throw new CommandError(`Rows of ${table} changed with a dead token.`)
  say('With a dump older than the last renewal the account asks to be reconnected, and its records stay')
  // before the servers that it is connected to
  await endPool()
  const rows = [...dumped.values()].reduce((sum, digest) => sum + toCount(digest), 0)
  say(JSON.stringify({ soak: 'restore', tables: dumped.size, rows, dumpBytes: statSync(dump).size }))
}

const MANUAL = { trigger: 'manual', requestedBy: null } as const

/** How many rows each table has, and a digest of them all. */
async function digestTables({ superuser }: OwnDatabase): Promise<Map<string, string>> {
  return withConnection(superuser, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    )
    const found = new Map<string, string>()
    for (const { name } of rows) {
      const { rows: digests } = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as digest
         from "${name}" t`,
      )
      found.set(name, digests[0]?.digest ?? '')
    }
    return found
  })
}

function requireEqual(before: Map<string, string>, after: Map<string, string>): void {
  const names = new Set([...before.keys(), ...after.keys()])
  const differing = [...names].filter((name) => before.get(name) !== after.get(name))
  if (differing.length > 0) throw new CommandError(`Differs after the restore: ${differing.join(', ')}.`)
  if (before.get('line')?.startsWith('0 ')) throw new CommandError('There was nothing to restore.')
}

/** Asks for a sync, starts a worker, and waits for its success; then stops the worker. */
async function syncOn(world: OwnWorld, database: OwnDatabase): Promise<void> {
  await switchPool(database.owner)
  const { runId } = await requestSync(world.organizationId, world.connectionId, MANUAL)
  const status = await workUntil(world, database, async () => {
    const [run] = await withSystemSql((sql) =>
      sql<{ status: string; errorText: string | null }>(
        'select status, error_text as "errorText" from sync_run where id = $1',
        [runId],
      ),
    )
    return run === undefined || ['queued', 'running'].includes(run.status)
      ? null
      : `${run.status} ${run.errorText ?? ''}`
  })
  if (status.trim() !== 'succeeded') throw new CommandError(`The sync ended as ${status}.`)
}

async function workUntil(
  world: OwnWorld,
  { worker: url }: OwnDatabase,
  look: () => Promise<string | null>,
): Promise<string> {
  const worker = world.startWorker(url)
  try {
    for (const deadline = Date.now() + PATIENCE_MS; ; await delay(100)) {
      const found = await look()
      if (found !== null) return found
      if (Date.now() > deadline) throw new CommandError('The worker did not get there in two minutes.')
    }
  } finally {
    await worker.stop(false)
  }
}

function toCount(digest = '0'): number {
  return Number(digest.split(' ')[0])
}

async function countRows(table: string): Promise<number> {
  const [row] = await withSystemSql((sql) => sql<{ count: number }>(`select count(*)::int as count from ${table}`))
  return row?.count ?? 0
}

function expireAccess({ connectionId }: OwnWorld): Promise<unknown> {
  return withSystemSql((sql) =>
    sql(`update connection_credential set access_expires_at = clock_timestamp() where connection_id = $1`, [
      connectionId,
    ]),
  )
}

async function readState({ connectionId }: OwnWorld): Promise<string> {
  const [row] = await withSystemSql((sql) =>
    sql<{ state: string }>('select state from connection where id = $1', [connectionId]),
  )
  return row?.state ?? 'gone'
}
