import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { toArrayLiteral } from '../sql/copy-text.ts'
import { type LedgerMoment, MOMENT_COLUMNS } from '../sql/moment.ts'
import { PAYLOAD_OF_LINE } from '../sql/payload-of-line.ts'
import { PROOF_VERSION } from './proof-version.ts'

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }

/**
 * A record known only by its text: its apparent id, and the SHA-256 (hex) of the text as stored.
 */
export type RecordText = { id: string; textHash: string }

/** What the ledger holds for a line whose text differs, for comparison. */
export type OtherText = { raw: string; contentHash: string }

/**
 * `marks` has a character per requested record; see `isStored` and `isUnknown`. `asOf`: the moment
 * of the look-up.
 */
export type Stored = { marks: string; others: Map<string, OtherText>; asOf: LedgerMoment }

const [UNKNOWN, STORED, OTHER_TEXT, OUTDATED] = ['0', '1', '2', '3']

/**
 * Where records are, and when one with the same text need not be parsed. A missing row is not
 * current: parsing unmarks it.
 */
const TABLES = {
  lines: { table: 'line', key: 'id', isCurrent: `s.proof_version = ${PROOF_VERSION} and s.missing_since is null` },
  invoices: { table: 'invoice', key: 'serial_number', isCurrent: 's.missing_since is null' },
}
export type StoredList = keyof typeof TABLES

/** Whether the record at this place need not be parsed. */
export function isStored({ marks }: Stored, at: number): boolean {
  return marks[at] === STORED
}

/** Whether the ledger probably has no record of this id. */
export function isUnknown({ marks }: Stored, at: number): boolean {
  return (marks[at] ?? UNKNOWN) === UNKNOWN
}

/**
 * Finds the records the ledger holds with exactly this text, not missing, and proved by today's
 * rules: they need not be parsed. `others` has the ledger's text for lines whose text differs. An
 * id only says where to look: a wrong one finds no such text.
 */
export async function findStored(
  sql: Sql,
  owner: Owner,
  list: StoredList,
  records: readonly RecordText[],
): Promise<Stored> {
  const { table, key, isCurrent } = TABLES[list]
  const [row] = await sql<{ marks: string | null } & LedgerMoment>(
    // one look-up by key per record; one text as the answer, because a thousand rows would cost
    // more than the look-ups
    `select string_agg(coalesce(s.mark, '${UNKNOWN}'), '' order by i.n) as marks, ${MOMENT_COLUMNS}
     from unnest($3::text[], $4::bytea[]) with ordinality as i (id, text_hash, n)
     left join lateral (
       select case when s.text_hash is distinct from i.text_hash then '${OTHER_TEXT}'
                   when ${isCurrent} then '${STORED}' else '${OUTDATED}' end as mark
       from ${table} s where s.organization_id = $1::uuid and s.connection_id = $2::uuid and s.${key} = i.id limit 1) s on true`,
    [
      owner.organizationId,
      owner.connectionId,
      toArrayLiteral(records.map(({ id }) => id)),
      `{${records.map(({ textHash }) => `"\\\\x${textHash}"`).join(',')}}`,
    ],
  )
  const { marks: found, ...asOf } = row as { marks: string | null } & LedgerMoment
  const marks = found ?? ''
  // invoice contents are compared without their text
  const changed = list === 'lines' ? records.filter((_, at) => marks[at] === OTHER_TEXT).map(({ id }) => id) : []
  return { marks, asOf, others: changed.length === 0 ? new Map() : await readTexts(sql, owner, changed) }
}

async function readTexts(sql: Sql, owner: Owner, ids: readonly string[]): Promise<Map<string, OtherText>> {
  const rows = await sql<OtherText & { id: string }>(
    `select l.id, p.raw::text as raw, l.content_hash as "contentHash" from line l join ${PAYLOAD_OF_LINE}
     where l.organization_id = $1 and l.connection_id = $2 and l.id = any($3::text[])`,
    [owner.organizationId, owner.connectionId, toArrayLiteral(ids)],
  )
  return new Map(rows.map(({ id, raw, contentHash }) => [id, { raw, contentHash }]))
}

/**
 * The moment at which the connection has no such record at all; null if it has any, so that each
 * must be looked up.
 */
export async function findEmptyMoment(
  sql: Sql,
  { organizationId, connectionId }: Owner,
  list: StoredList,
): Promise<LedgerMoment | null> {
  const [row] = await sql<{ isEmpty: boolean } & LedgerMoment>(
    `select not exists (select 1 from ${TABLES[list].table} where organization_id = $1 and connection_id = $2) as "isEmpty", ${MOMENT_COLUMNS}
     from connection where organization_id = $1 and id = $2`,
    [organizationId, connectionId],
  )
  if (row === undefined) return null
  const { isEmpty, ...moment } = row
  return isEmpty ? moment : null
}
