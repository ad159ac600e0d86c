/** Who signed what a pack is of. */
import type { DecimalText } from '#lib/reconcile/money.ts'

/** A sign-off of the scope, also one that has ended. Moments are ISO 8601 in UTC, to the second. */
export type PackSignature = {
  step: 'prepared' | 'approved'
  name: string
  role: string
  at: string
  /** In hex. */
  seal: string
  residuals: { currency: string; amount: DecimalText; reason: string; note: string | null }[]
  /** Why it no longer stands, and when; null while it does. */
  ended: { cause: string; at: string } | null
}
