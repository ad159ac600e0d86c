/** The roll-ups beside their own recomputation, which shares no code with the product. */

const GRAINS: Record<string, readonly string[]> = {
  days_vertical: ['days', 'related_vertical'],
  days_cost_center: ['days', 'cost_center'],
  cost_center_vertical: ['related_vertical', 'cost_center'],
  service: ['related_vertical', 'service'],
  days_profile: ['days', 'profile_id', 'profile_name', 'invoice_mode', 'invoice_status'],
  days_tax: ['days', 'tax_regime', 'trim_scale(tax_percentage)'],
  days_issued: ['days', 'related_vertical', 'month'],
}
const INVOICE = ['issuing_date', 'profile_id', 'profile_name', 'invoice_mode', 'invoice_status', 'tax_regime']
/** The first of the ten days, by the text of a date. */
const TEN_DAYS = `(left(expense_date::text, 8) ||
  case when right(expense_date::text, 2) >= '21' then '21' when right(expense_date::text, 2) >= '11' then '11' else '01' end)::date`
/** The first day of the month of issue, likewise. */
const MONTH = `(left(issuing_date::text, 8) || '01')::date`
const OWNER = 'organization_id, connection_id, currency'
const FIGURES = 'line_count, total_amount, finding_count, unpack_states(line_states)::text'
const STATE = 'line_state(finding_codes, explained_codes, reason_codes, difference, tax_difference, currency)'
const STATES = ['unexplained', 'explained', 'note'].map(
  (state) => `'${state}', count(*) filter (where ${STATE} = '${state}')`,
)
const SUMS = `count(*), sum(total_amount), sum(finding_count), json_build_object(${STATES.join(', ')})::text`

/** Each roll-up as it is kept, and as the lines add up to it. */
const RECOMPUTED = [
  ...Object.entries(GRAINS).map(([grain, columns]) => ({
    name: grain,
    kept: `select ${OWNER}, ${toKept(columns)}, ${FIGURES} from line_rollup where grain = '${grain}'`,
    summed: toSummed(columns, SUMS),
  })),
  {
    name: 'trip',
    kept: `select ${OWNER}, trip_id, issuing_date, ${FIGURES}, dated_label from trip_rollup`,
    summed: toSummed(['trip_id', 'month'], `${SUMS}, max(expense_date::text || ' ' || trip_name)`),
  },
  {
    name: 'trips of an account',
    kept: 'select connection_id, trip_count from connection_tally where trip_count <> 0',
    summed: `select connection_id, count(distinct trip_id) + count(distinct connection_id) filter (where trip_id is null)
             from line where missing_since is null group by 1`,
  },
  {
    name: 'invoice',
    kept: `select ${OWNER}, invoice_serial_number, ${INVOICE.join(', ')}, tax_percentage, ${FIGURES}, tax_amount from invoice_rollup`,
    summed: toSummed(['invoice_serial_number', ...INVOICE, 'trim_scale(tax_percentage)'], `${SUMS}, sum(tax_amount)`),
  },
  {
    name: 'names of a trip',
    kept: `select l.connection_id, l.id from line l join trip_rollup r using (${OWNER})
           where l.missing_since is null and l.trip_id is not distinct from r.trip_id and l.trip_name is not null
             and ${MONTH.replace('issuing_date', 'l.issuing_date')} is not distinct from r.issuing_date
             and not r.has_names and l.trip_name is distinct from substr(r.dated_label, 12)`,
    summed: 'select null::uuid, null::text where false',
  },
  {
    name: 'limits of an invoice',
    kept: `select l.connection_id, l.id from line l join invoice_rollup r using (${OWNER}, invoice_serial_number)
           where l.missing_since is null and l.tax_percentage = r.tax_percentage
             and ${INVOICE.map((column) => `l.${column} is not distinct from r.${column}`).join(' and ')}
             and not coalesce(l.total_amount between r.least_amount and r.greatest_amount, false)`,
    summed: 'select null::uuid, null::text where false',
  },
]

function toKept(columns: readonly string[]): string {
  return columns
    .join(', ')
    .replace('days', 'expense_date')
    .replace('month', 'issuing_date')
    .replace('trim_scale(tax_percentage)', 'tax_percentage')
}

function toSummed(columns: readonly string[], figures: string): string {
  const keys = columns
    .join(', ')
    .replace(/^days/, TEN_DAYS)
    .replace(/month$/, MONTH)
  const places = [1, 2, 3, ...columns.map((_, at) => at + 4)]
  return `select ${OWNER}, ${keys}, ${figures} from line where missing_since is null group by ${places.join(', ')}`
}

/**
 * The rows in which a roll-up differs from what its lines add up to, in one snapshot of all
 * organizations that `query` sees; none means that all are exact.
 */
export async function listRollupDifferences(
  query: <Row extends Record<string, unknown>>(text: string) => Promise<Row[]>,
): Promise<{ name: string; row: string }[]> {
  const parts = RECOMPUTED.map(
    ({ name, kept, summed }) => `
      select '${name}' as name, row::text from ((${kept} except all ${summed}) union all (${summed} except all ${kept})) row`,
  )
  return query(parts.join(' union all '))
}
