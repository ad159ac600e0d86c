import { toListAddress } from '#components/query/list-address.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'

/** The lines that the platform no longer has, of one currency or of all. */
export function toGoneLines(currency?: string): string {
  const currencies = currency === undefined ? [] : [currency]
  return toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, goneOnly: true, currencies } })
}
