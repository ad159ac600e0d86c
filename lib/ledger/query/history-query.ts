/** The query of the list of changes: the address is the state. */
import { dayOf, defineQuery, PAGE, type QueryOf, switchOf, valuesOf } from './list-query.ts'

export const CHANGE_GROUPS_PER_PAGE = 25
export const DEFAULT_CHANGE_DAYS = 30

const CHANGE_QUERY = defineQuery({
  /** Empty means all of them. */
  connections: valuesOf('connection', { label: 'Connection', choices: 'connections' }),
  /** Null means the last 30 days. */
  since: dayOf('since'),
  /** Only changes of an amount. */
  moneyOnly: switchOf('money', { label: 'Amounts only' }),
  page: PAGE,
})

export type ChangeQuery = QueryOf<typeof CHANGE_QUERY.parameters>

/** `parse` never throws, and `parse(write(query))` is `query`. */
export const { empty: DEFAULT_CHANGE_QUERY, parse: parseChangeQuery, write: writeChangeQuery } = CHANGE_QUERY
