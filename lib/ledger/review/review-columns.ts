/** SQL that says what is seen of a line, and where it stands, the same wherever it is asked. */

const SEEN_COLUMNS = [
  'invoice_serial_number',
  'currency',
  'quantity',
  'unit_price',
  'non_taxable_unit_price',
  'tax_percentage',
  'tax_regime',
  'tax_amount',
  'total_amount',
  'finding_codes',
  'explained_codes',
]

const ALL_SAID = `string_agg(said_beside(c.code, c.other_line_id, c.currency, c.amount), ' ' order by c.code)`

/**
 * What a line says beside others, or null (`said_beside` in review.sql), of few lines.
 * @param organization Whose line it is; where it is one, a cluster finds its comparisons beside it.
 */
export const toFoundBeside = (line: string, organization = `${line}.organization_id`) =>
  `(select ${ALL_SAID} from line_comparison c
    where c.organization_id = ${organization} and c.connection_id = ${line}.connection_id and c.line_id = ${line}.id)`

/**
 * What is seen of a row of `line`, in one value (`review_hash` in review.sql).
 * @param beside `toFoundBeside`; of many lines the column of `toAllBeside`.
 */
export function toSeenHash(alias: string, beside: string): string {
  const columns = SEEN_COLUMNS.map((column) => `${alias}.${column}`)
  return `review_hash(${columns.join(', ')}, ${alias}.missing_since is not null, ${beside})`
}

/** A join of what lines `l` say beside others, as `beside.found`: of many at once. */
export function toAllBeside(organization: string): string {
  return `(select c.connection_id, c.line_id, ${ALL_SAID} as found
     from line_comparison c where c.organization_id = ${organization} group by c.connection_id, c.line_id) beside
   on beside.connection_id = l.connection_id and beside.line_id = l.id`
}

/** A join of the review `v` to the line `l`. Without a row the line is open. */
export const REVIEW_OF_LINE =
  'line_review v on v.organization_id = l.organization_id and v.connection_id = l.connection_id and v.line_id = l.id'
