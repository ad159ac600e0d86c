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
  'password.changed': 'changed the own password',
  'password.link-made': 'made a link that sets a new password',
  'password.link-mailed': 'mailed a link that sets a new password',
  'password.reset': 'set a new password by a link',
  'sessions.ended': 'ended sessions',
  'sessions.limits': 'set when sessions end by themselves',
  'sign-in.done': 'signed in',
  'sign-in.ended': 'signed out',
  'sign-in.refused': 'refused a wrong password',
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
