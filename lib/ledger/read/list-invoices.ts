import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { isReviewed } from '#lib/reconcile/review/invoice-review.ts'
import { STATES, type State, stateOf } from '#lib/reconcile/verdict.ts'
import { INVOICE_COUNT, ROLLUP_OF_INVOICE, toInvoiceConditions } from '../conditions/invoice-conditions.ts'
import { STORED_INVOICE_FIELDS } from '../fields/invoice-fields.ts'
import { toNamedList, toSelectList } from '../fields/record-columns.ts'
import {
  type InvoiceCompleteness,
  type InvoiceKey,
  proveDoubtful,
  proveEach,
  toInvoiceCheck,
} from '../kept/plain-invoices/read-completeness.ts'
import type { CurrencyTotal, InvoiceList, InvoiceRow } from '../model.ts'
import type { InvoiceColumnName } from '../query/invoice-columns.ts'
import { hasInvoiceFilters, type InvoiceQuery, type InvoiceSortKey } from '../query/invoice-query.ts'
import {
  isListed,
  listReviewed,
  type ReviewedInvoice,
  readInvoiceReviews,
  toReviewed,
} from '../review/invoices/read-reviewed.ts'
import { type ListSource, toPage, withPlace } from '../sql/page-of-list.ts'
import { selectTogether } from '../sql/select-together.ts'
import { type SortColumn, type SortKey, toSortKey } from '../sql/sql-order.ts'
import { createSqlParameters, joinConditions, type SqlParameters } from '../sql/sql-parameters.ts'

const SORT_COLUMNS: Record<InvoiceSortKey, SortColumn[]> = {
  issuing_date: [{ sql: 'i.issuing_date', isNullable: true }],
  due_date: [{ sql: 'i.due_date', isNullable: true }],
  serial_number: [{ sql: 'i.serial_number', isNullable: false }],
  profile: [{ sql: 'i.profile_name', isNullable: true }],
  mode: [{ sql: 'i.mode', isNullable: true }],
  status: [{ sql: 'i.status', isNullable: true }],
  // amounts of different currencies do not compare
  total: [
    { sql: 'i.currency', isNullable: false, isAlwaysUp: true },
    { sql: 'i.total', isNullable: false },
  ],
  lines: [{ sql: 'coalesce(counted.line_count, 0)', isNullable: false }],
  // the worse, the more: unexplained before explained before noted
  findings: [{ sql: 'coalesce(counted.line_states, 0)', isNullable: false }],
  // its own state, not those of its lines: the worse, the more
  check: [{ sql: 'coalesce(own.severity, 0)', isNullable: false }],
}

/** What the proofs say comes with them. */
type ProvedLater = Omit<InvoiceRow, 'check' | 'review'>

/** The counts of an invoice's lines. The sum covers the lines in the invoice's own currency. */
const COUNTED = `
  select sum(l.line_count) as line_count, sum(l.finding_count) as finding_count, sum(l.line_states) as line_states,
    sum(l.total_amount) filter (where l.currency = i.currency) as line_total
  from invoice_rollup l where ${ROLLUP_OF_INVOICE}`

/** Columns of the list that read a stored field beside what every row has. */
const FIELD_OF_COLUMN = {
  legal_name: 'legalName',
  from_date: 'fromDate',
  to_date: 'toDate',
  billing_period: 'billingPeriod',
  reference: 'reference',
  profile_id: 'profileId',
} as const satisfies Partial<Record<InvoiceColumnName, keyof typeof STORED_INVOICE_FIELDS>>

/** What these columns read besides, each after a comma. */
function toFurtherColumns(columns: readonly { name: InvoiceColumnName }[]): string {
  const further: Partial<Record<InvoiceColumnName, keyof typeof STORED_INVOICE_FIELDS>> = FIELD_OF_COLUMN
  const fields = columns.flatMap(({ name }) => further[name] ?? [])
  return fields.length === 0 ? '' : `, ${toNamedList('i', STORED_INVOICE_FIELDS, fields)}`
}

/** The columns of an `InvoiceRow`, from `invoice i` and `counted`. */
export const INVOICE_ROW_COLUMNS = `${toSelectList('i', STORED_INVOICE_FIELDS, 'row')},
  coalesce(counted.line_count, 0)::int as "lineCount", counted.line_total::text as "lineTotal",
  coalesce(counted.finding_count, 0)::int as "findingCount", unpack_states(coalesce(counted.line_states, 0)) as "lineStates",
  to_char(i.missing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "missingSince"`

/**
 * FROM for invoices with their counts, looked up by key: a join could take its square while the
 * tables have no statistics.
 */
export const INVOICE_WITH_COUNTS = `invoice i left join lateral (${COUNTED}) counted on true`

/**
 * One page of the filtered invoices with their line counts, and the totals per currency, read at
 * one moment.
 */
export function listInvoices(organizationId: OrganizationId, query: InvoiceQuery): Promise<InvoiceList> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const placed = await withPlace(sql, toInvoiceSource('invoice i'), organizationId, query)
    const { parameters, page, from, conditions, commonTables, rows } = await toInvoicePage(sql, organizationId, placed)
    const list = await selectTogether<{
      rows: ProvedLater[]
      totals: CurrencyTotal[]
      all: { count: number }[]
      before: { count: number }[]
    }>(
      sql,
      {
        rows,
        totals: `select i.currency, count(*)::int as "invoiceCount", coalesce(sum(counted.line_count), 0)::int as "lineCount",
                   sum(i.total)::text as "totalAmount", coalesce(sum(counted.finding_count), 0)::int as "findingCount",
                   unpack_states(coalesce(sum(counted.line_states), 0)) as "lineStates"
                 from ${INVOICE_WITH_COUNTS} where ${conditions} group by i.currency order by i.currency`,
        all: `select ${INVOICE_COUNT} as count ${hasInvoiceFilters(query) ? '' : 'where false'}`,
        before: `select count(*)::int as count
                 ${page.isBefore === null ? 'where false' : `from ${from} where ${conditions} and ${page.isBefore}`}`,
      },
      parameters.values,
      commonTables,
    )
    const invoiceCount = list.totals.reduce((count, total) => count + total.invoiceCount, 0)
    return {
      rows: await withChecks(sql, organizationId, list.rows),
      invoiceCount,
      allInvoiceCount: list.all[0]?.count ?? invoiceCount,
      totals: list.totals,
      place: page.toPlace(list.before[0]?.count ?? 0, list.rows.length, invoiceCount),
      page: placed.page,
      pageCount: Math.max(1, Math.ceil(invoiceCount / placed.pageSize)),
    }
  })
}

/** The page's invoices alone, for a list that goes on: nothing else is counted or summed. */
export function listInvoiceRows(organizationId: OrganizationId, query: InvoiceQuery): Promise<InvoiceRow[]> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const placed = await withPlace(sql, toInvoiceSource('invoice i'), organizationId, query)
    const { parameters, commonTables, rows } = await toInvoicePage(sql, organizationId, placed)
    const answer = await selectTogether<{ rows: ProvedLater[] }>(sql, { rows }, parameters.values, commonTables)
    return withChecks(sql, organizationId, answer.rows)
  })
}

function toInvoiceSource(from: string): ListSource {
  return {
    one: (organizationId, connectionId, id) =>
      `${from} where i.organization_id = ${organizationId}::uuid and i.connection_id = ${connectionId} and i.serial_number = ${id}`,
    connectionId: 'i.connection_id',
    id: 'i.serial_number',
  }
}

/** SQL of a page of invoices. The page comes first, to look up only its invoices' counts. */
async function toInvoicePage(sql: Sql, organizationId: OrganizationId, query: InvoiceQuery) {
  const parameters = createSqlParameters()
  const { conditions, counts, own, ownTables } = await toListedInvoices(sql, organizationId, query, parameters)
  const from = `invoice i ${counts}`
  const page = toPage(toInvoiceSource(from), toInvoiceKey(query), organizationId, query, parameters)
  const commonTables = [...ownTables, ...page.commonTables]
  return {
    parameters,
    page,
    from,
    conditions,
    commonTables: commonTables.length === 0 ? '' : `with ${commonTables.join(', ')}`,
    rows: `select ${INVOICE_ROW_COLUMNS} ${toFurtherColumns(query.columns)}
           from (select i.* from ${from} where ${conditions} and ${page.condition} ${page.pick}) i
           left join lateral (${COUNTED}) counted on true ${own}
           order by ${page.order}`,
  }
}

/** What the SQL of filtered and ordered invoices (`invoice i`) is made of. */
type ListedInvoices = {
  /** WHERE, also where a filter asks for the invoices' proofs. */
  conditions: string
  /** Joins with counts that the order asks for: those of the lines, and `own` of the invoice. */
  counts: string
  /** The second of them, for rows that have their lines counted already. */
  own: string
  /** Common tables that it needs. */
  ownTables: string[]
}

const OWN = 'left join own on own.connection_id = i.connection_id and own.serial_number = i.serial_number'

export async function toListedInvoices(
  sql: Sql,
  organizationId: OrganizationId,
  query: InvoiceQuery,
  parameters: SqlParameters,
): Promise<ListedInvoices> {
  const { states, findings, findingsOnly, reviews, decisions, sort } = query
  const isByOwn = sort.key === 'check'
  const isByReview = reviews.length > 0 || decisions.length > 0
  const needsProofs = isByOwn || states.length > 0 || findings.length > 0 || findingsOnly || isByReview
  const proved = needsProofs ? await proveDoubtful(sql, organizationId, query) : []
  const reviewed = isByReview ? await listReviewed(sql, organizationId, query, proved) : []
  const conditions = joinConditions([
    toInvoiceConditions(organizationId, query, parameters),
    ...toProofConditions(proved, query, parameters),
    isByReview ? toReviewCondition(reviewed, query, parameters) : null,
  ])
  const ofLines = `left join lateral (${COUNTED}) counted on true`
  const isByLines = sort.key === 'lines' || sort.key === 'findings'
  if (!isByOwn) return { conditions, counts: isByLines ? ofLines : '', own: '', ownTables: [] }
  const found = proved.filter((invoice) => toOwnState(invoice) !== 'ties_out')
  const severities = parameters.add(found.map((invoice) => STATES.length - STATES.indexOf(toOwnState(invoice))))
  const [connections, serials] = addKeys(found, parameters)
  const ownTables = [
    `own (connection_id, serial_number, severity) as materialized (
       select * from unnest(${connections}::uuid[], ${serials}::text[], ${severities}::int[]))`,
  ]
  return { conditions, counts: OWN, own: OWN, ownTables }
}

/** ORDER BY of the list: total, so pages never overlap. */
export function toInvoiceKey({ sort }: Pick<InvoiceQuery, 'sort'>): SortKey {
  return toSortKey(SORT_COLUMNS[sort.key], sort.descending, ['i.connection_id', 'i.serial_number'])
}

function toOwnState(invoice: InvoiceCompleteness): State {
  return stateOf({ invoice: toInvoiceCheck(invoice) })
}

/** Filters that ask for the proof of each invoice; a plain one ties out and has no finding. */
function toProofConditions(
  proved: readonly InvoiceCompleteness[],
  { states, findings, findingsOnly }: InvoiceQuery,
  parameters: SqlParameters,
): string[] {
  const arePlainWanted = states.includes('ties_out')
  const ofState = proved.filter((invoice) => states.some((state) => state === toOwnState(invoice)) !== arePlainWanted)
  const ofFindings = proved.filter((invoice) => invoice.findings.some(({ code }) => findings.includes(code)))
  const withFindings = proved.filter((invoice) => invoice.findings.length > 0)
  const ofLines = `exists (select from invoice_rollup l where ${ROLLUP_OF_INVOICE} and l.finding_count > 0)`
  return [
    ...(states.length === 0 ? [] : [`${arePlainWanted ? 'not ' : ''}${toMembership(ofState, parameters)}`]),
    ...(findings.length === 0 ? [] : [toMembership(ofFindings, parameters)]),
    ...(findingsOnly ? [`(${ofLines} or ${toMembership(withFindings, parameters)})`] : []),
  ]
}

function toReviewCondition(
  reviewed: readonly ReviewedInvoice[],
  { reviews, decisions }: InvoiceQuery,
  parameters: SqlParameters,
): string {
  const only = { states: [], findings: [], reviews, decisions }
  return toMembership(
    reviewed.filter((invoice) => isListed(invoice, only)).map(({ proof }) => proof),
    parameters,
  )
}

function toMembership(invoices: readonly InvoiceKey[], parameters: SqlParameters): string {
  const [connections, serials] = addKeys(invoices, parameters)
  return `((i.connection_id, i.serial_number) in (select * from unnest(${connections}::uuid[], ${serials}::text[])))`
}

function addKeys(invoices: readonly InvoiceKey[], parameters: SqlParameters): [connections: string, serials: string] {
  return [
    parameters.add(invoices.map(({ connectionId }) => connectionId)),
    parameters.add(invoices.map(({ serialNumber }) => serialNumber)),
  ]
}

/** What a list says of where an invoice stands; null where there is nothing to decide. */
export function toMark({ stand, seen, review }: ReviewedInvoice): InvoiceRow['review'] {
  return isReviewed(stand, seen) ? { ...stand, decision: review?.decision ?? null, name: review?.name ?? null } : null
}

async function withChecks(sql: Sql, organizationId: OrganizationId, rows: ProvedLater[]): Promise<InvoiceRow[]> {
  const proved = await proveEach(sql, organizationId, rows)
  const reviews = await readInvoiceReviews(sql, organizationId, rows)
  return proved.map(({ row, proof }) => ({
    ...row,
    check: toInvoiceCheck(proof),
    review: toMark(toReviewed(proof, reviews)),
  }))
}
