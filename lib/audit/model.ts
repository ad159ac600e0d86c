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
  'directory.token-made': 'made a token for the directory',
  'directory.token-revoked': 'revoked a token of the directory',
  'directory.default-role': 'set the role of people in no mapped group',
  'directory.group-role': 'set the role of a directory’s group',
  'directory.group-made': 'made a group',
  'directory.group-changed': 'changed a group',
  'directory.group-removed': 'removed a group',
  'directory.person-made': 'made a person',
  'directory.person-taken': 'took over a person made by hand',
  'directory.person-changed': 'changed a person',
  'directory.person-removed': 'removed a person',
  'directory.access': 'changed the role or access of a person',
  'directory.refused': 'was refused a change that would take away the last admin',
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
