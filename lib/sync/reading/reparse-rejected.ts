import { momentIf } from '#lib/db/cluster/written-moments.ts'
import type { Sql } from '#lib/db/tenant.ts'
import { hashText } from '#lib/hash-text.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { PROOF_VERSION } from '#lib/ledger/apply/proof-version.ts'
import type { SyncList } from '../model.ts'
import { applyPacked } from '../pages/apply-packed.ts'
import { groupPages } from '../pages/group-pages.ts'
import { toPage } from '../pages/page.ts'
import { SAME_ID } from '../pages/parse-record.ts'
import { readRecordsHere } from '../pages/read-records.ts'
import { createWalk } from '../windows/walk.ts'

const BATCH = 200

/** `after`: the hash of the last record processed; empty to start with the first. */
export type ReparseBatch = {
  organizationId: OrganizationId
  connectionId: ConnectionId
  list: SyncList
  after: string
  /** Only what an older parser rejected. */
  isOutdatedOnly: boolean
}

/**
 * How many are now in the ledger, how many still unreadable, and the last one's hash; null if none
 * was left.
 */
export type Reparsed = { accepted: number; stillRejected: number; last: string | null }

/**
 * Parses a batch of rejected records again, from the kept text, in the caller's transaction. A
 * record that can be read now goes into the ledger as if it had just arrived, and its rejection is
 * closed; the others get today's reason. Records a sync brings meanwhile are not lost.
 */
export async function reparseBatch(sql: Sql, batch: ReparseBatch): Promise<Reparsed> {
  const { organizationId, connectionId, list } = batch
  const kept = await sql<{ rawHash: string; raw: string; reason: string }>(
    `select raw_hash as "rawHash", raw, reason from rejected_line
     where organization_id = $1 and connection_id = $2 and list = $3 and resolved_at is null
       and (not $4 or parser_version < $5) and raw_hash > $6
     order by raw_hash limit ${BATCH} for update`,
    [organizationId, connectionId, list, batch.isOutdatedOnly, PROOF_VERSION, batch.after],
  )
  const last = kept.at(-1)?.rawHash
  if (last === undefined) return { accepted: 0, stillRejected: 0, last: null }
  // it can be read, but the ledger has another of its id
  const asides = kept.filter(({ reason }) => Object.values(SAME_ID).includes(reason))
  const records = kept.filter((each) => !asides.includes(each)).map(({ raw }) => raw)
  const page = toPage(0, { total: null, offset: 0, records, bytes: 0, bodyHash: '' }, null)
  const alone = { list, pass: 1, walk: createWalk(), findKnown: async () => null, readRecords: readRecordsHere }
  const groups = await groupPages(alone, [page])
  for (const group of groups) await applyPacked(sql, { organizationId, connectionId }, group)
  const rejections = groups.flatMap((group) => group.rejections)
  const reasons = new Map<string, { reason: string; path?: string }>([
    ...rejections.map(({ raw, reason, path }) => [hashText(raw), { reason, path }] as const),
    ...asides.map(({ rawHash, reason }) => [rawHash, { reason }] as const),
  ])
  const judged = kept.map(({ rawHash }) => ({ raw_hash: rawHash, ...reasons.get(rawHash) }))
  await settle(sql, batch, judged)
  return { accepted: kept.length - reasons.size, stillRejected: reasons.size, last }
}

/** Parsing a record again does not mean seeing it again: `last_seen_at` stays. */
function settle(
  sql: Sql,
  { organizationId, connectionId, list }: ReparseBatch,
  judged: { raw_hash: string; reason?: string; path?: string }[],
): Promise<unknown> {
  return sql(
    `update rejected_line r
     set parser_version = $5, resolved_at = ${momentIf('j.reason is null')},
         reason = coalesce(j.reason, r.reason), path = coalesce(j.path, r.path)
     from json_to_recordset($4::json) as j (raw_hash text, reason text, path text)
     where r.organization_id = $1 and r.connection_id = $2 and r.list = $3 and r.raw_hash = j.raw_hash`,
    [organizationId, connectionId, list, JSON.stringify(judged), PROOF_VERSION],
  )
}
