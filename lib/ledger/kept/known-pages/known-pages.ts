/**
 * Pages of lines the ledger holds as the platform shows them. If one comes again byte for byte, it
 * need not be opened (docs/decisions/010-known-pages.md).
 */

import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { PROOF_VERSION } from '../../apply/proof-version.ts'
import { type LedgerMoment, MOMENT_COLUMNS } from '../../sql/moment.ts'

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }

/**
 * A page whose lines the ledger held exactly at `asOf`. `bodyHash`: the SHA-256 (hex) of the answer
 * as received. `keys` has one 64-bit hash per line, all different.
 */
export type KnownPage = {
  offset: number
  bodyHash: string
  total: number | null
  keys: bigint[]
  asOf: LedgerMoment
}

/**
 * On a cluster the numbers of touches begin with the node's (decision 067), and each node numbers
 * its transactions by itself: two moments can be compared where the node is the same.
 */
const NODE_BITS = 48

const toNode = (touchOrder: string) => BigInt(touchOrder) >> BigInt(NODE_BITS)

/**
 * A place's known pages with offsets from `from` up to, not including, `before`, by offset. Their
 * lines are proved by today's rules and untouched since; `asOf` is now. What was known on another
 * node is not known on this one, nor is a page of lines that were touched there.
 */
export async function listKnownPages(
  sql: Sql,
  { organizationId, connectionId }: Owner,
  place: string,
  { from, before }: { from: number; before: number },
): Promise<ReadonlyMap<number, KnownPage>> {
  type Row = { offset: number; bodyHash: string; total: number | null; keys: string; knownOrder: string }
  const rows = await sql<Row & LedgerMoment>(
    `select page_offset as offset, encode(body_hash, 'hex') as "bodyHash", reported_total as total,
            array_to_string(key_hashes, ',') as keys, known_order::text as "knownOrder", ${MOMENT_COLUMNS}
     from known_page k
     where organization_id = $1 and connection_id = $2 and place = $3 and page_offset >= $4 and page_offset < $5 and proof_version = $6
       and not exists (
         -- one look-up by key per line, whatever the planner assumes about the number of touched
         -- lines
         select from unnest(k.key_hashes) as line (key)
         cross join lateral (select touched_in, touch_order from line_touch
                             where organization_id = $1 and connection_id = $2 and key_hash = line.key limit 1) t
         where t.touch_order > k.known_order or t.touch_order >> ${NODE_BITS} <> k.known_order >> ${NODE_BITS}
           or not pg_visible_in_snapshot(t.touched_in, k.known_in))`,
    [organizationId, connectionId, place, from, before, PROOF_VERSION],
  )
  const pages = rows
    .filter(({ knownOrder, touchOrder }) => toNode(knownOrder) === toNode(touchOrder))
    .map(({ offset, bodyHash, total, keys, knownOrder: _, ...asOf }) => ({
      offset,
      bodyHash,
      total,
      asOf,
      keys: keys.split(',').map(BigInt),
    }))
  return new Map(pages.map((page) => [page.offset, page]))
}

/**
 * Whether a line of these keys was touched after a moment, including by the caller's own
 * transaction; true as well when the account has moved to another node since.
 */
export async function isAnyTouched(
  sql: Sql,
  { organizationId, connectionId }: Owner,
  since: LedgerMoment,
  listKeys: () => readonly bigint[],
): Promise<boolean> {
  const touched = `select from line_touch
    where organization_id = $1 and connection_id = $2 and touched_in >= pg_snapshot_xmin($3::pg_snapshot)
      and not pg_visible_in_snapshot(touched_in, $3::pg_snapshot)`
  const owner = [organizationId, connectionId, since.snapshot]
  // usually none was, and the keys need not travel
  const [now] = await sql<LedgerMoment & { isAny: boolean }>(
    `select exists (${touched}) as "isAny", ${MOMENT_COLUMNS} from known_page
     where organization_id = $1 and connection_id = $2 limit 1`,
    owner,
  )
  if (now === undefined || toNode(now.touchOrder) !== toNode(since.touchOrder)) return true
  if (!now.isAny) return false
  const [ofThese] = await sql(`${touched} and key_hash = any ($4::bigint[]) limit 1`, [
    ...owner,
    `{${listKeys().join(',')}}`,
  ])
  return ofThese !== undefined
}

/**
 * Keeps pages as known, in the transaction that writes their lines. A page with a line touched
 * after `asOf`, even by this transaction, is not known until it is read again.
 */
export async function keepKnownPages(
  sql: Sql,
  { organizationId, connectionId }: Owner,
  place: string,
  pages: readonly KnownPage[],
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
