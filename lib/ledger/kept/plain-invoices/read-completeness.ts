import { type BoundedMap, createBoundedMap } from '#lib/bounded-map.ts'
import type { Sql } from '#lib/db/tenant.ts'
import { hashText } from '#lib/hash-text.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { processWide } from '#lib/process-wide.ts'
import type { CheckSettings } from '#lib/reconcile/checks/checks.ts'
import { judgeInvoice } from '#lib/reconcile/checks/judge.ts'
import { type Completeness, type HeldTaxes, proveCompleteness, type StatedTaxes } from '#lib/reconcile/completeness.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import type { InvoiceFinding, LineComparisonCode } from '#lib/reconcile/invoice-finding.ts'
import { type DecimalText, sumDecimals } from '#lib/reconcile/money.ts'
import {
  type InvoiceTieOut,
  listInvoiceFindings,
  NOTHING_ASIDE,
  type SetAside,
  sumExplained,
  tieOutInvoice,
} from '#lib/reconcile/tie-out.ts'
import { ROLLUP_OF_INVOICE, toInvoiceConditions } from '../../conditions/invoice-conditions.ts'
import type { InvoiceCheck } from '../../model.ts'
import { hasInvoiceFilters, type InvoiceQuery } from '../../query/invoice-query.ts'
import { SETTINGS, type StoredSetting, toCheckSettings } from '../../rules/read-rules.ts'
import { selectTogether } from '../../sql/select-together.ts'
import { createSqlParameters, joinConditions } from '../../sql/sql-parameters.ts'
import {
  COMPARED_LINES,
  judge,
  listUnjudged,
  PLAIN_SUMS,
  PLAIN_SUMS_OF_JUDGED,
  REJECTED_LINES,
} from './plain-invoices.ts'

/** About 2 kB each. */
const MOST_PROOFS = 20_000

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

/** Plainly complete invoices of one profile, month and currency, gone or not, counted. */
type PlainCount = {
  connectionId: ConnectionId
  profileId: string | null
  /** YYYY-MM of the day of issue; null if the invoices do not say. */
  month: string | null
  currency: string
  /** No longer on the platform. */
  isGone: boolean
  invoiceCount: number
  lineCount: number
  /** Sum of the totals, which their lines come to exactly. */
  totalAmount: DecimalText
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
  held: HeldRow[] | null
}

/** A row of the roll-up, as values: names would be most of what a survey sends. */
type HeldRow = [
  currency: string,
  taxRegime: string | null,
  taxPercentage: DecimalText,
  lineCount: number,
  taxAmount: DecimalText,
  total: DecimalText,
]

/**
 * Lines of an invoice that are in no sum, in one currency; the currency is null where no total can
 * be read.
 */
type AsideSum = InvoiceKey & { currency: string | null; lineCount: number; amount: DecimalText | null }
/** Lines of an invoice that are a finding beside others, by code and currency. */
type ComparedSum = InvoiceKey & { code: LineComparisonCode; currency: string; amount: DecimalText }
/** What is read beside the invoices, at the same moment. */
type Beside = { rejected: AsideSum[]; removed: AsideSum[]; compared: ComparedSum[]; settings: StoredSetting[] }

/** What the proof of an invoice needs, from `invoice i` or as many of its columns. */
const FIGURES = `
  i.connection_id as "connectionId", i.serial_number as "serialNumber", i.profile_id as "profileId",
  i.profile_name as "profileName", i.issuing_date::text as "issuingDate", i.due_date::text as "dueDate", i.mode, i.currency, i.missing_since is not null as "isGone",
  i.total::text, i.credit_used::text as "creditUsed", i.stated_line_count as "statedLineCount", i.taxes_summary as "statedTaxes",
  (select json_agg(json_build_array(l.currency, l.tax_regime, l.tax_percentage::text, l.line_count, l.tax_amount::text, l.total_amount::text)
                   order by l.tax_regime, l.tax_percentage, l.cell)
   from invoice_rollup l where ${ROLLUP_OF_INVOICE}) as held`

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

const COMPARED_SUMS = `
  select c.connection_id as "connectionId", c.invoice_serial_number as "serialNumber", c.code, c.currency, sum(c.amount)::text as amount
  from ${COMPARED_LINES}`

/** The queries of `Beside`; `narrow` adds to the condition of each: `and …`, or nothing. */
const toBeside = (narrow: (table: string) => string) => ({
  rejected: `${REJECTED_SUMS} ${narrow('r')} group by 1, 2, 3`,
  removed: `${REMOVED_SUMS} ${narrow('r')} group by 1, 2, 3`,
  compared: `${COMPARED_SUMS} ${narrow('c')} group by 1, 2, 3, 4 order by 3`,
  settings: SETTINGS,
})

/** Proves each of these invoices against its own figures, as `surveyCompleteness` does. */
export async function readCompleteness(
  sql: Sql,
  organizationId: OrganizationId,
  invoices: readonly InvoiceKey[],
): Promise<InvoiceCompleteness[]> {
  const { rows, ...beside } = await selectTogether<{ rows: Row[] } & Beside>(
    sql,
    {
      rows: `select ${FIGURES} from invoice i
             where i.organization_id = $1::uuid and (i.connection_id, i.serial_number) in ${NAMED}`,
      ...toBeside((table) => `and (${table}.connection_id, ${table}.invoice_serial_number) in ${NAMED}`),
    },
    [organizationId, ...toColumns(invoices)],
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
 * the plainly complete invoices and brings one by one only the others, after it has judged those
 * that nobody has: a proof costs more than a row. `settings`: of the checks, instead of the
 * organization's own.
 */
export async function surveyCompleteness(
  sql: Sql,
  organizationId: OrganizationId,
  { connectionId }: CompletenessScope,
  settings?: StoredSetting[],
): Promise<CompletenessSurvey> {
  const parameters = createSqlParameters()
  const organization = `${parameters.add(organizationId)}::uuid`
  const connection = connectionId === undefined ? null : `${parameters.add(connectionId)}::uuid`
  const inScope = (table: string) =>
    joinConditions([
      `${table}.organization_id = ${organization}`,
      connection === null ? null : `${table}.connection_id = ${connection}`,
    ])
  const { plain, doubtful, ...beside } = await selectTogether<{ plain: PlainCount[]; doubtful: Doubtful[] } & Beside>(
    sql,
    {
      plain: `select connection_id as "connectionId", profile_id as "profileId", month, currency, is_gone as "isGone",
                sum(invoice_count)::int as "invoiceCount", sum(line_count)::int as "lineCount", sum(total)::text as "totalAmount"
              from (select ${PLAIN_SUMS} from plain_invoice_sum where ${inScope('plain_invoice_sum')}
                    union all select ${PLAIN_SUMS_OF_JUDGED} from judged i where i.is_plain) plain
              group by 1, 2, 3, 4, 5 having sum(invoice_count) > 0`,
      doubtful: listDoubtful(inScope('d')),
      ...toBeside(() => ''),
    },
    parameters.values,
    judgeUnjudged(inScope('i')),
  )
  const tuned = settings === undefined ? beside : { ...beside, settings }
  return { plain, proved: await proveOrRecall(sql, organizationId, doubtful, tuned) }
}

/**
 * The proofs of those invoices of a list that are not plainly complete. The filters that ask for
 * proofs are the caller's.
 */
export async function proveDoubtful(
  sql: Sql,
  organizationId: OrganizationId,
  query: InvoiceQuery,
): Promise<InvoiceCompleteness[]> {
  const parameters = createSqlParameters()
  const inList = toInvoiceConditions(organizationId, query, parameters)
  // without filters only those that are gone are not in it, and their proofs say so
  const isNamed = hasInvoiceFilters(query) ? isListed(inList) : 'true'
  const { doubtful, ...beside } = await selectTogether<{ doubtful: Doubtful[] } & Beside>(
    sql,
    { doubtful: listDoubtful(`d.organization_id = $1::uuid and ${isNamed}`), ...toBeside(() => '') },
    parameters.values,
    judgeUnjudged(inList),
  )
  const proved = await proveOrRecall(sql, organizationId, doubtful, beside)
  return hasInvoiceFilters(query) ? proved : proved.filter(({ isGone }) => !isGone)
}

/**
 * An invoice that has to be proved, and what names all of `Row` that its proof is made of: the note
 * of its judgment, which a change takes back, or else a digest of them.
 */
type Doubtful = InvoiceKey & { state: string }

const DIGEST = 'md5(row_to_json(figures)::text)'

/** SQL of `Doubtful`: those noted before, of `doubtful_invoice d`, and those of `judged`. */
const listDoubtful = (condition: string) => `
  select d.connection_id as "connectionId", d.serial_number as "serialNumber", d.note::text as state
  from doubtful_invoice d where ${condition}
  union all
  select "connectionId", "serialNumber", ${DIGEST}
  from (select ${FIGURES} from judged i where not i.is_plain) figures`

/** Whether `doubtful_invoice d` is among the rows of `invoice i` under a condition. */
const isListed = (condition: string) => `exists (
  select from invoice i where i.organization_id = d.organization_id and i.connection_id = d.connection_id
    and i.serial_number = d.serial_number and ${condition})`

/**
 * The proofs of these invoices, in their order. One that was made of the very same figures before
 * is recalled: its name tells them from all others, so nothing can be out of date. Proofs are
 * shared; nobody may change one.
 */
async function proveOrRecall(
  sql: Sql,
  organizationId: OrganizationId,
  doubtful: readonly Doubtful[],
  beside: Beside,
): Promise<InvoiceCompleteness[]> {
  const toProof = prepareProof(beside)
  const proofs = processWide<BoundedMap<InvoiceCompleteness>>('tieoutProofs', () => createBoundedMap(MOST_PROOFS))
  const known = doubtful.map((each) => proofs.get(toProof.name(each)))
  const unknown = doubtful.filter((_, at) => known[at] === undefined)
  const rows =
    unknown.length === 0
      ? []
      : await sql<Row & Doubtful>(
          `select figures.*, coalesce(d.note::text, ${DIGEST}) as state from (
             select ${FIGURES} from invoice i
             where i.organization_id = $1::uuid and (i.connection_id, i.serial_number) in ${NAMED}) figures
           left join lateral (
             select note from doubtful_invoice where organization_id = $1::uuid and connection_id = figures."connectionId"
               and serial_number = figures."serialNumber" limit 1) d on true`,
          [organizationId, ...toColumns(unknown)],
        )
  const fresh = new Map(
    rows.map((row) => {
      const proof = toProof.prove(row)
      proofs.set(toProof.name(row), proof)
      return [toKey(row), proof]
    }),
  )
  return doubtful.flatMap((each, at) => known[at] ?? fresh.get(toKey(each)) ?? [])
}

/** A common table of invoices under a condition that are not known to be plain, judged. */
function judgeUnjudged(condition: string): string {
  return `with ${judge(listUnjudged(condition))}`
}

function proveRows(rows: readonly Row[], beside: Beside): InvoiceCompleteness[] {
  return rows.map(prepareProof(beside).prove)
}

/** Proves rows beside what was read with them, and names such a proof by all that it is made of. */
function prepareProof(beside: Beside) {
  const checks = toCheckSettings(beside.settings)
  const rules = hashText(JSON.stringify(checks))
  const rejected = groupBy(beside.rejected, toKey)
  const removed = groupBy(beside.removed, toKey)
  const compared = groupBy(beside.compared, toKey)
  return {
    name: ({ state, ...invoice }: Doubtful): string => {
      const key = toKey(invoice)
      return `${state} ${rules} ${JSON.stringify([rejected.get(key), removed.get(key), compared.get(key)])}`
    },
    prove: (row: Row): InvoiceCompleteness => {
      const key = toKey(row)
      return toCompleteness(
        row,
        {
          notImported: toSetAside(row, rejected.get(key)),
          removed: toSetAside(row, removed.get(key)),
          compared: toCompared(row, compared.get(key) ?? []),
        },
        checks,
      )
    },
  }
}

/** The invoices that `toColumns` gives as `$2` and `$3`. */
const NAMED = '(select * from unnest($2::uuid[], $3::text[]))'

const toColumns = (invoices: readonly InvoiceKey[]): [ConnectionId[], string[]] => [
  invoices.map(({ connectionId }) => connectionId),
  invoices.map(({ serialNumber }) => serialNumber),
]

/** An amount for each code; null if some of it is in another currency than the invoice. */
function toCompared({ currency }: Row, sums: readonly ComparedSum[]): InvoiceFinding[] {
  return [...groupBy(sums, ({ code }) => code)].map(([code, ofCode]) => {
    const isOwn = ofCode.every((sum) => sum.currency === currency)
    return { code, amount: isOwn ? sumDecimals(ofCode.map(({ amount }) => amount)) : null }
  })
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

type BesideInvoice = { notImported: SetAside; removed: SetAside; compared: InvoiceFinding[] }

function toCompleteness(
  row: Row,
  { notImported, removed, compared }: BesideInvoice,
  checks: CheckSettings,
): InvoiceCompleteness {
  const { connectionId, serialNumber, profileId, profileName, issuingDate, dueDate, mode, currency, isGone } = row
  const groups = row.held ?? []
  const own = groups.filter((group) => group[0] === currency)
  const completeness = proveCompleteness({
    currency,
    total: row.total,
    creditUsed: row.creditUsed,
    statedLineCount: row.statedLineCount,
    statedTaxes: row.statedTaxes,
    heldTaxes: own.map(toHeldTaxes),
    rejectedLineCount: notImported.lineCount,
    otherCurrencyLineCount: countLines(groups) - countLines(own),
  })
  const tieOut = tieOutInvoice(currency, completeness, { notImported, removed })
  const found = listInvoiceFindings(completeness, tieOut, { mode, issuingDate, dueDate, compared })
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

function countLines(groups: readonly HeldRow[]): number {
  return groups.reduce((sum, [, , , lineCount]) => sum + lineCount, 0)
}

function toHeldTaxes([, taxRegime, taxPercentage, lineCount, taxAmount, total]: HeldRow): HeldTaxes {
  return { taxRegime, taxPercentage, lineCount, taxAmount, total }
}

/** The proof in short, as a list row shows it. */
export function toInvoiceCheck({ completeness, tieOut, findings, notes, isGone }: InvoiceCompleteness): InvoiceCheck {
  const { verdict, total, count, rejectedLineCount } = completeness
  const linesMissing = Math.max(0, (count.stated ?? 0) - count.held)
  return {
    verdict,
    difference: total.difference,
    linesMissing,
    rejectedLineCount,
    unexplained: tieOut.unexplained,
    explained: sumExplained(tieOut),
    notImported: tieOut.notImported.unknownCount > 0 ? null : tieOut.notImported.amount,
    isGone,
    findings,
    notes,
  }
}
