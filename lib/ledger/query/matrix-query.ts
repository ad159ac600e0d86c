/** The query of a matrix: that of the groups, and which of its groups are open. */
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import { isUndecided, UNDECIDED } from '#lib/reconcile/review/review-state.ts'
import { FILTER_OF, GROUP_QUERY, type GroupQuery, toLineQuery } from './group-query.ts'
import { type Folding, LINE_QUERY, type LineQuery } from './line-query.ts'
import { defineQuery, type Parameter, type QueryOf } from './list-query.ts'
import { readValues } from './search-params.ts'

/** Rows of more levels are a table's. */
export const MAX_ROW_KEYS = 2

const MAX_OPEN = 20

/** A group's value as an address and the tree of groups have it; null is the unknown one. */
const toOpenId = (value: string | null) => `/${JSON.stringify(value)}`

const OPEN: Parameter<(string | null)[]> = {
  empty: [],
  read: (raw) => readValues(raw, 'open').flatMap(readOpenId).slice(0, MAX_OPEN),
  write: (values) => values.map((value) => ['open', toOpenId(value)]),
  narrows: false,
}

/** Deeper groups of a table are none of a matrix. */
function readOpenId(id: string): (string | null)[] {
  try {
    const value: unknown = JSON.parse(id.slice(1))
    return id.startsWith('/') && (value === null || typeof value === 'string') ? [value] : []
  } catch {
    return []
  }
}

export const MATRIX_QUERY = defineQuery({ ...GROUP_QUERY.parameters, open: OPEN })

export type MatrixQuery = QueryOf<typeof MATRIX_QUERY.parameters> & Folding & { across: GroupKey }

/** As a matrix reads it: at most two keys of rows. Null for a table of groups. */
export function toMatrixQuery(query: QueryOf<typeof MATRIX_QUERY.parameters> & Folding): MatrixQuery | null {
  const { across } = query
  return across === null ? null : { ...query, by: query.by.slice(0, MAX_ROW_KEYS), across }
}

/** The query whose lines the measure is of: all lines, or those that wait for somebody. */
export function toMeasured<Query extends GroupQuery>(query: Query): Query {
  if (query.measure !== 'undecided') return query
  const reviews = query.reviews.length === 0 ? [...UNDECIDED] : query.reviews.filter(isUndecided)
  // a text that names no line finds none: what is asked for is decided
  return { ...query, findingsOnly: true, reviews, ...(reviews.length === 0 && { picked: ['none'] }) }
}

/** The lines that a matrix is made of, in the currency that it shows. */
export function toMatrixLineQuery(query: GroupQuery, currency: string): LineQuery {
  const lines = { ...toLineQuery(toMeasured(query)), currencies: [currency] }
  if (query.measure === 'findings') return { ...lines, findingsOnly: true }
  return query.measure === 'unexplained' ? { ...lines, outcomes: ['unexplained'] } : lines
}

/** The parameter of the lines' address that a key's filter is. */
export function toKeyParameter(key: GroupKey): string {
  const parameter = LINE_QUERY.parameters[FILTER_OF[key]]
  const [pair] = parameter.write(['x'] as never)
  return pair?.[0] ?? ''
}
