/** Organizations with an account each, and syncs of all of them at once. */
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '#lib/cli/run/command-error.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { SQL_OPEN } from '#lib/connections/runs/run-status.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { SyncKind } from '#lib/reconcile/sync-run.ts'
import type { OwnOrganization, OwnWorld } from '#lib/world/own-world.ts'

const LOOK_EVERY_MS = 25
const WAVE_WITHIN_MS = 240_000

export type Account = OwnOrganization & { connectionId: ConnectionId }

/** New organizations whose first backfills are queued. */
export async function addAccounts(world: OwnWorld, count: number): Promise<Account[]> {
  const accounts: Account[] = []
  for (let at = 0; at < count; at++) {
    const owner = await world.addOrganization()
    accounts.push({ ...owner, ...(await world.connect(owner)) })
  }
  return accounts
}

/** Seconds from the wishes for a sync of each account to the end of the last one. */
export async function timeWave(accounts: Account[], kind: SyncKind, signal: AbortSignal): Promise<number> {
  const begin = performance.now()
  const wish = { trigger: 'schedule', kind, requestedBy: null } as const
  await Promise.all(accounts.map((each) => requestSync(each.organizationId, each.connectionId, wish)))
  await waitForRuns(accounts, signal)
  return (performance.now() - begin) / 1000
}

/** @throws CommandError when a run ends otherwise, or none does for long. */
export async function waitForRuns(accounts: Account[], signal: AbortSignal): Promise<void> {
  const of = [accounts.map(({ connectionId }) => connectionId)]
  for (const deadline = Date.now() + WAVE_WITHIN_MS; ; await delay(LOOK_EVERY_MS, undefined, { signal })) {
    const [row] = await withSystemSql((sql) =>
      sql<{ open: number; failed: number }>(
        `select count(*) filter (where status in ${SQL_OPEN})::int as open,
           count(*) filter (where status not in ${SQL_OPEN} and status <> 'succeeded')::int as failed
         from sync_run where connection_id = any($1::uuid[])`,
        of,
      ),
    )
    if (row === undefined || row.failed > 0) throw new CommandError(`${row?.failed} syncs did not succeed.`)
    if (row.open === 0) return
    if (Date.now() > deadline) throw new CommandError(`${row.open} syncs did not end in time.`)
  }
}
