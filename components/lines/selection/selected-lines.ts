/** What is said and done with selected lines. Loads with the first selection. */

import { writeLineKey } from '#components/lines/line-key.ts'
import { toAddress } from '#components/query/address.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import { type ListView, toViewAddress } from '#components/query/view-address.ts'
import { isSelected, type Selection } from '#components/table/selection.ts'
import type { LineRow, Summary } from '#lib/ledger/model.ts'
import type { LineSortKey } from '#lib/ledger/query/line-query.ts'
import { withoutColumns } from '#lib/ledger/query/list-columns.ts'
import { withPlace } from '#lib/ledger/query/list-place.ts'
import { type DecimalText, subtractDecimals, sumDecimals } from '#lib/reconcile/money.ts'

export type CurrencySum = { currency: string; amount: DecimalText }

/** So many lines can be copied: a spreadsheet takes longer over more than the page. */
export const MOST_COPIED = 5000
const PAGE_SIZE = 200

/**
 * The selected lines' stated totals per currency, by its code.
 * @throws Error when the server does not answer with what the list comes to.
 */
export async function sumSelected(
  { isAll, rows }: Selection<LineRow>,
  search: string,
  signal: AbortSignal,
): Promise<CurrencySum[]> {
  const picked = sumByCurrency([...rows.values()])
  if (!isAll) return [...picked].map(([currency, amount]) => ({ currency, amount })).sort(byCurrency)
  const params = new URLSearchParams(withPlace(search, {}))
  params.set('by', 'currency')
  const answer = await readAnswer<Summary>(toAddress('/api/summaries', params.toString()), signal)
  if (answer.status !== 'ready') throw new Error('The sums did not come.')
  const toRest = (currency: string, total: DecimalText) => {
    const left = picked.get(currency)
    return left === undefined ? total : subtractDecimals(total, left)
  }
  return answer.value.rows
    .map(({ currency, totalAmount }) => ({ currency, amount: toRest(currency, totalAmount) }))
    .sort(byCurrency)
}

/**
 * The selected lines, of all lines of the list those that are not left out.
 * @throws Error when the server does not answer with all of them.
 */
export async function readSelected(selection: Selection<LineRow>, view: ListView<LineSortKey>): Promise<LineRow[]> {
  if (!selection.isAll) return [...selection.rows.values()]
  const found: LineRow[] = []
  const params = new URLSearchParams(view.search)
  params.set('size', String(PAGE_SIZE))
  for (let isMore = true; isMore; ) {
    const last = found.at(-1)
    const beside = last === undefined ? null : { side: 'after' as const, row: last }
    const address = toViewAddress('/api/lines/rows', { ...view, search: params.toString() }, { page: 1, beside })
    const answer = await readAnswer<{ rows: LineRow[] }>(address)
    if (answer.status !== 'ready') throw new Error('The lines did not come.')
    found.push(...answer.value.rows)
    isMore = answer.value.rows.length === PAGE_SIZE && found.length < MOST_COPIED + PAGE_SIZE
  }
  return found.filter((row) => isSelected(selection, writeLineKey(row)))
}

/** An address names so many single lines. */
const MOST_NAMED = 100

/**
 * The address of the file of these lines, with all their columns; null for more single lines than
 * an address can name.
 */
export function toSelectionFile({ isAll, rows }: Selection<LineRow>, search: string): string | null {
  if (isAll ? rows.size > 0 : rows.size > MOST_NAMED) return null
  const params = new URLSearchParams(withPlace(withoutColumns(search), {}))
  for (const key of isAll ? [] : rows.keys()) params.append('only', key)
  params.set('format', 'csv')
  return toAddress('/api/export/lines', params.toString())
}

function sumByCurrency(lines: readonly LineRow[]): Map<string, DecimalText> {
  const currencies = [...new Set(lines.map(({ currency }) => currency))]
  return new Map(
    currencies.map((currency) => [
      currency,
      sumDecimals(lines.filter((line) => line.currency === currency).map(({ totalAmount }) => totalAmount)),
    ]),
  )
}

function byCurrency(one: CurrencySum, other: CurrencySum): number {
  return one.currency < other.currency ? -1 : 1
}
