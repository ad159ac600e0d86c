/** What a replay of a rule over the past came to. Pure, so that the browser may have it. */
import { addDecimals, type DecimalText, toSize } from '../money.ts'
import { CONDITIONS, type Condition } from './rule-terms.ts'

type Money = { currency: string; amount: DecimalText }

/**
 * `lineCount`: would have been accepted; `wholeCount`: of these invoices it took every line.
 * `later`: those of them that changed, or that a person disputed, afterwards: by how much they
 * changed, and all of what was disputed. `failed`: lines that stayed for people, by each condition
 * that failed last: one line may be counted under several.
 */
export type TrialFigures = {
  lineCount: number
  invoiceCount: number
  wholeCount: number
  totals: Money[]
  later: { lineCount: number; changed: number; disputed: number; money: Money[] }
  left: number
  failed: { condition: Condition; lineCount: number }[]
}

/** Sums by currency, in order of their codes. */
export function sumMoney(amounts: readonly Money[], isSize = false): Money[] {
  const sums = new Map<string, DecimalText>()
  for (const { currency, amount } of amounts) {
    const added = isSize ? toSize(amount) : amount
    const known = sums.get(currency)
    sums.set(currency, known === undefined ? added : addDecimals(known, added))
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([currency, amount]) => ({ currency, amount }))
}

/** How many lines each condition kept, in the order of the conditions. */
export function countFailed(failed: Iterable<readonly Condition[]>): TrialFigures['failed'] {
  const counts = new Map<Condition, number>()
  for (const each of failed) for (const condition of each) counts.set(condition, (counts.get(condition) ?? 0) + 1)
  return inOrder(counts)
}

/** The same of several accounts together. */
export function sumFailed(accounts: readonly TrialFigures['failed'][]): TrialFigures['failed'] {
  const counts = new Map<Condition, number>()
  for (const { condition, lineCount } of accounts.flat())
    counts.set(condition, (counts.get(condition) ?? 0) + lineCount)
  return inOrder(counts)
}

function inOrder(counts: ReadonlyMap<Condition, number>): TrialFigures['failed'] {
  return CONDITIONS.flatMap((condition) => {
    const lineCount = counts.get(condition)
    return lineCount === undefined ? [] : [{ condition, lineCount }]
  })
}
