/** Syncs of many accounts again and again while the platform changes, and what became of them. */
import { setTimeout as delay } from 'node:timers/promises'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { SQL_OPEN } from '#lib/connections/runs/run-status.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { SyncKind } from '#lib/reconcile/sync-run.ts'
import type { OwnWorld } from '#lib/world/own-world.ts'
import { type Account, addAccounts } from '../fleet/sync-waves.ts'

const ACCOUNT = 'nordlicht'
const LOOK_EVERY_MS = 200
const NEW_LINES = 3
/** Organizations that connect their account anew, each time. */
const NEW_EACH_TIME = 2
const LAST_WITHIN_MS = 300_000

/** `ended`: runs by what became of them; `texts`: those of new and changed lines. */
export type Synced = { waves: number; accounts: Account[]; ended: Record<string, number>; texts: Map<string, string> }

/**
 * Until `over`, and then once more, everything of everybody: lines change at the platform, all
 * accounts are synced, and new ones come.
 */
export async function keepSyncing(world: OwnWorld, first: readonly Account[], over: AbortSignal): Promise<Synced> {
  const accounts = [...first]
  const texts = new Map<string, string>()
  let waves = 0
  for (; !over.aborted; waves++) {
    changeLines(world, waves, texts)
    accounts.push(...(await addAccounts(world, NEW_EACH_TIME)))
    await syncAll(accounts, waves % 2 === 0 ? 'changes' : 'verification')
  }
  changeLines(world, waves, texts)
  await syncAll(accounts, 'verification')
  return { waves: waves + 1, accounts, ended: await countRuns(accounts), texts }
}

/** A new invoice; its lines, and those of the ones before, then have another text. */
function changeLines({ sandbox }: OwnWorld, wave: number, texts: Map<string, string>): void {
  const { mutations, requireAccount } = sandbox.state()
  const account = requireAccount(ACCOUNT)
  const { lineIds } = mutations.issueInvoice(account, { lines: NEW_LINES }, new Date().toISOString().slice(0, 10))
  for (const id of [...texts.keys(), ...lineIds]) {
    const description = `changed in wave ${wave}`
    mutations.updateLine(account, id, { description })
    texts.set(id, description)
  }
}

async function syncAll(accounts: readonly Account[], kind: SyncKind): Promise<void> {
  const wish = { trigger: 'schedule', kind, requestedBy: null } as const
  for (const each of accounts) await untilTaken(() => requestSync(each.organizationId, each.connectionId, wish))
  await waitUntilEnded(accounts)
}

/** Until none of their runs is under way, however it ended; not for ever. */
export async function waitUntilEnded(accounts: readonly Account[]): Promise<void> {
  const ids = accounts.map(({ connectionId }) => connectionId)
  for (const deadline = Date.now() + LAST_WITHIN_MS; Date.now() < deadline; await delay(LOOK_EVERY_MS)) {
    const [row] = await untilTaken(() =>
      withSystemSql((sql) =>
        sql<{ open: number }>(
          `select count(*)::int as open from sync_run where connection_id = any($1::uuid[]) and status in ${SQL_OPEN}`,
          [ids],
        ),
      ),
    )
    if (row?.open === 0) return
  }
}

/** A moved shard ends what asked for it: who asks, asks again. */
async function untilTaken<T>(ask: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + LAST_WITHIN_MS; ; await delay(LOOK_EVERY_MS))
    try {
      return await ask()
    } catch (thrown) {
      if (Date.now() > deadline) throw thrown
    }
}

/** Their runs by what became of them. */
export async function countRuns(accounts: readonly Account[]): Promise<Record<string, number>> {
  const rows = await withSystemSql((sql) =>
    sql<{ status: string; count: number }>(
      `select concat_ws(' ', status, error_code) as status, count(*)::int as count from sync_run
       where connection_id = any($1::uuid[]) group by 1 order by 2 desc`,
      [accounts.map(({ connectionId }) => connectionId)],
    ),
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
