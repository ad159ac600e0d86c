/** What an admin decides about the directory: which role a group gives, and which those in none. */
import type { Actor } from '#lib/audit/model.ts'
import type { Role } from '#lib/auth/permissions.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'
import { inChange } from './people.ts'
import { LastAdminError } from './refusal.ts'
import { type Change, settleAccess } from './settle-access.ts'

export type MappedGroup = { id: string; displayName: string; role: Role | null; members: number }

export type DirectoryRoles = {
  groups: MappedGroup[]
  /** Of people in no mapped group; null: they may not sign in. */
  defaultRole: Role | null
  /** People whom the directory manages, and those of them who may not sign in. */
  people: number
  withoutAccess: number
}

/** What the settings show. */
export function readDirectoryRoles(organizationId: OrganizationId): Promise<DirectoryRoles> {
  return withTenantSql(organizationId, async (sql) => {
    const groups = await sql<MappedGroup>(
      `select g.id, g.display_name as "displayName", g.role, count(m.user_id)::integer as members
       from directory_group g
       left join directory_member m on m.organization_id = g.organization_id and m.group_id = g.id
       where g.organization_id = $1 group by g.organization_id, g.id order by lower(g.display_name), g.id`,
      [organizationId],
    )
    const [counted] = await sql<Omit<DirectoryRoles, 'groups'>>(
      `select (select default_role from directory_setting where organization_id = $1) as "defaultRole",
              count(*)::integer as people,
              (count(*) filter (where u.disabled_at is not null))::integer as "withoutAccess"
       from directory_person p join app_user u on u.organization_id = p.organization_id and u.id = p.user_id
       where p.organization_id = $1 and p.removed_at is null`,
      [organizationId],
    )
    return { groups, defaultRole: null, people: 0, withoutAccess: 0, ...counted }
  })
}

/** `last-admin`: nothing has changed, as nobody would be left who can administrate. */
export type MappingEnd = 'done' | 'missing' | 'last-admin'

/** Gives a group's members a role, at once; null: the group gives none. */
export function setGroupRole(
  organizationId: OrganizationId,
  { group, role }: { group: string; role: Role | null },
  actor: Actor,
  now: Date,
): Promise<MappingEnd> {
  if (!isUuid(group)) return Promise.resolve('missing')
  return unlessLastAdmin({ organizationId, actor, now }, async (change) => {
    const { records, note } = change
    const where = { organizationId, id: group }
    const was = await records.directoryGroup.findFirst({ where, select: { displayName: true, role: true } })
    if (was === null) return 'missing'
    if (was.role === role) return 'done'
    await records.directoryGroup.updateMany({ where, data: { role } })
    note({
      action: 'directory.group-role',
      subject: { kind: 'directory-group', id: group, name: was.displayName },
      before: { role: was.role },
      after: { role },
    })
    const members = await records.directoryMember.findMany({
      where: { organizationId, groupId: group },
      select: { userId: true },
    })
    await settleAccess(
      change,
      members.map(({ userId }) => userId),
    )
    return 'done'
  })
}

/** Sets the role of managed people in no mapped group, at once; null: they may not sign in. */
export function setDefaultRole(
  organizationId: OrganizationId,
  role: Role | null,
  actor: Actor,
  now: Date,
): Promise<MappingEnd> {
  return unlessLastAdmin({ organizationId, actor, now }, async (change) => {
    const { records, sql, note } = change
    const was = await records.directorySetting.findFirst({ where: { organizationId }, select: { defaultRole: true } })
    if ((was?.defaultRole ?? null) === role) return 'done'
    await sql(
      `insert into directory_setting (organization_id, default_role) values ($1, $2)
       on conflict (organization_id) do update set default_role = $2`,
      [organizationId, role],
    )
    const subject = { kind: 'organization', id: organizationId }
    const before = { role: was?.defaultRole ?? null }
    note({ action: 'directory.default-role', subject, before, after: { role } })
    const managed = await records.directoryPerson.findMany({
      where: { organizationId, removedAt: null },
      select: { userId: true },
    })
    await settleAccess(
      change,
      managed.map(({ userId }) => userId),
    )
    return 'done'
  })
}

async function unlessLastAdmin(
  asked: { organizationId: OrganizationId; actor: Actor; now: Date },
  work: (change: Change) => Promise<MappingEnd>,
): Promise<MappingEnd> {
  try {
    return await inChange(asked, work)
  } catch (thrown) {
    if (thrown instanceof LastAdminError) return 'last-admin'
    throw thrown
  }
}
