import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { CheckSettings } from '#lib/reconcile/checks.ts'
import { type Completeness, type HeldTaxes, proveCompleteness, type StatedTaxes } from '#lib/reconcile/completeness.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { InvoiceFinding } from '#lib/reconcile/invoice-finding.ts'
import { judgeInvoice } from '#lib/reconcile/judge.ts'
import { type DecimalText, sumDecimals } from '#lib/reconcile/money.ts'
import {
  type InvoiceTieOut,
  listInvoiceFindings,
  NOTHING_ASIDE,
  type SetAside,
  tieOutInvoice,
} from '#lib/reconcile/tie-out.ts'
import { ROLLUP_OF_INVOICE } from '../conditions/invoice-conditions.ts'
import {
  IS_UNJUDGED,
  judge,
  PLAIN_COLUMNS,
  PLAIN_COLUMNS_OF_JUDGED,
  REJECTED_LINES,
} from '../conditions/plain-invoices.ts'
import type { InvoiceCheck } from '../model.ts'
import { SETTINGS, type StoredSetting, toCheckSettings } from '../rules/read-rules.ts'
import { selectTogether } from '../sql/select-together.ts'
import { createSqlParameters, joinConditions } from '../sql/sql-parameters.ts'

export type InvoiceKey = { connectionId: ConnectionId; serialNumber: string }

/** Which invoices to survey: all of the organization, or of one connection. */
type CompletenessScope = { connectionId?: ConnectionId }

export type InvoiceCompleteness = InvoiceKey & {
  profileId: string | null
  profileName: string | null
  /** Null if the invoice does not say. */
  issuingDate: Day | null
  currency: string
  /** No longer on the platform, by a complete reading. */
  isGone: boolean
  completeness: Completeness
  tieOut: InvoiceTieOut
  /** What is wrong with the invoice itself, by the organization's rules. */
  findings: InvoiceFinding[]
  /** What its rules only note. */
  notes: InvoiceFinding[]
}

/** Plainly complete invoices of one profile, month and currency, counted. */
type PlainCount = {
  connectionId: ConnectionId
  profileId: string | null
  /** YYYY-MM of the day of issue; null if the invoices do not say. */
  month: string | null
  currency: string
  /** Sum of the totals, which their lines come to exactly, of those still on the platform. */
  totalAmount: DecimalText
  invoiceCount: number
  lineCount: number
  /** Those no longer on the platform, and their lines. */
  goneCount: number
  goneLineCount: number
}

/**
 * Each invoice is in one of the two. The verdict on every plain one is `complete`; it has no
 * finding and no credit was used.
 */
export type CompletenessSurvey = { plain: PlainCount[]; proved: InvoiceCompleteness[] }

type Row = Omit<InvoiceCompleteness, 'completeness' | 'tieOut' | 'findings' | 'notes'> & {
  mode: string | null
  dueDate: Day | null
  total: DecimalText
  creditUsed: DecimalText | null
  statedLineCount: number | null
  statedTaxes: StatedTaxes[]
  held: (HeldTaxes & { currency: string })[] | null
  compared: InvoiceFinding[] | null
}

/**
 * Lines of an invoice that are in no sum, in one currency; the currency is null where no total can
 * be read.
 */
type AsideSum = InvoiceKey & { currency: string | null; lineCount: number; amount: DecimalText | null }
type AsideSums = { rejected: AsideSum[]; removed: AsideSum[] }
/** What is read beside the invoices, at the same moment. */
type Beside = AsideSums & { settings: StoredSetting[] }

/** What the proof of an invoice needs, from `invoice i` or as many of its columns. */
const FIGURES = `
  i.connection_id as "connectionId", i.serial_number as "serialNumber", i.profile_id as "profileId",
  i.profile_name as "profileName", i.issuing_date::text as "issuingDate", i.due_date::text as "dueDate", i.mode, i.currency, i.missing_since is not null as "isGone",
  i.total::text, i.credit_used::text as "creditUsed", i.stated_line_count as "statedLineCount", i.taxes_summary as "statedTaxes",
  (select json_agg(json_build_object('currency', currency, 'taxRegime', tax_regime, 'taxPercentage', rate::text,
            'lineCount', line_count, 'taxAmount', tax_amount::text, 'total', total::text) order by tax_regime, rate)
   from (select l.currency, l.tax_regime, l.tax_percentage as rate, sum(l.line_count)::int as line_count,
           sum(l.tax_amount) as tax_amount, sum(l.total_amount) as total
         from invoice_rollup l where ${ROLLUP_OF_INVOICE} group by 1, 2, 3) tax) as held,
  (select json_agg(json_build_object('code', code, 'amount', amount::text) order by code)
   from (select c.code, case when bool_and(c.currency = i.currency) then sum(c.amount) end as amount
         from line_comparison c where c.organization_id = i.organization_id and c.connection_id = i.connection_id
           and c.invoice_serial_number = i.serial_number group by 1) compared) as compared`

const REJECTED_SUMS = `
  select r.connection_id as "connectionId", r.invoice_serial_number as "serialNumber",
    case when r.stated_total is not null then r.stated_currency end as currency, count(*)::int as "lineCount",
    (sum(r.stated_total) filter (where r.stated_currency is not null))::text as amount
  from ${REJECTED_LINES}`

/** Lines that the platform removed, by invoice. */
const REMOVED_SUMS = `
  select r.connection_id as "connectionId", r.invoice_serial_number as "serialNumber", r.currency, count(*)::int as "lineCount",
    sum(r.total_amount)::text as amount
  from line r where r.organization_id = $1::uuid and r.missing_since is not null`

/** Proves each of these invoices against its own figures, as `surveyCompleteness` does. */
export async function readCompleteness(
  sql: Sql,
  organizationId: OrganizationId,
  invoices: readonly InvoiceKey[],
): Promise<InvoiceCompleteness[]> {
  const named = '(select * from unnest($2::uuid[], $3::text[]))'
  const { rows, ...beside } = await selectTogether<{ rows: Row[] } & Beside>(
    sql,
    {
      rows: `select ${FIGURES} from invoice i
             where i.organization_id = $1::uuid and (i.connection_id, i.serial_number) in ${named}`,
      rejected: `${REJECTED_SUMS} and (r.connection_id, r.invoice_serial_number) in ${named} group by 1, 2, 3`,
      removed: `${REMOVED_SUMS} and (r.connection_id, r.invoice_serial_number) in ${named} group by 1, 2, 3`,
      settings: SETTINGS,
    },
    [
      organizationId,
      invoices.map(({ connectionId }) => connectionId),
      invoices.map(({ serialNumber }) => serialNumber),
    ],
  )
  return proveRows(rows, beside)
}

/**
 * Each of these rows with the proof of its invoice, in their order; read in one moment with them.
 * @throws Error for an invoice that is not stored.
 */
export async function proveEach<Row extends InvoiceKey>(
  sql: Sql,
  organizationId: OrganizationId,
  rows: readonly Row[],
): Promise<{ row: Row; proof: InvoiceCompleteness }[]> {
  const proved = rows.length === 0 ? [] : await readCompleteness(sql, organizationId, rows)
  const proofs = new Map(proved.map((proof) => [toKey(proof), proof]))
  return rows.map((row) => {
    const proof = proofs.get(toKey(row))
    if (proof === undefined) throw new Error(`There is no invoice ${row.serialNumber} to prove.`)
    return { row, proof }
  })
}

/**
 * Finds out which invoices of the scope agree with their own figures. Lines no longer on the
 * platform do not count as held. One query, which reads sums of the lines and no line. It adds up
 * the invoices that are known to be plainly complete, judges the others, and brings one by one only
 * those that are not: a proof costs more than a row.
 */
export async function surveyCompleteness(
  sql: Sql,
  organizationId: OrganizationId,
  { connectionId }: CompletenessScope,
): Promise<CompletenessSurvey> {
  const parameters = createSqlParameters()
  const organization = `${parameters.add(organizationId)}::uuid`
  const connection = connectionId === undefined ? null : `${parameters.add(connectionId)}::uuid`
  const inScope = (table: string) =>
    joinConditions([
      `${table}.organization_id = ${organization}`,
      connection === null ? null : `${table}.connection_id = ${connection}`,
    ])
  const { plain, rows, ...beside } = await selectTogether<{ plain: PlainCount[]; rows: Row[] } & Beside>(
    sql,
    {
      plain: `select connection_id as "connectionId", profile_id as "profileId", left(issuing_date::text, 7) as month, currency,
                sum(invoice_count)::int as "invoiceCount", sum(line_count)::int as "lineCount", coalesce(sum(total), 0)::text as "totalAmount",
                sum(gone_count)::int as "goneCount", coalesce(sum(gone_line_count), 0)::int as "goneLineCount"
              from (
                select connection_id, profile_id, issuing_date, currency, count(*) as invoice_count, sum(line_count) as line_count,
                  sum(total) filter (where not is_gone) as total, count(*) filter (where is_gone) as gone_count,
                  sum(line_count) filter (where is_gone) as gone_line_count
                from (select ${PLAIN_COLUMNS} from plain_invoice where ${inScope('plain_invoice')}
                      union all select ${PLAIN_COLUMNS_OF_JUDGED} from judged i where i.is_plain) plain
                group by 1, 2, 3, 4) of_day
              group by 1, 2, 3, 4`,
      rows: `select ${FIGURES} from judged i where not i.is_plain`,
      rejected: `${REJECTED_SUMS} group by 1, 2, 3`,
      removed: `${REMOVED_SUMS} group by 1, 2, 3`,
      settings: SETTINGS,
    },
    parameters.values,
    `with ${judge(`select i.* from invoice i where ${inScope('i')} and ${IS_UNJUDGED}`)}`,
  )
  return { plain, proved: proveRows(rows, beside) }
}

function proveRows(rows: readonly Row[], { rejected, removed, settings }: Beside): InvoiceCompleteness[] {
  const checks = toCheckSettings(settings)
  const [rejectedOf, removedOf] = [groupByInvoice(rejected), groupByInvoice(removed)]
  return rows.map((row) => {
    const key = toKey(row)
    return toCompleteness(row, toSetAside(row, rejectedOf.get(key)), toSetAside(row, removedOf.get(key)), checks)
  })
}

function groupByInvoice(sums: readonly AsideSum[]): Map<string, AsideSum[]> {
  const byInvoice = new Map<string, AsideSum[]>()
  for (const sum of sums) byInvoice.set(toKey(sum), [...(byInvoice.get(toKey(sum)) ?? []), sum])
  return byInvoice
}

/** What is in another currency than the invoice counts as unknown: no sum spans currencies. */
function toSetAside({ currency }: Row, sums: readonly AsideSum[] | undefined): SetAside {
  if (sums === undefined) return NOTHING_ASIDE
  const own = sums.filter((sum) => sum.currency === currency)
  const count = (of: readonly AsideSum[]) => of.reduce((total, { lineCount }) => total + lineCount, 0)
  return {
    lineCount: count(sums),
    amount: sumDecimals(own.flatMap(({ amount }) => amount ?? [])),
    unknownCount: count(sums) - count(own),
  }
}

function toKey({ connectionId, serialNumber }: InvoiceKey): string {
  return `${connectionId} ${serialNumber}`
}

function toCompleteness(
  { held, compared, ...row }: Row,
  notImported: SetAside,
  removed: SetAside,
  checks: CheckSettings,
): InvoiceCompleteness {
  const groups = held ?? []
  const completeness = proveCompleteness({
    currency: row.currency,
    total: row.total,
    creditUsed: row.creditUsed,
    statedLineCount: row.statedLineCount,
    statedTaxes: row.statedTaxes,
    heldTaxes: groups.filter(({ currency }) => currency === row.currency),
    rejectedLineCount: notImported.lineCount,
    otherCurrencyLineCount: groups
      .filter(({ currency }) => currency !== row.currency)
      .reduce((sum, { lineCount }) => sum + lineCount, 0),
  })
  const { connectionId, serialNumber, profileId, profileName, issuingDate, currency, isGone } = row
  const tieOut = tieOutInvoice(currency, completeness, { notImported, removed })
  const found = listInvoiceFindings(completeness, tieOut, { ...row, compared: compared ?? [] })
  const { findings, notes } = judgeInvoice(currency, found, checks)
  return {
    connectionId,
    serialNumber,
    profileId,
    profileName,
    issuingDate,
    currency,
    isGone,
    completeness,
    tieOut,
    findings,
    notes,
  }
}

/** The proof in short, as a list row shows it. */
export function toInvoiceCheck({ completeness, findings, notes }: InvoiceCompleteness): InvoiceCheck {
  const { verdict, total, count, rejectedLineCount } = completeness
  const linesMissing = Math.max(0, (count.stated ?? 0) - count.held)
  return { verdict, difference: total.difference, linesMissing, rejectedLineCount, findings, notes }
}
