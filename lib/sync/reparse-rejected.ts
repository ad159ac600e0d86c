import { type Sql, withSystemSql, withTenantSql } from '../db/tenant.ts'
import { hashText } from '../hash-text.ts'
import { PROOF_VERSION } from '../ledger/proof-version.ts'
import { log } from '../log.ts'
import { SYNC_LISTS, type SyncList } from './model.ts'
import { groupPages } from './page-group.ts'
import { toPageRead } from './page-read.ts'
import { createWalk } from './walk.ts'

const BATCH = 200

/** What came of reading rejected records again: how many are in the ledger now, and how many still cannot be read. */
export type Reparsed = { accepted: number; stillRejected: number }

/**
 * Reads rejected records again from the text that was kept: all of the organization's, or one connection's. What can be read
 * now goes into the ledger as if it had just arrived, and is closed; what cannot gets its reason of today. `isOutdatedOnly`:
 * only those that an older parser has rejected. A batch is one transaction; records that a sync brings meanwhile are not lost.
 */
export async function reparseRejected(
  organizationId: string,
  { connectionId = null, isOutdatedOnly = false }: { connectionId?: string | null; isOutdatedOnly?: boolean } = {},
): Promise<Reparsed> {
  const sum: Reparsed = { accepted: 0, stillRejected: 0 }
  for (const list of SYNC_LISTS) {
    let after: string | null = null
    do {
      const done: BatchResult = await withTenantSql(organizationId, (sql) =>
        reparseBatch(sql, { organizationId, connectionId, list, isOutdatedOnly, after }),
      )
      sum.accepted += done.accepted
      sum.stillRejected += done.stillRejected
      after = done.last
    } while (after !== null)
  }
  return sum
}

/** After an upgrade: reads again, in every organization, what an older parser has rejected. */
export async function reparseAfterUpgrade(): Promise<void> {
  const outdated = await withSystemSql((sql) =>
    sql<{ organizationId: string }>(
      `select distinct organization_id as "organizationId" from rejected_line
       where resolved_at is null and parser_version < $1`,
      [PROOF_VERSION],
    ),
  )
  for (const { organizationId } of outdated) {
    const done = await reparseRejected(organizationId, { isOutdatedOnly: true })
    log.info({ organization: organizationId, ...done }, 'rejected records read again after an upgrade')
  }
}

type Batch = {
  organizationId: string
  connectionId: string | null
  list: SyncList
  isOutdatedOnly: boolean
  after: string | null
}
type BatchResult = Reparsed & { last: string | null }
type Kept = { connectionId: string; rawHash: string; raw: string }

async function reparseBatch(sql: Sql, batch: Batch): Promise<BatchResult> {
  const { organizationId, list } = batch
  const rows = await sql<Kept & { place: string }>(
    `select connection_id as "connectionId", raw_hash as "rawHash", raw,
            connection_id::text || raw_hash as place
     from rejected_line
     where organization_id = $1 and list = $2 and resolved_at is null and ($3::uuid is null or connection_id = $3)
       and (not $4 or parser_version < $5) and connection_id::text || raw_hash > $6
     order by place limit ${BATCH} for update`,
    [organizationId, list, batch.connectionId, batch.isOutdatedOnly, PROOF_VERSION, batch.after ?? ''],
  )
  const result: BatchResult = { accepted: 0, stillRejected: 0, last: rows.at(-1)?.place ?? null }
  const byConnection = new Map<string, Kept[]>()
  for (const row of rows) byConnection.set(row.connectionId, [...(byConnection.get(row.connectionId) ?? []), row])
  for (const [connectionId, kept] of byConnection) {
    const records = kept.map(({ raw }) => raw)
    const page = toPageRead(0, { total: null, offset: 0, records, bytes: 0, bodyHash: '' }, null)
    const groups = await groupPages(list, [page], createWalk(), 1, async () => null)
    for (const { apply } of groups) await apply(sql, { organizationId, connectionId })
    const rejections = groups.flatMap((group) => group.rejections)
    const reasons = new Map(rejections.map(({ raw, reason, path }) => [hashText(raw), { reason, path }]))
    const judged = kept.map(({ rawHash }) => ({ raw_hash: rawHash, ...reasons.get(rawHash) }))
    await settle(sql, organizationId, connectionId, list, judged)
    result.accepted += kept.length - reasons.size
    result.stillRejected += reasons.size
  }
  return result
}

/** That a record was looked at again does not say that it was seen again: `last_seen_at` stays. */
function settle(
  sql: Sql,
  organizationId: string,
  connectionId: string,
  list: SyncList,
  judged: { raw_hash: string; reason?: string; path?: string }[],
): Promise<unknown> {
  return sql(
    `update rejected_line r
     set parser_version = $5, resolved_at = case when j.reason is null then now() end,
         reason = coalesce(j.reason, r.reason), path = coalesce(j.path, r.path)
     from json_to_recordset($4::json) as j (raw_hash text, reason text, path text)
     where r.organization_id = $1 and r.connection_id = $2 and r.list = $3 and r.raw_hash = j.raw_hash`,
    [organizationId, connectionId, list, JSON.stringify(judged), PROOF_VERSION],
  )
}
