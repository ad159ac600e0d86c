/**
 * The exact set of records that a decision about a loss is made on, before it is made and after
 * (docs/decisions/042-previewed-decisions.md).
 */
import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import { type DecimalText, subtractDecimals } from '#lib/reconcile/money.ts'
import { selectTogether } from '../sql/select-together.ts'
import { type CompleteReading, gatherSeen, toUnmet } from './mark-missing.ts'

/** Lines of one currency and their exact total. */
type LossTotal = { currency: string; lineCount: number; totalAmount: DecimalText }

/** `hash` names every line with its money and every invoice: another set has another one. */
export type LossSet = { hash: string; lineCount: number; invoiceCount: number; totals: LossTotal[] }

/** One currency of a connection: what counts now, what would go, what would be left. */
type LossStep = { currency: string; now: LossTotal; removed: LossTotal; after: LossTotal }

/** `share`: of the loss in its currency, in tenths of a percent. */
export type LostLine = {
  id: string
  description: string
  invoiceSerialNumber: string
  currency: string
  totalAmount: DecimalText
  share: number
}

export type LossFigures = {
  set: LossSet
  steps: LossStep[]
  /** The largest by their share, at most ten. */
  largest: LostLine[]
  /** Invoices that the platform still has and that lose lines. */
  shortInvoiceCount: number
}

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }
/** SQL after FROM for the rows `s` of each list, with the values of both. */
type Rows = { lines: string; invoices: string; values: unknown[] }
const MOST_SHOWN = 10

/** What these readings did not meet: it is marked as missing if the loss is accepted. */
export async function readUnmet(
  sql: Sql,
  readings: { lines: CompleteReading; invoices: CompleteReading },
): Promise<LossFigures> {
  await gatherSeen(sql, 'lines', readings.lines)
  await gatherSeen(sql, 'invoices', readings.invoices)
  const lines = toUnmet('lines', readings.lines)
  const invoices = toUnmet('invoices', readings.invoices)
  const own = lines.values.length
  const rows = {
    lines: lines.rows,
    invoices: invoices.rows.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + own}`),
    values: [...lines.values, ...invoices.values],
  }
  const found = await selectTogether<{
    set: LossSet[]
    largest: LostLine[]
    short: { count: number }[]
    held: LossTotal[]
  }>(sql, { set: toSetQuery(rows), largest: toLargestQuery(rows), short: toShortQuery(rows), held: HELD }, rows.values)
  const set = found.set[0] as LossSet
  return {
    set,
    steps: toSteps(found.held, set.totals),
    largest: found.largest,
    shortInvoiceCount: found.short[0]?.count ?? 0,
  }
}

/** When the loss of the run `$3` was decided: the rows that it marked have the same moment. */
export const MOMENT_OF_LOSS = '(select decided_at from sync_loss where organization_id = $1 and run_id = $3)'

/** What the accepted loss of a run has marked as missing, and is still so. */
export async function readMarked(
  sql: Sql,
  { organizationId, connectionId, runId }: Owner & { runId: RunId },
): Promise<LossSet> {
  const condition = `s.organization_id = $1 and s.connection_id = $2 and s.missing_since = ${MOMENT_OF_LOSS}`
  const [set] = await sql<LossSet>(
    toSetQuery({ lines: `line s where ${condition}`, invoices: `invoice s where ${condition}`, values: [] }),
    [organizationId, connectionId, runId],
  )
  return set as LossSet
}

/** Everything of the connection that counts. `$1` and `$2` are those of its lines. */
const HELD = `select currency, count(*)::int as "lineCount", sum(total_amount)::text as "totalAmount" from line
  where organization_id = $1 and connection_id = $2 and missing_since is null group by currency order by currency`

/** Each record is hashed by itself, so that the hash of a million takes little memory. */
function toSetQuery({ lines, invoices }: Rows): string {
  return `
    with gone as materialized (select s.id, s.currency, s.total_amount from ${lines}),
    gone_invoice as materialized (select s.serial_number, s.currency, s.total from ${invoices}),
    each as (
      select 'line' as list, id as key, ${hashOf('id, currency, total_amount')} as hash from gone
      union all select 'invoice', serial_number, ${hashOf('serial_number, currency, total')} from gone_invoice)
    select encode(sha256(coalesce((select string_agg(hash, ''::bytea order by list, key collate "C") from each), ''::bytea)), 'hex') as hash,
           (select count(*)::int from gone) as "lineCount", (select count(*)::int from gone_invoice) as "invoiceCount",
           coalesce((select json_agg(t) from (
             select currency, count(*)::int as "lineCount", sum(total_amount)::text as "totalAmount"
             from gone group by currency order by currency) t), '[]') as totals`
}

const hashOf = (columns: string) => `sha256(convert_to(json_build_array(${columns})::text, 'UTF8'))`

function toLargestQuery({ lines }: Rows): string {
  return `
    select id, description, "invoiceSerialNumber", currency, total::text as "totalAmount", round(1000 * part)::int as share from (
      select s.id, s.description, s.invoice_serial_number as "invoiceSerialNumber", s.currency, s.total_amount as total,
             coalesce(abs(s.total_amount) / nullif(sum(abs(s.total_amount)) over (partition by s.currency), 0), 0) as part
      from ${lines}) l
    order by part desc, abs(total) desc, id limit ${MOST_SHOWN}`
}

function toShortQuery({ lines, invoices }: Rows): string {
  return `
    select count(*)::int as count from (
      select distinct s.invoice_serial_number from ${lines}
      except select s.serial_number from ${invoices}) short
    where exists (select from invoice i where i.organization_id = $1 and i.connection_id = $2
                  and i.serial_number = short.invoice_serial_number and i.missing_since is null)`
}

function toSteps(held: readonly LossTotal[], removed: readonly LossTotal[]): LossStep[] {
  return held.map((now) => {
    const { currency } = now
    const gone = removed.find((each) => each.currency === currency) ?? NOTHING(currency)
    const after = {
      currency,
      lineCount: now.lineCount - gone.lineCount,
      totalAmount: subtractDecimals(now.totalAmount, gone.totalAmount),
    }
    return { currency, now, removed: gone, after }
  })
}

const NOTHING = (currency: string): LossTotal => ({ currency, lineCount: 0, totalAmount: '0' as DecimalText })
