/**
 * What was known of invoices and their lines at a moment, from the kept pasts. With the moment of
 * the last sync it is what is there now: a live run and a replay read by the same statements.
 */
import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { KnownInvoice, KnownLine } from '#lib/reconcile/certify/judge-certification.ts'
import { toIssuerKey } from '#lib/reconcile/checks/judge.ts'
import { type HeldTaxes, proveCompleteness, type StatedTaxes } from '#lib/reconcile/completeness.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import { type DecimalText, sumDecimals } from '#lib/reconcile/money.ts'
import { type Background, type KnownHabit, toMoment } from './read-background.ts'

type Account = { organizationId: OrganizationId; connectionId: ConnectionId }

/** In the branches of all lines and invoices: after each sync most of them are as they were. */
const SINCE = '($4::timestamptz is null or first_seen_at > $4::timestamptz)'

/** An invoice at a moment; `moment` as SQL writes it (`toMoment`). */
export type Due = { serialNumber: string; moment: string }

/**
 * When invoices of an account became something else, as the first of these moments that is not
 * before it: nothing else can be judged otherwise there. In order of the moments.
 * @param after Only what happened later; null: all.
 */
export function listDue(
  sql: Sql,
  { organizationId, connectionId }: Account,
  moments: readonly string[],
  after: string | null,
): Promise<Due[]> {
  return sql<Due>(
    `with past as materialized (
       select line_id, invoice_serial_number as serial, until, lag(until) over (partition by line_id order by id) as since
       from line_past where organization_id = $1 and connection_id = $2),
     happened as (
       select invoice_serial_number as serial, first_seen_at as at from line where organization_id = $1 and connection_id = $2 and ${SINCE}
       union select serial, until from past
       union select serial, since from past
       union select l.invoice_serial_number, p.until from past p
         join line l on l.organization_id = $1 and l.connection_id = $2 and l.id = p.line_id
       union select serial_number, first_seen_at from invoice where organization_id = $1 and connection_id = $2 and ${SINCE}
       union select invoice_serial_number, valid_until from invoice_version where organization_id = $1 and connection_id = $2
       union select invoice_serial_number, first_seen_at from rejected_line where organization_id = $1 and connection_id = $2
       union select invoice_serial_number, resolved_at from rejected_line where organization_id = $1 and connection_id = $2
       union select i.serial_number, h.decided_at from habit_decision h
         join invoice i on i.organization_id = $1 and i.connection_id = $2 where h.organization_id = $1 and h.connection_id = $2)
     select distinct h.serial as "serialNumber", m.moment
     from happened h join invoice i on i.organization_id = $1 and i.connection_id = $2 and i.serial_number = h.serial
     cross join lateral (select min(each) as moment from unnest($3::text[]) each where each::timestamptz >= h.at) m
     where m.moment is not null and ($4::timestamptz is null or h.at > $4::timestamptz) order by 2, 1`,
    [organizationId, connectionId, moments, after],
  )
}

/** `hasMoved`: it is something else since that moment. */
export type KnownThen = { due: Due; invoice: KnownInvoice; hasMoved: boolean }

type InvoiceRow = Due & {
  profileId: string | null
  issuingDate: string | null
  currency: string
  total: DecimalText
  creditUsed: DecimalText | null
  statedLineCount: number | null
  statedTaxes: StatedTaxes[] | null
  rejectedCount: number
  isKnown: boolean
  isLocked: boolean
  hasMoved: boolean
}

type LineRow = Due & {
  id: string
  currency: string
  total: DecimalText
  taxAmount: DecimalText
  taxRegime: string | null
  taxPercentage: DecimalText
  profileId: string | null
  invoiceMode: string | null
  vendor: string | null
  findings: string[]
  explained: string[]
  since: string
  isKnown: boolean
  isDecided: boolean
  hasMoved: boolean
  isHeld: boolean
}

const ASKED = `asked as materialized (select * from unnest($3::text[], $4::text[]) as a (serial, moment))`

/** `$5`: whether it is now, so that locks and decisions count that were made since the sync. */
const INVOICES_THEN = `
  with ${ASKED}
  select a.serial as "serialNumber", a.moment, t.*, v.id is not null as "hasMoved",
    (select count(*)::int from rejected_line r
     where r.organization_id = $1 and r.connection_id = $2 and r.list = 'lines' and r.invoice_serial_number = a.serial
       and r.first_seen_at <= a.moment::timestamptz and (r.resolved_at is null or r.resolved_at > a.moment::timestamptz)) as "rejectedCount",
    exists (select from period_lock k
      where k.organization_id = $1 and k.connection_id = $2 and k.month = date_trunc('month', t."issuingDate"::date)::date
        and (k.profile_id is null or k.profile_id = t."profileId")
        and case when $5 then k.reopened_at is null
                 else k.at <= a.moment::timestamptz and (k.reopened_at is null or k.reopened_at > a.moment::timestamptz) end) as "isLocked"
  from asked a join invoice i on i.organization_id = $1 and i.connection_id = $2 and i.serial_number = a.serial
  left join lateral (
    select * from invoice_version v where v.organization_id = $1 and v.connection_id = $2 and v.invoice_serial_number = a.serial
      and v.valid_until > a.moment::timestamptz order by v.id limit 1) v on true
  cross join lateral (
    select i.profile_id as "profileId", i.issuing_date::text as "issuingDate", i.currency, i.total::text, i.credit_used::text as "creditUsed",
      i.stated_line_count as "statedLineCount", i.taxes_summary as "statedTaxes", true as "isKnown" where v.id is null
    union all
    select v.profile_id, v.issuing_date::text, v.currency, v.total::text, v.credit_used::text, v.stated_line_count, v.taxes_summary,
      v.taxes_summary is not null where v.id is not null) t
  where i.first_seen_at <= a.moment::timestamptz`

const LINES_THEN = `
  with ${ASKED},
  named as materialized (
    select a.serial, a.moment, l.id from asked a
    join line l on l.organization_id = $1 and l.invoice_serial_number = a.serial and l.connection_id = $2
    union
    select a.serial, a.moment, p.line_id from asked a
    join line_past p on p.organization_id = $1 and p.connection_id = $2 and p.invoice_serial_number = a.serial)
  select n.serial as "serialNumber", n.moment, n.id, t.*, p.id is not null as "hasMoved",
    ${toMoment(`greatest(l.first_seen_at, (select max(q.until) from line_past q
      where q.organization_id = $1 and q.connection_id = $2 and q.line_id = n.id and q.until <= n.moment::timestamptz))`)} as since,
    exists (select from decision_part o join decision d on d.organization_id = o.organization_id and d.number = o.decision
      where o.organization_id = $1 and o.connection_id = $2 and o.invoice_serial_number = n.serial and n.id = any (o.line_ids)
        and d.rule_id is null and ($5 or d.decided_at <= n.moment::timestamptz)) as "isDecided"
  from named n join line l on l.organization_id = $1 and l.connection_id = $2 and l.id = n.id
  left join lateral (
    select * from line_past p where p.organization_id = $1 and p.connection_id = $2 and p.line_id = n.id
      and p.until > n.moment::timestamptz order by p.id limit 1) p on true
  cross join lateral (
    select l.invoice_serial_number as invoice, l.currency, l.total_amount::text as total, l.tax_amount::text as "taxAmount",
      l.tax_regime as "taxRegime", l.tax_percentage::text as "taxPercentage", l.profile_id as "profileId", l.invoice_mode as "invoiceMode",
      coalesce(l.vendor_name, l.vendor_code) as vendor, l.finding_codes as findings, coalesce(l.explained_codes, '{}') as explained,
      l.missing_since is null as "isHeld", true as "isKnown" where p.id is null
    union all
    select coalesce(p.invoice_serial_number, l.invoice_serial_number), p.currency, p.total_amount::text, coalesce(p.tax_amount, 0)::text,
      p.tax_regime, coalesce(p.tax_percentage, 0)::text, p.profile_id, p.invoice_mode, p.vendor_name, coalesce(p.finding_codes, '{}'),
      coalesce(p.explained_codes, '{}'), not p.is_gone, p.seen is not null and p.finding_codes is not null where p.id is not null) t
  where l.first_seen_at <= n.moment::timestamptz and t.invoice = n.serial order by n.id collate "C"`

/**
 * The invoices of an account at their moments, in their order.
 * @param isNow Whether each moment is the latest.
 */
export async function readKnown(
  sql: Sql,
  { organizationId, connectionId }: Account,
  due: readonly Due[],
  { habits, vendors, regimes }: Background,
  isNow: boolean,
): Promise<KnownThen[]> {
  const values = [
    organizationId,
    connectionId,
    due.map(({ serialNumber }) => serialNumber),
    due.map(({ moment }) => moment),
    isNow,
  ]
  const invoices = new Map((await sql<InvoiceRow>(INVOICES_THEN, values)).map((row) => [toName(row), row]))
  const rows = groupBy(await sql<LineRow>(LINES_THEN, values), toName)
  const toLine = (line: LineRow): KnownLine => ({
    id: line.id,
    currency: line.currency,
    total: line.total,
    isKnown: line.isKnown,
    findings: line.findings,
    explained: line.explained.filter((code) => isHabit(habits, line, code)),
    isVendorNew: isNew(vendors, line.vendor, line.since),
    isRegimeNew: isNew(regimes, line.taxRegime, line.since),
    isDecided: line.isDecided,
  })
  // in the order that was asked: what was judged first counts
  return due.flatMap((each) => {
    const row = invoices.get(toName(each))
    if (row === undefined) return []
    const all = rows.get(toName(row)) ?? []
    const held = all.filter(({ isHeld }) => isHeld)
    const { serialNumber, moment, issuingDate, currency, total, isLocked } = row
    const then: KnownThen = {
      due: { serialNumber, moment },
      hasMoved: row.hasMoved || all.some((line) => line.hasMoved),
      invoice: {
        connectionId,
        serialNumber,
        issuingDate,
        currency,
        total,
        isLocked,
        isKnown: row.isKnown && all.every((line) => line.isKnown),
        completeness: prove(row, held),
        lines: held.map(toLine),
      },
    }
    return [then]
  })
}

const toName = ({ serialNumber, moment }: Due) => `${moment} ${serialNumber}`

function prove(row: InvoiceRow, held: readonly LineRow[]) {
  const own = held.filter(({ currency }) => currency === row.currency)
  return proveCompleteness({
    currency: row.currency,
    total: row.total,
    creditUsed: row.creditUsed,
    statedLineCount: row.statedLineCount,
    statedTaxes: row.statedTaxes ?? [],
    heldTaxes: toHeldTaxes(own),
    rejectedLineCount: row.rejectedCount,
    otherCurrencyLineCount: held.length - own.length,
  })
}

function toHeldTaxes(lines: readonly LineRow[]): HeldTaxes[] {
  const groups = groupBy(lines, ({ taxRegime, taxPercentage }) => JSON.stringify([taxRegime, taxPercentage]))
  return [...groups.values()].map((group) => ({
    taxRegime: group[0]?.taxRegime ?? null,
    taxPercentage: group[0]?.taxPercentage ?? ('0' as DecimalText),
    lineCount: group.length,
    taxAmount: sumDecimals(group.map(({ taxAmount }) => taxAmount)),
    total: sumDecimals(group.map(({ total }) => total)),
  }))
}

/** Whether a way of rounding of the line's issuer was accepted for this check at its moment. */
function isHabit(habits: readonly KnownHabit[], line: LineRow, code: string): boolean {
  const key = toIssuerKey(line)
  const newest = habits.findLast((each) => each.issuer === key && each.code === code && each.at <= line.moment)
  return newest?.decision === 'accepted'
}

/** Whether nothing of the name came before; what has no name is not new. */
function isNew(since: ReadonlyMap<string, string>, name: string | null, at: string): boolean {
  return name !== null && (since.get(name) ?? at) >= at
}
