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
  'single-sign-on.provider': 'set the identity provider of single sign-on',
  'single-sign-on.mode': 'set who has to use single sign-on',
  'single-sign-on.signed-in': 'signed in by single sign-on',
  'single-sign-on.linked': 'was recognized by a verified address and linked to the identity provider',
  'single-sign-on.created': 'was added at the first sign-in by single sign-on',
  'single-sign-on.refused': 'refused a sign-in by single sign-on',
  'single-sign-on.role-changed': 'changed a role as the identity provider says',
  'single-sign-on.role-kept': 'kept the role of the last admin, against the identity provider',
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
