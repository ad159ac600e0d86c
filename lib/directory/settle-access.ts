/**
 * Who may sign in and as what, from what the directory said: the highest role of a person's mapped
 * groups, else the organization's default, else none. Decided in the transaction that changes what
 * it follows from.
 */
import type { AuditEvent } from '#lib/audit/model.ts'
import { isSpareable } from '#lib/auth/people/last-admin.ts'
import { endAccess } from '#lib/auth/people/users.ts'
import { ROLES, type Role } from '#lib/auth/permissions.ts'
import type { Records } from '#lib/db/records.ts'
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { LastAdminError } from './refusal.ts'

/**
 * The transaction of a change, which holds the organization's lock. `note` adds an entry of the
 * audit, written at its end: the end of the chain is the last thing that it locks.
 */
export type Change = {
  records: Records
  sql: Sql
  organizationId: OrganizationId
  now: Date
  note: (event: Omit<AuditEvent, 'actor'>) => void
}

/** One change of an organization's directory at a time: the last admin is counted under it. */
export async function lockDirectory({ sql, organizationId }: Pick<Change, 'sql' | 'organizationId'>): Promise<void> {
  await sql('select from organization where id = $1 for no key update', [organizationId])
}

type Standing = {
  userId: string
  email: string
  role: Role
  isDisabled: boolean
  /** The directory ended their access, not an operator. */
  isEnded: boolean
  /** Whether the directory lets them in; their roles decide as which. */
  isWanted: boolean
  roles: (Role | null)[]
  defaultRole: Role | null
}

/**
 * Gives each person the role and access that follow from the directory now. Raises come first, so
 * that two admins can change places in one request. Who may sign in no more is out at once: their
 * sessions end in this transaction. Who may again has to sign in anew;
 * what an operator ended stays ended. People whom the directory does
 * not manage are left alone.
 * @throws LastAdminError, for the whole request, when nobody would be left who can administrate.
 */
export async function settleAccess(change: Change, userIds: string[]): Promise<void> {
  const standings = await readStandings(change, userIds)
  const wishes = standings.map((each) => ({ ...each, wish: toWish(each) }))
  const isRaise = ({ role, wish }: { role: Role; wish: Role | null }) =>
    wish !== null && ROLES.indexOf(wish) >= ROLES.indexOf(role)
  for (const each of wishes.filter(isRaise)) await settle(change, each)
  for (const each of wishes.filter((other) => !isRaise(other))) await settle(change, each)
}

/** The role in which somebody may sign in; null: they may not. */
function toWish({ isWanted, roles, defaultRole }: Standing): Role | null {
  if (!isWanted) return null
  const known = roles.filter((role) => role !== null)
  return ROLES.findLast((role) => known.includes(role)) ?? defaultRole
}

async function settle(change: Change, standing: Standing & { wish: Role | null }): Promise<void> {
  const { records, sql, organizationId, now, note } = change
  const { userId, email, role, isDisabled, isEnded, wish } = standing
  const after = { role: wish ?? role, isDisabled: wish === null || (isDisabled && !isEnded) }
  if (after.role === role && after.isDisabled === isDisabled) return
  const isLost = role === 'admin' && !isDisabled && (after.isDisabled || after.role !== 'admin')
  if (isLost && !(await isSpareable(sql, organizationId, userId))) throw new LastAdminError(email)
  const person = { organizationId, userId }
  const isAgain = !after.isDisabled && isDisabled
  await records.user.updateMany({
    where: { organizationId, id: userId },
    data: { role: after.role, ...(isAgain ? { disabledAt: null } : {}) },
  })
  if (after.isDisabled && !isDisabled) await endAccess(records, sql, person, now)
  if (after.isDisabled !== isDisabled)
    await records.directoryPerson.updateMany({ where: person, data: { isEnded: after.isDisabled } })
  note({
    action: 'directory.access',
    subject: { kind: 'person', id: userId, name: email },
    before: { role, maySignIn: !isDisabled },
    after: { role: after.role, maySignIn: !after.isDisabled },
  })
}

function readStandings({ sql, organizationId }: Change, userIds: string[]): Promise<Standing[]> {
  return sql<Standing>(
    `select u.id as "userId", u.email, u.role, u.disabled_at is not null as "isDisabled", p.is_ended as "isEnded",
            p.active and p.removed_at is null as "isWanted",
            (select array_agg(g.role) from directory_member m
             join directory_group g on g.organization_id = m.organization_id and g.id = m.group_id
             where m.organization_id = u.organization_id and m.user_id = u.id and g.role is not null) as roles,
            (select default_role from directory_setting where organization_id = u.organization_id) as "defaultRole"
     from app_user u join directory_person p on p.organization_id = u.organization_id and p.user_id = u.id
     where u.organization_id = $1 and u.id = any($2::uuid[]) order by u.email`,
    [organizationId, userIds],
  ).then((rows) => rows.map((row) => ({ ...row, roles: row.roles ?? [] })))
}
