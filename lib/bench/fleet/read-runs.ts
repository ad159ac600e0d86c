/** What runs say of themselves, beside what is there and what the platform has. */
import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { compareFigures } from '#lib/ledger/kept/compare-figures.ts'
import type { OwnWorld } from '#lib/world/own-world.ts'
import type { Account } from './sync-waves.ts'

export type Runs = {
  accounts: number
  succeeded: number
  takenOver: number
  /** Lines, invoices and profiles that runs report as new, and that are there. */
  inserted: number
  found: number
  /** Lines that are there, and that the platform has. */
  lines: number
  stated: number
  /** Kept figures, of accounts that were compared, that differ from their records. */
  wrongFigures: number
}

/**
 * What became of the runs of accounts, which all have the sandbox's one account. Kept figures are
 * compared of those that were taken over, or of `compared`.
 */
export async function readRuns(world: OwnWorld, accounts: Account[], compared?: Account[]): Promise<Runs> {
  const ids = [accounts.map(({ connectionId }) => connectionId)]
  const [runs] = await withSystemSql((sql) =>
    sql<Pick<Runs, 'succeeded' | 'takenOver' | 'inserted'>>(
      `select count(*) filter (where status = 'succeeded')::int as succeeded,
         count(*) filter (where fence > 1)::int as "takenOver", sum(inserted)::int as inserted
       from sync_run where connection_id = any($1::uuid[])`,
      ids,
    ),
  )
  const [there] = await withSystemSql((sql) =>
    sql<Pick<Runs, 'lines' | 'found'>>(
      `select lines, (lines + invoices + profiles)::int as found from
         (select count(*)::int as lines from line where connection_id = any($1::uuid[])) l,
         (select count(*) as invoices from invoice where connection_id = any($1::uuid[])) i,
         (select count(*) as profiles from profile where connection_id = any($1::uuid[])) p`,
      ids,
    ),
  )
  const { lineCount } = await world.sandbox.controlTotals('nordlicht')
  const taken = await withSystemSql((sql) =>
    sql<{ id: ConnectionId }>(
      'select distinct connection_id as id from sync_run where connection_id = any($1::uuid[]) and fence > 1',
      ids,
    ),
  )
  let wrongFigures = 0
  for (const each of compared ?? accounts.filter(({ connectionId }) => taken.some(({ id }) => id === connectionId)))
    wrongFigures += (await compareFigures(each.organizationId, each.connectionId)).length
  return {
    ...(runs as Pick<Runs, 'succeeded' | 'takenOver' | 'inserted'>),
    accounts: accounts.length,
    ...(there as Pick<Runs, 'lines' | 'found'>),
    stated: lineCount * accounts.length,
    wrongFigures,
  }
}

/** Their rows of a report. `compared`: the accounts whose kept figures were, in its words. */
export function toRunRows<Row>(
  row: (what: string, measured: string, target: string, isMet: boolean) => Row,
  runs: Runs,
  compared: string,
): Row[] {
  const { inserted, found, lines, stated, wrongFigures } = runs
  return [
    row('records that runs say are new, and that are there', `${inserted}, ${found}`, 'equal', inserted === found),
    row('lines that are there, and that the platform has', `${lines}, ${stated}`, 'equal', lines === stated),
    row(`kept figures of ${compared} that differ from their records`, `${wrongFigures}`, '0', wrongFigures === 0),
  ]
}
