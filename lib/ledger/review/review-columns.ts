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

/** What a line says beside others (`found_beside` in review.sql), of few lines. */
const toFoundBeside = (line: string) => `found_beside(${line}.organization_id, ${line}.connection_id, ${line}.id)`

/**
 * What is seen of a row of `line`, in one value (`review_hash` in review.sql).
 * @param beside Of many lines: the column of `toAllBeside`.
 */
export function toSeenHash(alias: string, beside = toFoundBeside(alias)): string {
  const columns = SEEN_COLUMNS.map((column) => `${alias}.${column}`)
  return `review_hash(${columns.join(', ')}, ${alias}.missing_since is not null, ${beside})`
}

/** A join of what lines `l` say beside others, as `beside.found`: of many at once. */
export function toAllBeside(organization: string): string {
  return `(select c.connection_id, c.line_id, found_beside(c.organization_id, c.connection_id, c.line_id) as found
     from line_comparison c where c.organization_id = ${organization} group by c.organization_id, c.connection_id, c.line_id) beside
   on beside.connection_id = l.connection_id and beside.line_id = l.id`
}

/** A join of the review `v` to the line `l`. Without a row the line is open. */
export const REVIEW_OF_LINE =
  'line_review v on v.organization_id = l.organization_id and v.connection_id = l.connection_id and v.line_id = l.id'
