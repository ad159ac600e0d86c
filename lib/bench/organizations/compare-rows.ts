/** What is there against what must be: rows of syncs by the platform, filled ones by themselves. */
import { withSystemSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { OwnWorld } from '#lib/world/own-world.ts'
import type { Synced } from './keep-syncing.ts'

/** Of one organization, in words that are equal when its lines are. */
export type Sums = Map<OrganizationId, string>

export async function sumLines(organizations: readonly OrganizationId[]): Promise<Sums> {
  const rows = await withSystemSql((sql) =>
    sql<{ id: OrganizationId; sum: string }>(
      `select organization_id as id,
         concat_ws(' ', count(*), count(distinct id), sum(total_amount), sum(hashtextextended(id, 0)::numeric)) as sum
       from line where organization_id = any($1::uuid[]) group by organization_id`,
      [organizations],
    ),
  )
  return new Map(rows.map(({ id, sum }) => [id, sum]))
}

export function countDifferent(before: Sums, after: Sums): number {
  return [...before].filter(([id, sum]) => after.get(id) !== sum).length
}

/** `lost` and `twice`: lines against the platform's; `old`: those with a text it no longer has. */
export type Compared = { accounts: number; lines: number; lost: number; twice: number; old: number }

export async function compareWithPlatform({ sandbox }: OwnWorld, { accounts, texts }: Synced): Promise<Compared> {
  const { lineCount } = await sandbox.controlTotals('nordlicht')
  const ids = accounts.map(({ connectionId }) => connectionId)
  const there = await withSystemSql((sql) =>
    sql<{ id: string; rows: number; lines: number }>(
      `select connection_id as id, count(*)::int as rows, count(distinct id)::int as lines from line
       where connection_id = any($1::uuid[]) and missing_since is null group by connection_id`,
      [ids],
    ),
  )
  const changed = await withSystemSql((sql) =>
    sql<{ id: string; description: string }>(
      'select id, description from line where connection_id = any($1::uuid[]) and id = any($2::text[])',
      [ids, [...texts.keys()]],
    ),
  )
  const byAccount = new Map(there.map((each) => [each.id, each]))
  const of = (id: string) => byAccount.get(id) ?? { rows: 0, lines: 0 }
  const sum = (count: (id: string) => number) => ids.reduce((total, id) => total + count(id), 0)
  const fresh = changed.filter(({ id, description }) => texts.get(id) === description).length
  return {
    accounts: ids.length,
    lines: sum((id) => of(id).rows),
    lost: sum((id) => Math.max(0, lineCount - of(id).lines)),
    twice: sum((id) => of(id).rows - of(id).lines),
    old: ids.length * texts.size - fresh,
  }
}
