/**
 * Pages of lines of which the ledger knows that it says the same: a page that comes again byte for byte need not be opened
 * (docs/decisions/010-known-pages.md).
 */
import type { Sql } from '../db/tenant.ts'
import { PROOF_VERSION } from './proof-version.ts'

type Owner = { organizationId: string; connectionId: string }

/** A moment of the ledger, as the database's snapshots have it. What touches a line later is not part of it. */
export type LedgerMoment = { snapshot: string; touchOrder: string }

/** SQL columns for the moment of the statement that they are part of. */
export const MOMENT_COLUMNS = `pg_current_snapshot()::text as snapshot,
  (select last_value from line_touch_order)::text as "touchOrder"`

/** `bodyHash`: the SHA-256 (hex) of the answer as it came. `keys` has one 64-bit hash per line, no two the same. */
export type KnownPage = { offset: number; bodyHash: string; total: number | null; keys: bigint[] }

/** What to know of a page whose lines are in the ledger as it says them, by what was read there at `asOf`. */
export type PageToKnow = KnownPage & { asOf: LedgerMoment }

/** So many pages are looked up together; the pages of a longer window are opened from there on. */
const MAX_PAGES = 5000

/** SQL: the lines of page `k` are proved by today's rules, and none of them was touched since. */
export const IS_UNTOUCHED = `k.proof_version = ${PROOF_VERSION} and not exists (
  select from line_touch t
  where t.organization_id = k.organization_id and t.connection_id = k.connection_id and t.key_hash = any (k.key_hashes)
    and not (t.touch_order <= k.known_order and pg_visible_in_snapshot(t.touched_in, k.known_in)))`

/** The known pages of a place from `fromOffset` on, by their offsets: those of which no line was touched since. */
export async function listKnownPages(
  sql: Sql,
  { organizationId, connectionId }: Owner,
  place: string,
  fromOffset: number,
): Promise<Map<number, KnownPage>> {
  const rows = await sql<{ offset: number; bodyHash: string; total: number | null; keys: string }>(
    `select page_offset as offset, encode(body_hash, 'hex') as "bodyHash", reported_total as total, array_to_string(key_hashes, ',') as keys
     from known_page k
     where organization_id = $1 and connection_id = $2 and place = $3 and page_offset >= $4 and ${IS_UNTOUCHED}
     order by page_offset limit ${MAX_PAGES}`,
    [organizationId, connectionId, place, fromOffset],
  )
  return new Map(rows.map((row) => [row.offset, { ...row, keys: row.keys.split(',').map(BigInt) }]))
}

/**
 * Keeps what is known of pages, in the transaction that brings their lines in. A page of which a line was touched after
 * `asOf`, also by this transaction, is not known until it is read again.
 */
export async function keepKnownPages(
  sql: Sql,
  { organizationId, connectionId }: Owner,
  place: string,
  pages: readonly PageToKnow[],
): Promise<void> {
  if (pages.length === 0) return
  const rows = pages.map(({ offset, bodyHash, total, keys, asOf }) => ({
    page_offset: offset,
    body_hash: bodyHash,
    reported_total: total,
    key_hashes: `{${keys.join(',')}}`,
    known_in: asOf.snapshot,
    known_order: asOf.touchOrder,
  }))
  await sql(
    `insert into known_page (organization_id, connection_id, place, page_offset, body_hash, reported_total, key_hashes, proof_version, known_in, known_order)
     select $1::uuid, $2::uuid, $3, page_offset, decode(body_hash, 'hex'), reported_total, key_hashes::bigint[], ${PROOF_VERSION}, known_in::pg_snapshot, known_order
     from json_to_recordset($4::json) as page (page_offset integer, body_hash text, reported_total integer, key_hashes text,
                                               known_in text, known_order bigint)
     on conflict (organization_id, connection_id, place, page_offset) do update
       set body_hash = excluded.body_hash, reported_total = excluded.reported_total, key_hashes = excluded.key_hashes,
           proof_version = excluded.proof_version, known_in = excluded.known_in, known_order = excluded.known_order`,
    [organizationId, connectionId, place, JSON.stringify(rows)],
  )
}
