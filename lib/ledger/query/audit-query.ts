/** The query of the audit's page and file: the address is the state. */
import { dayOf, defineQuery, hasFilters, type Parameter, type QueryOf, textOf } from './list-query.ts'
import { readValue } from './search-params.ts'

export const AUDIT_ENTRIES_PER_PAGE = 50

/** The entry that the page begins below: the last one of the page of newer ones. */
const BELOW: Parameter<string | null> = {
  empty: null,
  read: (raw) => {
    const text = readValue(raw, 'before') ?? ''
    return /^[1-9]\d{0,15}$/.test(text) ? text : null
  },
  write: (number) => (number === null ? [] : [['before', number]]),
  narrows: false,
}

const AUDIT_QUERY = defineQuery({
  /** Who did it, by the name that the entry has. */
  who: textOf('who'),
  action: textOf('action'),
  /** The kind of what it was done to. */
  subject: textOf('subject'),
  /** Days in UTC, both included. */
  from: dayOf('from'),
  to: dayOf('to'),
  below: BELOW,
})

export type AuditQuery = QueryOf<typeof AUDIT_QUERY.parameters>

/** `parse` never throws, and `parse(write(query))` is `query`. */
export const { empty: DEFAULT_AUDIT_QUERY, parse: parseAuditQuery, write: writeAuditQuery } = AUDIT_QUERY

export function isAuditFiltered(query: AuditQuery): boolean {
  return hasFilters(AUDIT_QUERY.parameters, query)
}
