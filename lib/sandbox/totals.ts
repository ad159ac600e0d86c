import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Account, factsOfAccount } from './data/account.ts'
import { currencyDigits } from './data/currency.ts'
import { addFixed, type Fixed, trimmedText, ZERO } from './data/decimal.ts'
import type { LineFact } from './data/model.ts'

/** Group keys of the control totals, named as in the product's addresses. */
export const TOTAL_KEYS = ['trip', 'cost_center', 'vertical'] as const
export type TotalKey = (typeof TOTAL_KEYS)[number]

type CurrencyTotal = {
  currency: string
  lineCount: number
  /** Exact sum: at least the currency's decimals, no trailing zeros beyond them. */
  totalAmount: string
  /** A line with wrong tax and wrong total counts twice. */
  findingCount: number
  /** Lines with at least one finding. */
  flaggedLineCount: number
}

export type GroupTotal = CurrencyTotal & {
  /** Only the members asked for; null is unknown (missing, null or empty on the wire). */
  key: { trip_id?: string | null; cost_center?: string | null; related_vertical?: string | null }
}

export type ControlTotals = {
  accountId: string
  account: string
  invoiceCount: number
  /** Lines that can be parsed; the totals below cover these. */
  lineCount: number
  /** Lines on the wire that cannot be parsed. */
  rejectedCount: number
  currencies: CurrencyTotal[]
  byTrip: GroupTotal[]
  byCostCenter: GroupTotal[]
  byVertical: GroupTotal[]
}

type Sum = { lineCount: number; units: bigint; scale: number; findingCount: number; flaggedLineCount: number }

const YIELD_EVERY = 20_000

/**
 * An account's totals, summed from the data in whole numbers; yields to other work while it counts.
 */
export async function computeControlTotals(account: Account): Promise<ControlTotals> {
  const byTrip = createGrouping(['trip'])
  const byCostCenter = createGrouping(['cost_center'])
  const byVertical = createGrouping(['vertical'])
  const overall = createGrouping([])
  const small = !account.generated
  const counts = await walk(account, (fact) => {
    overall.add(fact)
    byCostCenter.add(fact)
    byVertical.add(fact)
    // a generated ledger has hundreds of thousands of trips; use groupTotals for those
    if (small) byTrip.add(fact)
  })
  return {
    accountId: account.id,
    account: account.name,
    invoiceCount: account.segments.reduce((sum, segment) => sum + segment.countInvoices({}), 0),
    ...counts,
    currencies: overall.totals().map(({ key: _key, ...total }) => total),
    byTrip: byTrip.totals(),
    byCostCenter: byCostCenter.totals(),
    byVertical: byVertical.totals(),
  }
}

/** Totals per group of one to three keys and per currency. */
export async function computeGroupTotals(account: Account, by: readonly TotalKey[]): Promise<GroupTotal[]> {
  const grouping = createGrouping(by)
  await walk(account, grouping.add)
  return grouping.totals()
}

async function walk(
  account: Account,
  visit: (fact: LineFact) => void,
): Promise<{ lineCount: number; rejectedCount: number }> {
  let lineCount = 0
  let rejectedCount = 0
  for (const fact of factsOfAccount(account)) {
    if (fact.rejected) rejectedCount += 1
    else {
      lineCount += 1
      visit(fact)
    }
    if ((lineCount + rejectedCount) % YIELD_EVERY === 0) await nextTurn()
  }
  return { lineCount, rejectedCount }
}

function createGrouping(by: readonly TotalKey[]): { add(fact: LineFact): void; totals(): GroupTotal[] } {
  const groups = new Map<string, { key: GroupTotal['key']; currency: string; sum: Sum }>()
  return {
    add: (fact) => {
      const key: GroupTotal['key'] = {}
      if (by.includes('trip')) key.trip_id = fact.tripId
      if (by.includes('cost_center')) key.cost_center = fact.costCenter
      if (by.includes('vertical')) key.related_vertical = fact.vertical
      const name = by.length === 0 ? fact.currency : JSON.stringify([key, fact.currency])
      let group = groups.get(name)
      if (!group) {
        group = {
          key,
          currency: fact.currency,
          sum: { lineCount: 0, units: 0n, scale: 0, findingCount: 0, flaggedLineCount: 0 },
        }
        groups.set(name, group)
      }
      addToSum(group.sum, fact)
    },
    totals: () =>
      [...groups.values()]
        .map(({ key, currency, sum }) => ({
          key,
          currency,
          lineCount: sum.lineCount,
          totalAmount: trimmedText({ units: sum.units, scale: sum.scale }, currencyDigits(currency)),
          findingCount: sum.findingCount,
          flaggedLineCount: sum.flaggedLineCount,
        }))
        .sort((a, b) => compareText(orderOf(a), orderOf(b))),
  }
}

function addToSum(sum: Sum, fact: LineFact): void {
  sum.lineCount += 1
  sum.findingCount += fact.codes.length
  if (fact.codes.length > 0) sum.flaggedLineCount += 1
  if (fact.totalScale === sum.scale) sum.units += fact.totalUnits
  else {
    const added: Fixed = addFixed(sum.lineCount === 1 ? ZERO : { units: sum.units, scale: sum.scale }, {
      units: fact.totalUnits,
      scale: fact.totalScale,
    })
    sum.units = added.units
    sum.scale = added.scale
  }
}

function orderOf(total: GroupTotal): string {
  return JSON.stringify([total.key, total.currency])
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
