/** The lake's tables with a row for a line, or for something of it: months are of the expense. */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { LINE_FILE_VALUES } from '../fields/line-fields.ts'
import { LINE_FILE_TABLES } from '../read/export-lines.ts'
import type { LakeKind, MarkedMonth } from './model.ts'

/** What a table's SQL is made of; `l` is the line. */
type LineTable = { values: Record<string, string>; from: string; order: string }

const ORDER = 'l.expense_date, l.connection_id, l.id collate "C"'
const GONE = '(l.missing_since is not null)::text'
/** Microseconds since 1970. */
const toMoment = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`
const OF_LINE = {
  connectionId: 'l.connection_id',
  lineId: 'l.id',
  invoiceSerialNumber: 'l.invoice_serial_number',
  expenseDate: 'l.expense_date',
  currency: 'l.currency',
}
/** Of a failed check: what it says for the total, and what for the tax. */
const byCode = (total: string, tax: string) => `case f.code when 'total' then ${total} else ${tax} end`

const { review, reviewReason, reviewBy, reviewAt, ...LINE_VALUES } = LINE_FILE_VALUES

const LINE_TABLES: Record<Exclude<LakeKind, 'invoices'>, LineTable> = {
  lines: { values: LINE_VALUES, from: LINE_FILE_TABLES, order: ORDER },
  findings: {
    values: {
      ...OF_LINE,
      code: 'f.code',
      stated: byCode('l.total_amount', 'l.tax_amount'),
      expected: byCode('l.expected_total_amount', 'l.expected_tax_amount'),
      difference: byCode('l.difference', 'l.tax_difference'),
      isExplained: `coalesce(f.code = any(l.explained_codes), false)::text`,
      reasonCodes: LINE_FILE_VALUES.reasonCodes,
      isGone: GONE,
    },
    from: 'line l cross join lateral unnest(l.finding_codes) f (code)',
    order: `${ORDER}, f.code collate "C"`,
  },
  reviews: {
    values: {
      ...OF_LINE,
      state: 'v.state',
      amount: 'v.amount',
      expectedBack: 'v.expected_back',
      reason: reviewReason,
      decidedBy: reviewBy,
      decidedAt: toMoment('d.decided_at'),
      decision: 'v.decision',
      suspendedAt: toMoment('v.suspended_at'),
      isGone: GONE,
    },
    from: `line_review v
      join line l on l.organization_id = v.organization_id and l.connection_id = v.connection_id and l.id = v.line_id
      left join decision d on d.organization_id = v.organization_id and d.number = v.decision`,
    order: ORDER,
  },
}

/** With findings alone an index is enough. */
const toCondition = (kind: LakeKind) => `l.organization_id = $1${kind === 'findings' ? ' and l.finding_count > 0' : ''}`

/**
 * Every month with rows. Its mark is made of every value that its file has: the number of rows, and
 * two sums of 64-bit hashes. The order of rows and the scale of a number are not in it.
 */
export function markLineMonths(
  sql: Sql,
  organizationId: OrganizationId,
  kind: keyof typeof LINE_TABLES,
): Promise<MarkedMonth[]> {
  const { values, from } = LINE_TABLES[kind]
  const [one, other] = [0, 1].map((seed) => `sum(hash_record_extended(r.whole, ${seed})::numeric)`)
  return sql<MarkedMonth>(
    `select r.month, concat_ws(':', count(*), ${one}, ${other}) as mark
     from (select to_char(l.expense_date, 'YYYY-MM') as month, row(${Object.values(values).join(', ')}) as whole
       from ${from} where ${toCondition(kind)}) r
     group by r.month order by r.month`,
    [organizationId],
  )
}

/** The rows of a month, in the order of its file. */
export function toLineTableQuery(organizationId: OrganizationId, kind: keyof typeof LINE_TABLES, month: string) {
  const { values, from, order } = LINE_TABLES[kind]
  const columns = Object.entries(values).map(([name, value]) => `${value} as "${name}"`)
  const days = `l.expense_date >= $2::date and l.expense_date < $2::date + interval '1 month'`
  return {
    text: `select ${columns.join(', ')} from ${from} where ${toCondition(kind)} and ${days} order by ${order}`,
    values: [organizationId, `${month}-01`],
  }
}
