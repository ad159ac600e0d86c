import type { StripTotal } from '#components/figures/strip-totals.client.tsx'
import { toAddress } from '#components/query/address.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import { plural } from '#components/text/plural.ts'
import type { Summary } from '#lib/ledger/model.ts'
import { writePairs } from '#lib/ledger/query/list-place.ts'
import { toPartWords } from './part-words.ts'

/** Totals that a page came without. A new object for each answer of the server. */
export type AwaitedTotals = {
  /** Where they are asked for: the same for each order of the list. */
  address: string
  /** The list's query, as in an address. */
  search: string
  /** Lines on the page; the list has more. */
  rowCount: number
  /** Lines of the organization. */
  allLineCount: number
  /** Whether the list has lines that the platform removed. */
  isOfRemoved: boolean
  /** In words, what is known of the list's length: `more than 50 of 9,310 lines`. */
  soFar: string
  /** The most currencies that there can be totals in. */
  currencyCount: number
}

export type LateTotals = {
  lineCount: number
  /** `1,284 of 9,310 lines`; null if the list has all lines. */
  part: string | null
  /** The same, or `9,310 lines`. */
  scope: string
  totals: StripTotal[]
}

/**
 * The totals of a list of lines that came without them.
 * @throws Error when the server does not answer with them.
 */
export async function readLateTotals(
  { search, address, allLineCount, isOfRemoved }: AwaitedTotals,
  signal: AbortSignal,
): Promise<LateTotals> {
  const answer = await readAnswer<Summary>(address, signal)
  if (answer.status !== 'ready') throw new Error('The totals did not come.')
  const { rows } = answer.value
  const lineCount = rows.reduce((sum, row) => sum + row.lineCount, 0)
  // lines may have come since the page was made
  const part = lineCount < allLineCount || isOfRemoved ? toPartWords(lineCount, allLineCount, isOfRemoved) : null
  return {
    lineCount,
    part,
    scope: part ?? plural(lineCount, 'line'),
    totals: rows.map((row) => ({
      currency: row.currency,
      scope: plural(row.lineCount, 'line'),
      amount: row.totalAmount,
      findingCount: row.findingCount,
      lineStates: row.lineStates,
      href: toCurrencyAddress(search, row.currency),
    })),
  }
}

/** The lines of the list that are in a currency. */
function toCurrencyAddress(search: string, currency: string): string {
  const params = new URLSearchParams(search)
  params.set('currency', currency)
  return toAddress('/lines', writePairs(params))
}
