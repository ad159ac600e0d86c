/** What became of lines after a rule would have accepted them. */
import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { KnownLine } from '#lib/reconcile/certify/judge-certification.ts'
import { type DecimalText, subtractDecimals } from '#lib/reconcile/money.ts'
import { toSeenHash } from '../review/review-columns.ts'

/** A line that a replay accepted at a moment. */
export type Taken = KnownLine & { serialNumber: string; moment: string }

/**
 * A line that changed in something that is seen of it, or that a person disputed, after its moment.
 * `amount`: all of a disputed line or of one that is gone or in another currency, else by how much
 * it changed.
 */
type Later = { id: string; currency: string; amount: DecimalText; isChanged: boolean; isDisputed: boolean }

type Row = {
  id: string
  isChanged: boolean
  isDisputed: boolean
  currencyNow: string
  totalNow: DecimalText | null
}

/** Also where it is by now again what it was. Codes of the proof are seen, too. */
const LATER = `
  select a.id, later."isChanged", later."isDisputed", l.currency as "currencyNow",
    case when l.missing_since is null then l.total_amount::text end as "totalNow"
  from unnest($3::text[], $4::text[]) as a (id, moment)
  join line l on l.organization_id = $1 and l.connection_id = $2 and l.id = a.id
  left join lateral (
    select p.id, p.seen, p.invoice_serial_number from line_past p
    where p.organization_id = $1 and p.connection_id = $2 and p.line_id = a.id and p.until > a.moment::timestamptz
    order by p.id limit 1) p on true
  cross join lateral (
    select p.id is not null and (${toSeenHash('l', 'null::text')} is distinct from p.seen or exists (
        select from line_past q where q.organization_id = $1 and q.connection_id = $2 and q.line_id = a.id and q.id > p.id
          and q.seen is distinct from p.seen)) as "isChanged",
      exists (
        select from decision_part o join decision d on d.organization_id = o.organization_id and d.number = o.decision
        where o.organization_id = $1 and o.connection_id = $2 and a.id = any (o.line_ids) and d.kind = 'dispute'
          and o.invoice_serial_number in (l.invoice_serial_number, p.invoice_serial_number)
          and d.decided_at > a.moment::timestamptz) as "isDisputed") later
  where later."isChanged" or later."isDisputed" order by a.id collate "C"`

export async function listLater(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  taken: readonly Taken[],
): Promise<Later[]> {
  const byId = new Map(taken.map((line) => [line.id, line]))
  const rows = await sql<Row>(LATER, [
    organizationId,
    connectionId,
    taken.map(({ id }) => id),
    taken.map(({ moment }) => moment),
  ])
  return rows.map(({ id, isChanged, isDisputed, currencyNow, totalNow }) => {
    const { currency, total } = byId.get(id) as Taken
    const isAll = isDisputed || totalNow === null || currencyNow !== currency
    return { id, currency, amount: isAll ? total : subtractDecimals(totalNow, total), isChanged, isDisputed }
  })
}
