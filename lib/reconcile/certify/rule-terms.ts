/**
 * What a certification rule asks and does (docs/decisions/066-certification-rules.md). Pure, so
 * that the browser may have it.
 */
import type { DecimalText } from '../money.ts'

/** `prepare` accepts first; `approve` also approves what somebody else has prepared. */
export const RULE_VERBS = ['accept', 'prepare', 'approve'] as const
export type RuleVerb = (typeof RULE_VERBS)[number]

/** What a version may ask besides what each asks. */
export const CHOSEN_CONDITIONS = ['complete', 'residual', 'vendor', 'regime'] as const
export type ChosenCondition = (typeof CHOSEN_CONDITIONS)[number]

/** Everything that a line may fail by, in the order in which it is told. */
export const CONDITIONS = [
  'known',
  'month',
  'locked',
  'proved',
  ...CHOSEN_CONDITIONS,
  'limit',
  'decided',
  'sample',
] as const
export type Condition = (typeof CONDITIONS)[number]

/** Why a line stays for people, after “because”. */
export const CONDITION_WORDS: Record<Condition, string> = {
  known: 'what its proof said then was not kept',
  month: 'its month is left out, or it was issued before the rule begins',
  locked: 'its month is locked',
  proved: 'it does not add up, and no accepted way of rounding explains it',
  complete: 'its invoice is not complete',
  residual: 'the lines do not come to what the invoice states',
  vendor: 'its vendor is new in this account',
  regime: 'its tax regime is new in this account',
  limit: 'it is over the limit, or in a currency without one',
  decided: 'a person has decided about it',
  sample: 'it is in the random share that is left for people',
}

/** One version of a rule, as it is kept. Nobody changes one. */
export type RuleTerms = {
  verb: RuleVerb
  conditions: readonly ChosenCondition[]
  /**
   * The most that is certified, without its sign, by currency: of a line to accept, of an invoice
   * to prepare or approve. Empty: no limit.
   */
  limits: Readonly<Record<string, DecimalText>>
  /** Percent that stays for people, 0 to 100. */
  share: DecimalText
  /** Decides with an id who is in that share. */
  seed: string
  /** Months of issue left out, 1 to 12. */
  monthsLeftOut: readonly number[]
  /** The first day of issue, YYYY-MM-DD. */
  activeFrom: string
}

/** Whether it goes by whole invoices. */
export function isOfInvoices({ verb }: Pick<RuleTerms, 'verb'>): boolean {
  return verb !== 'accept'
}
