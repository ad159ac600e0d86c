/**
 * What changing a check would do to what has failed it
 * (docs/decisions/042-previewed-decisions.md).
 */

import { type DecimalText, type Money, multiplyDecimals, sumDecimals, toSize } from '../money.ts'
import type { CheckLevel, CheckSetting } from './checks.ts'
import { levelOf } from './judge.ts'

/** So many times has a check failed by this amount; null where it has no difference. */
export type FailedCheck = { currency: string; amount: DecimalText | null; count: number }

/** What is a finding, a note or nothing now and would be another of them; `sums` of their sizes. */
export type CheckMove = { from: CheckLevel; to: CheckLevel; count: number; sums: Money[] }

const ORDER: CheckLevel[] = ['finding', 'note', 'off']

/** Every move from one level to another, findings first; nothing for what stays. */
export function toCheckMoves(failed: readonly FailedCheck[], before: CheckSetting, after: CheckSetting): CheckMove[] {
  const judged = failed.map((each) => ({
    ...each,
    from: levelOf(before, each.currency, each.amount),
    to: levelOf(after, each.currency, each.amount),
  }))
  return ORDER.flatMap((from) =>
    ORDER.flatMap((to) => {
      const moved = judged.filter((each) => each.from === from && each.to === to)
      if (from === to || moved.length === 0) return []
      return { from, to, count: moved.reduce((sum, { count }) => sum + count, 0), sums: sumByCurrency(moved) }
    }),
  )
}

function sumByCurrency(failed: readonly FailedCheck[]): Money[] {
  const amounts = failed.flatMap(({ currency, amount, count }) =>
    amount === null ? [] : { currency, amount: multiplyDecimals(toSize(amount), `${count}` as DecimalText) },
  )
  return [...new Set(amounts.map(({ currency }) => currency))].sort().map((currency) => ({
    currency,
    amount: sumDecimals(amounts.filter((each) => each.currency === currency).map(({ amount }) => amount)),
  }))
}
