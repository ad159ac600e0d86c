/** The query of the list of changes: the address is the state. */
import { parsePeriod } from '#lib/reconcile/period.ts'
import { writePairs } from './list-place.ts'
import { dayOf, defineQuery, PAGE, type Parameter, type QueryOf, switchOf, valuesOf } from './list-query.ts'
import { readValue, readValues } from './search-params.ts'

export const CHANGE_GROUPS_PER_PAGE = 25
export const DEFAULT_CHANGE_DAYS = 30

/** The rest of a page's scope: a change has no day of issue of its own, and passes it on. */
const PASSED_ON: Parameter<string> = {
  empty: '',
  read: (raw) => {
    // a period's days are read with it, and not written beside it
    const isPeriod = parsePeriod(readValue(raw, 'period') ?? '') !== null
    const names = ['profile', 'currency', 'period', ...(isPeriod ? [] : ['from', 'to']), 'date']
    return writePairs(
      names.flatMap((name) =>
        readValues(raw, name).flatMap((value): [string, string][] =>
          isPeriod && value === 'issued' ? [] : [[name, value]],
        ),
      ),
    )
  },
  write: (scope) => [...new URLSearchParams(scope)],
  narrows: false,
}

const CHANGE_QUERY = defineQuery({
  /** Empty means all of them. */
  connections: valuesOf('connection', { label: 'Connection', choices: 'connections' }),
  /** Null means the last 30 days. */
  since: dayOf('since'),
  /** Only changes of an amount. */
  moneyOnly: switchOf('money', { label: 'Amounts only' }),
  page: PAGE,
  scope: PASSED_ON,
})

export type ChangeQuery = QueryOf<typeof CHANGE_QUERY.parameters>

/** `parse` never throws, and `parse(write(query))` is `query`. */
export const { empty: DEFAULT_CHANGE_QUERY, parse: parseChangeQuery, write: writeChangeQuery } = CHANGE_QUERY
