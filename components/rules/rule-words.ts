import type { ChosenCondition, RuleVerb } from '#lib/reconcile/certify/rule-terms.ts'

export const VERB_WORDS: Record<RuleVerb, string> = {
  accept: 'Accept lines',
  prepare: 'Accept lines and prepare invoices',
  approve: 'Accept lines and approve what somebody prepared',
}

/**
 * What a rule may ask besides that a line adds up, or that an accepted way of rounding explains it.
 */
export const CONDITION_LABELS: Record<ChosenCondition, string> = {
  complete: 'The invoice is complete',
  residual: 'Lines come to what the invoice states',
  vendor: 'The vendor is not new',
  regime: 'The tax regime is not new',
}

/** Why a rule has not signed an invoice, after “because”. */
export const REFUSED_WORDS: Partial<Record<string, string>> = {
  fallen: 'a line has changed since it was accepted',
  'four-eyes': 'its owner prepared it: somebody else approves it',
  'no-step-before': 'nobody has prepared it',
  'residual-needed': 'something in it is undecided',
  'period-locked': 'its month is locked',
  'sync-running': 'a sync was under way',
  'rule-may-not-approve': 'no rule may approve any more',
}

/** What the page says after a form. */
export const RULE_NOTICES: Record<string, string> = {
  made: 'Kept, and off. Try it on the past before you turn it on.',
  tried: 'The rule is being tried on the past. The figures come in a moment: reload the page.',
  on: 'The rule is on. It acts after the next sync of each account, and now on what was read last.',
  off: 'The rule is off.',
  approving: 'Saved.',
}

export const RULE_ERRORS: Record<string, string> = {
  name: 'Give the rule a name. Nothing was kept.',
  limits: 'Write a limit as currency and amount, such as EUR 500, JPY 1. Nothing was changed.',
  share: 'The share is a percentage from 0 to 100. Nothing was changed.',
  months: 'Write months by their numbers, such as 3, 12. Nothing was changed.',
  changed: 'Somebody changed this rule after you opened the page. Nothing was changed.',
  gone: 'There is no such rule. Nothing was changed.',
}
