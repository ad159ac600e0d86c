/**
 * Invitations to an organization (docs/decisions/030-people.md). A link holds a random secret, of
 * which only the hash is stored; it works once, for seven days, and until another link is made or
 * the invitation is withdrawn.
 */

import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type InvitationKey, makeInvitationKey } from '#lib/auth/links/invitation-links.ts'
import { hashSecret } from '#lib/connections/secret-hash.ts'
import { type Sql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'
import type { Invitation } from '../model.ts'
import { hashPassword, judgePassword, type PasswordProblem } from '../passwords/password.ts'
import type { Role } from '../permissions.ts'
import { insertUser, toStoredEmail } from './users.ts'

const LIFETIME_MS = 7 * 86_400_000

const KEY = /^(?<organizationId>[0-9a-f-]{36})\.(?<secret>[\w-]{43})$/

/** The organization's invitations that nobody has used, by address; expired ones too. */
export async function listInvitations(organizationId: OrganizationId): Promise<Invitation[]> {
  const rows = await withTenant(organizationId, (records) =>
    records.invitation.findMany({
      where: { organizationId },
      omit: { organizationId: true, secretHash: true, mailLeaseUntil: true },
      orderBy: { email: 'asc' },
    }),
  )
  // the table's check constraint allows the same roles
  return rows.map(({ role, ...row }) => ({ ...row, role: role as Role }))
}

/**
 * Invites an address, or again with another link, role and name: the old link no longer works.
 * `member`: it is a user of this organization. Whether it is one of another is not looked up here,
 * and cannot be learned from the answer. With `byMail` the worker makes the link that works, and
 * mails it; the key here opens nothing then.
 */
export function invite(
  organizationId: OrganizationId,
  invited: { email: string; name: string; role: Role; byMail?: boolean },
  actor: Actor,
  now: Date,
): Promise<{ kind: 'made'; id: string; key: InvitationKey } | { kind: 'member' }> {
  const email = toStoredEmail(invited.email)
  return withTenant(organizationId, async (records, sql) => {
    const member = await records.user.findFirst({ where: { organizationId, email }, select: { id: true } })
    if (member !== null) return { kind: 'member' }
    const { key, secretHash } = makeInvitationKey(organizationId)
    const [made] = await sql<{ id: string }>(
      `insert into invitation (organization_id, email, name, role, secret_hash, invited_by_name, created_at, expires_at, mail_wanted_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (organization_id, email) do update
       set name = excluded.name, role = excluded.role, secret_hash = excluded.secret_hash,
           invited_by_name = excluded.invited_by_name, created_at = excluded.created_at, expires_at = excluded.expires_at,
           mail_wanted_at = excluded.mail_wanted_at, mailed_at = null
       returning id`,
      [
        organizationId,
        email,
        invited.name,
        invited.role,
        secretHash,
        actor.name,
        now,
        new Date(now.getTime() + LIFETIME_MS),
        invited.byMail ? now : null,
      ],
    )
    if (invited.byMail) await wakeWorker(sql)
    const id = made?.id ?? ''
    const { role, name } = invited
    await recordAudit(sql, organizationId, {
      actor,
      action: 'people.invite',
      subject: { kind: 'invitation', id, name: email },
      after: { role, name },
    })
    return { kind: 'made', id, key }
  })
}

/** Makes another link, which works for seven days; the old one no longer does. Null: no such. */
export async function renewInvitation(
  organizationId: OrganizationId,
  id: string,
  actor: Actor,
  now: Date,
  { byMail = false } = {},
): Promise<InvitationKey | null> {
  if (!isUuid(id)) return null
  return withTenant(organizationId, async (records, sql) => {
    const { key, secretHash } = makeInvitationKey(organizationId)
    const [renewed] = await records.invitation.updateManyAndReturn({
      where: { organizationId, id },
      data: {
        secretHash,
        invitedByName: actor.name,
        createdAt: now,
        expiresAt: new Date(now.getTime() + LIFETIME_MS),
        mailWantedAt: byMail ? now : null,
        mailedAt: null,
      },
      select: { email: true, role: true, name: true },
    })
    if (renewed === undefined) return null
    if (byMail) await wakeWorker(sql)
    const { email, ...after } = renewed
    const subject = { kind: 'invitation', id, name: email }
    await recordAudit(sql, organizationId, { actor, action: 'people.invite', subject, after })
    return key
  })
}

async function wakeWorker(sql: Sql): Promise<void> {
  await wakeWorkers(sql)
}

/** Ends an invitation: its link no longer works. False: the organization has no such. */
export async function withdrawInvitation(organizationId: OrganizationId, id: string, actor: Actor): Promise<boolean> {
  if (!isUuid(id)) return false
  return withTenantSql(organizationId, async (sql) => {
    const [gone] = await sql<{ email: string; role: Role }>(
      'delete from invitation where organization_id = $1 and id = $2 returning email, role',
      [organizationId, id],
    )
    if (gone === undefined) return false
    const subject = { kind: 'invitation', id, name: gone.email }
    await recordAudit(sql, organizationId, {
      actor,
      action: 'people.withdraw',
      subject,
      before: { role: gone.role },
    })
    return true
  })
}

/** The id of the invitation that the key opens now, or null. */
export async function findInvitation(key: InvitationKey, now: Date): Promise<string | null> {
  const parsed = parseKey(key)
  if (parsed === null) return null
  const found = await withTenantSql(parsed.organizationId, (sql) => readInvitation(sql, parsed, now, ''))
  return found?.id ?? null
}

/**
 * Makes the invited person a user, once; signs nobody in. With nothing changed: what is wrong with
 * the password; or `unusable`, for a key that opens nothing and for an address that is taken in any
 * organization: whoever invited learns no more than that the link does not work.
 */
export async function acceptInvitation(
  key: InvitationKey,
  chosen: { name: string; password: string },
  network: string,
  now: Date,
): Promise<'joined' | 'unusable' | PasswordProblem> {
  const parsed = parseKey(key)
  if (parsed === null) return 'unusable'
  const open = await withTenantSql(parsed.organizationId, (sql) => readInvitation(sql, parsed, now, ''))
  // only the holder of a link makes us look at a password, which takes a core for a while
  if (open === null) return 'unusable'
  const problem = await judgePassword(chosen.password, { email: open.email, name: chosen.name })
  if (problem !== null) return problem
  const passwordHash = await hashPassword(chosen.password)
  const { organizationId } = parsed
  return withTenant(organizationId, async (records, sql) => {
    // two who use the link at once take turns
    const invitation = await readInvitation(sql, parsed, now, 'for update')
    if (invitation === null) return 'unusable'
    const { email, role } = invitation
    const user = await insertUser(records, organizationId, { email, role, name: chosen.name, passwordHash }, now)
    if (user === null) return 'unusable'
    await recordAudit(sql, organizationId, {
      actor: { kind: 'person', userId: user.id, name: email, network },
      action: 'people.join',
      subject: { kind: 'person', id: user.id, name: email },
      after: { role, name: chosen.name },
    })
    return 'joined'
  })
}

type ParsedKey = { organizationId: OrganizationId; secret: string }

function parseKey(key: InvitationKey): ParsedKey | null {
  const { organizationId = '', secret = '' } = KEY.exec(key)?.groups ?? {}
  return isUuid(organizationId) ? { organizationId, secret } : null
}

async function readInvitation(
  sql: Sql,
  { organizationId, secret }: ParsedKey,
  now: Date,
  lock: '' | 'for update',
): Promise<{ id: string; email: string; role: Role } | null> {
  const [found] = await sql<{ id: string; email: string; role: Role }>(
    `select id, email, role from invitation
     where organization_id = $1 and secret_hash = $2 and expires_at > $3 ${lock}`,
    [organizationId, hashSecret(secret), now],
  )
  return found ?? null
}
