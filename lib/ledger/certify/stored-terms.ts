/** Columns of `rule_version v`, as `RuleTerms` (lib/reconcile/certify/rule-terms.ts). */
export const TERMS = `v.verb, v.conditions, v.limits, trim_scale(v.share)::text as share, v.seed, v.months_left_out as "monthsLeftOut",
  v.active_from::text as "activeFrom"`
