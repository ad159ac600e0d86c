/** What a page of lines says of all lines of its list, at once or as soon as it is added up. */
import { TotalsStrip } from '#components/figures/totals-strip.tsx'
import type { FilterOptions } from '#components/filters/filter-fields.ts'
import { toAddress } from '#components/query/address.ts'
import { plural } from '#components/text/plural.ts'
import type { LineList, LinesAhead } from '#lib/ledger/model.ts'
import { type LineQuery, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { SUMMARY_QUERY } from '#lib/ledger/query/summary-query.ts'
import { LateScope, LateStrip } from './late-totals.client.tsx'
import { toPartWords } from './part-words.ts'
import type { AwaitedTotals } from './read-late-totals.ts'

type List = LineList | LinesAhead

/** The totals that the page came without; null if it has them. */
export function awaitTotals(
  query: LineQuery,
  { totals, rows, allLineCount }: List,
  { currencies }: FilterOptions,
): AwaitedTotals | null {
  if (totals !== null) return null
  return {
    address: toAddress('/api/summaries', SUMMARY_QUERY.write({ ...query, by: ['currency'] })),
    search: writeLineQuery(query),
    rowCount: rows.length,
    allLineCount,
    isOfRemoved: query.goneOnly,
    soFar: `more than ${toPartWords(rows.length, allLineCount, query.goneOnly)}`,
    currencyCount: query.currencies.length || currencies.length,
  }
}

/** How many lines the list has: `1,284 of 9,310 lines`. */
export function ListScope({ list, query }: { list: List; query: LineQuery }) {
  return list.totals === null ? <LateScope /> : (toPart(list, query) ?? plural(list.lineCount, 'line'))
}

/** The list's totals per currency. */
export function ListTotals({ list, query }: { list: List; query: LineQuery }) {
  const label = 'Totals of the lines shown'
  if (list.totals === null) return <LateStrip label={label} />
  return (
    <TotalsStrip label={label} scope={toPart(list, query)} totals={list.totals} target={{ list: 'lines', query }} />
  )
}

/** Null if the list has all lines. */
function toPart({ lineCount, allLineCount }: LineList, { goneOnly }: LineQuery): string | null {
  return lineCount === allLineCount && !goneOnly ? null : toPartWords(lineCount, allLineCount, goneOnly)
}
