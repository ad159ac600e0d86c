/** What the audit knows (docs/decisions/029-audit.md). Pure, so that pages may have it. */
import type { OrganizationId, UserId } from '#lib/ids.ts'

/** Who did it. `network` is where the request came from; null when there was none. */
export type Actor =
  | { kind: 'person'; userId: UserId; name: string; network: string | null }
  /** A process of ours, by its name. */
  | { kind: 'program'; name: 'web' | 'worker' }
  /** Whoever may run commands on the server. */
  | { kind: 'operator'; name: string }
  /** A company directory that provisions people. */
  | { kind: 'directory'; name: string; network: string | null }

/** The worker, which decides by itself what becomes of a connection. */
export const WORKER: Actor = { kind: 'program', name: 'worker' }

/** The user's id for tables that name who did it; null unless a person did. */
export function userIdOf(actor: Actor): UserId | null {
  return actor.kind === 'person' ? actor.userId : null
}

/** Each action and its words, which follow the name of who did it. */
export const AUDIT_ACTIONS = {
  'attachment.added': 'attached a file to a comment',
  'attachment.removed': 'removed a file of a comment of their own',
  'audit.export-ended': 'exported the audit',
  'audit.export-started': 'began to export the audit',
  'audit.verified': 'had the chain of the audit verified',
  'checks.fiscal-year': 'set the month with which the fiscal year begins',
  'checks.habit': 'decided about an issuer’s way of rounding',
  'checks.set': 'set what becomes of a check',
  'close.approved': 'approved a sign-off',
  'close.exception-ended': 'ended an exception from a lock',
  'close.exception-granted': 'let a person decide in a locked month',
  'close.locked': 'locked a month',
  'close.prepared': 'prepared a sign-off',
  'close.reopened': 'opened a locked month again',
  'close.withdrawn': 'withdrew a sign-off of their own',
  'connection.candidate-expired': 'destroyed the access to another account that nobody kept',
  'connection.connect-refused': 'did not connect an account',
  'connection.connect-started': 'began to connect an account',
  'connection.connected': 'connected an account',
  'connection.data-deleted': 'deleted an account’s data',
  'connection.disconnect-requested': 'disconnected an account',
  'connection.disconnected': 'finished disconnecting an account',
  'connection.link-ended': 'ended the link to the platform and destroyed its tokens',
  'connection.lost': 'marked an account as to be reconnected',
  'connection.not-confirmed': 'could not tell whose account was reconnected',
  'connection.other-account-discarded': 'discarded another account that a reconnect led to',
  'connection.other-account-found': 'found that a reconnect led to another account',
  'connection.other-account-kept': 'kept another account as a new connection',
  'connection.reconnect-consented': 'gave access again to reconnect an account',
  'connection.reconnected': 'reconnected an account',
  'connection.recovered': 'found the link to an account alive again',
  'connection.schedule': 'set how often an account is read',
  'connection.scim-checked': 'asked for a check of SCIM discovery',
  'connection.scim-key-removed': 'removed the SCIM API key',
  'connection.scim-key-stored': 'stored a SCIM API key',
  'comment.added': 'wrote a comment',
  'comment.edited': 'edited a comment of their own',
  'document.downloaded': 'downloaded an invoice’s original document',
  'figures.repaired': 'made the kept figures of an account anew',
  'export.ended': 'exported a file',
  'export.started': 'began to export a file',
  'loss.accepted': 'accepted the removal of lines',
  'loss.refused': 'kept lines that the platform no longer has',
  'loss.taken-back': 'took back the removal of lines',
  'review.accepted': 'accepted lines',
  'review.disputed': 'disputed lines',
  'review.settled': 'settled a dispute',
  'review.undone': 'took back a decision about lines',
  'review.withdrawn': 'opened lines again',
  'review.stopped': 'stopped a decision about lines',
  'review.letter-sent': 'marked a letter about disputed lines as sent',
  'review.letter-withdrawn': 'took back that a letter was sent',
  'review.reason-added': 'added a reason for decisions about lines',
  'review.reason-renamed': 'gave a reason for decisions about lines other words',
  'review.reason-retired': 'retired a reason for decisions about lines',
  'review.reason-restored': 'brought back a reason for decisions about lines',
  'review.reason-moved': 'changed the order of the reasons for decisions about lines',
  'rule.approving-allowed': 'said whether certification rules may approve',
  'rule.made': 'made a certification rule',
  'rule.changed': 'made another version of a certification rule',
  'rule.tried': 'had a certification rule tried on the past',
  'rule.turned-on': 'turned on a certification rule',
  'rule.turned-off': 'turned off a certification rule',
  'sync.canceled': 'ended a sync',
  'sync.paused': 'paused a sync',
  'sync.rejected-read-again': 'had the import of records tried again',
  'sync.resumed': 'continued a sync',
  'sync.started': 'started a sync',
  'sync.verification-started': 'ran a full check',
  'connection.name': 'named an account',
  'organization.create': 'made the organization',
  'organization.four-eyes': 'said whether two people have to sign',
  'organization.formats': 'set how figures, days and times are written at first',
  'organization.name': 'named the organization',
  'organization.names': 'said whether names that look alike count as one',
  'pack.asked': 'asked for an evidence pack',
  'pack.downloaded': 'downloaded an evidence pack',
  'pack.link-made': 'made a link to an evidence pack',
  'pack.link-opened': 'gave an evidence pack to whoever has a link to it',
  'pack.link-withdrawn': 'withdrew a link to an evidence pack',
  'pack.made': 'made an evidence pack',
  'people.add': 'added a person',
  'people.deactivate': 'deactivated a person',
  'people.digest': 'chose how often they get their digest by mail',
  'people.formats': 'chose how figures, days and times are written for them',
  'people.invitation-mailed': 'mailed an invitation link',
  'people.invite': 'invited a person',
  'people.join': 'accepted an invitation',
  'people.name': 'changed a person’s name',
  'people.password': 'set a person’s password',
  'people.reactivate': 'reactivated a person',
  'people.remove': 'removed a person',
  'people.role': 'gave a person another role',
  'people.sign-out': 'signed a person out everywhere',
  'people.withdraw': 'withdrew an invitation',
  'password.changed': 'changed the own password',
  'password.link-made': 'made a link that sets a new password',
  'password.link-mailed': 'mailed a link that sets a new password',
  'password.reset': 'set a new password by a link',
  'sessions.ended': 'ended sessions',
  'sessions.limits': 'set when sessions end by themselves',
  'sign-in.done': 'signed in',
  'sign-in.ended': 'signed out',
  'sign-in.refused': 'refused a wrong password',
  'single-sign-on.provider': 'set the identity provider of single sign-on',
  'single-sign-on.mode': 'set who has to use single sign-on',
  'single-sign-on.signed-in': 'signed in by single sign-on',
  'single-sign-on.linked': 'was recognized by a verified address and linked to the identity provider',
  'single-sign-on.created': 'was added at the first sign-in by single sign-on',
  'single-sign-on.refused': 'refused a sign-in by single sign-on',
  'single-sign-on.role-changed': 'changed a role as the identity provider says',
  'single-sign-on.role-kept': 'kept the role of the last admin, against the identity provider',
  'review.assigned': 'gave something to a person',
  'review.unassigned': 'ended that a person had something',
  'second-step.enable': 'turned on a second step of signing in',
  'second-step.disable': 'turned off the second step of signing in',
  'second-step.renew-codes': 'made new recovery codes',
  'second-step.use-code': 'signed in with a recovery code',
  'second-step.reset': 'removed somebody’s second step and passkeys',
  'second-step.require': 'set whether everybody needs a second step',
  'passkey.add': 'added a passkey',
  'passkey.remove': 'removed a passkey',
  'view.removed': 'deleted a view of everybody',
  'view.renamed': 'gave a view of everybody another name',
  'view.saved': 'changed a view of everybody',
  'view.shared': 'saved a view for everybody',
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

export type AuditAction = keyof typeof AUDIT_ACTIONS

/** What it was done to: a kind, its id where it has one, and its name as people know it. */
export type AuditSubject = { kind: string; id?: string | null; name?: string | null }

export type AuditEvent = {
  actor: Actor
  action: AuditAction
  subject?: AuditSubject
  /** What it was and what it became, without secrets; left out where there is nothing to say. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** One entry as it is stored and hashed, with `at` in UTC to the microsecond. */
export type AuditEntry = {
  organizationId: OrganizationId
  number: string
  at: string
  actorKind: Actor['kind']
  actorId: UserId | null
  actorName: string
  network: string | null
  action: string
  subjectKind: string | null
  subjectId: string | null
  subjectName: string | null
  before: string | null
  after: string | null
  /** Hexadecimal. */
  previousHash: string
  hash: string
}

/**
 * What a verification of the chain found, as its entry tells it: which entries hold, or the first
 * one that does not.
 */
export type Verification = {
  by: string
  /** ISO 8601. */
  at: string
  outcome: { holds: true; from: number; to: number } | { holds: false; entry: number; problem: string }
}

/** The words of an action; of one that an older or newer program wrote, its name. */
export function toActionWords(action: string): string {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction] : action
}
