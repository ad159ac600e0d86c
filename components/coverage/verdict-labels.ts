import type { Verdict } from '#lib/reconcile/completeness.ts'

export const VERDICT_LABELS: Record<Verdict, string> = {
  lines_missing: 'Lines missing',
  differs: 'Differs',
  explained: 'Difference explained',
  not_provided: 'Not provided',
  complete: 'Complete',
}
