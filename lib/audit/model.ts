/** What the audit knows (docs/decisions/029-audit.md). Pure, so that pages may have it. */
import type { UserId } from '#lib/ids.ts'

/** Who did it. `network` is where the request came from; null when there was none. */
export type Actor =
  | { kind: 'person'; userId: UserId; name: string; network: string | null }
  /** A process of ours, by its name. */
  | { kind: 'program'; name: 'web' | 'worker' }
  /** Whoever may run commands on the server. */
  | { kind: 'operator'; name: string }
  /** A company directory that provisions people. */
  | { kind: 'directory'; name: string; network: string | null }

/** Each action and its words, which follow the name of who did it. */
const AUDIT_ACTIONS = {
  'checks.fiscal-year': 'set the month with which the fiscal year begins',
  'second-step.enable': 'turned on a second step of signing in',
  'second-step.disable': 'turned off the second step of signing in',
  'second-step.renew-codes': 'made new recovery codes',
  'second-step.use-code': 'signed in with a recovery code',
  'second-step.reset': 'removed somebody’s second step and passkeys',
  'second-step.require': 'set whether everybody needs a second step',
  'passkey.add': 'added a passkey',
  'passkey.remove': 'removed a passkey',
} as const satisfies Record<`${string}.${string}`, string>

type AuditAction = keyof typeof AUDIT_ACTIONS

/** What it was done to: a kind, its id where it has one, and its name as people know it. */
type AuditSubject = { kind: string; id?: string | null; name?: string | null }

export type AuditEvent = {
  actor: Actor
  action: AuditAction
  subject?: AuditSubject
  /** What it was and what it became, without secrets; left out where there is nothing to say. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}
