/** Groups as a directory pushes them. Each write is one transaction. */
import type { Role } from '#lib/auth/permissions.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'
import { normalizeGroupPatch } from './normalize-patch.ts'
import { normalizeGroup } from './normalize-resource.ts'
import { type Asked, checkVersion, inChange, readPeople, takeOver } from './people.ts'
import { toVersion } from './person.ts'
import { Refusal } from './refusal.ts'
import { patchResource, readResource } from './scim-schemas.ts'
import { type Change, settleAccess } from './settle-access.ts'
import type { Json } from './spellings.ts'

export type Group = {
  id: string
  displayName: string
  externalId: string | null
  role: Role | null
  version: number
  createdAt: Date
  changedAt: Date
  members: { value: string; display: string }[]
}

/** A comparison that the database makes, as `eq`. */
export type GroupKey = { by: 'displayName' | 'externalId' | 'id'; value: string }

type GroupFacts = { displayName: string; externalId: string | null; members: string[] }

const SELECT = `select g.id, g.display_name as "displayName", g.external_id as "externalId", g.role, g.version,
    g.created_at as "createdAt", g.changed_at as "changedAt",
    coalesce((select jsonb_agg(jsonb_build_object('value', u.id, 'display', u.email) order by u.email)
              from directory_member m join app_user u on u.organization_id = m.organization_id and u.id = m.user_id
              where m.organization_id = g.organization_id and m.group_id = g.id), '[]') as members
  from directory_group g where g.organization_id = $1`

const CONDITIONS: Record<GroupKey['by'], string> = {
  displayName: 'lower(g.display_name) = lower($2)',
  externalId: 'g.external_id = $2',
  id: 'g.id::text = $2',
}

/** The organization's groups by name; those with this key. */
export function listGroups(organizationId: OrganizationId, key: GroupKey | null): Promise<Group[]> {
  const order = 'order by g.display_name, g.id'
  return withTenantSql(organizationId, (sql) =>
    key === null
      ? sql<Group>(`${SELECT} ${order}`, [organizationId])
      : sql<Group>(`${SELECT} and ${CONDITIONS[key.by]} ${order}`, [organizationId, key.value]),
  )
}

/** The group, or null: another organization's looks like one that never existed. */
export function findGroup(organizationId: OrganizationId, id: string): Promise<Group | null> {
  return isUuid(id) ? withTenantSql(organizationId, (sql) => readGroup(sql, organizationId, id)) : Promise.resolve(null)
}

async function readGroup(sql: Sql, organizationId: OrganizationId, id: string): Promise<Group | null> {
  const [found] = await sql<Group>(`${SELECT} and g.id = $2`, [organizationId, id])
  return found ?? null
}

/** A group as a resource. */
export function toGroupResource(group: Group, usersAddress: string): Json {
  const { id, displayName, externalId, members, version, createdAt, changedAt } = group
  return {
    id,
    displayName,
    ...(externalId === null ? {} : { externalId }),
    members: members.map((member) => ({ ...member, $ref: `${usersAddress}/${member.value}`, type: 'User' })),
    meta: { created: createdAt, lastModified: changedAt, version: toVersion(version) },
  }
}

/** Makes a group, which gives no role until an admin says which. */
export async function createGroup(asked: Asked, body: Json): Promise<Group> {
  const facts = toFacts(readResource('Group', normalizeGroup(body)))
  return inChange(asked, async (change) => {
    const { records, organizationId, now, note } = change
    const { displayName, externalId } = facts
    const { id } = await records.directoryGroup.create({
      data: { organizationId, displayName, externalId, createdAt: now, changedAt: now },
      select: { id: true },
    })
    const subject = { kind: 'directory-group', id, name: displayName }
    note({
      action: 'directory.group-made',
      subject,
      after: { members: facts.members.length },
    })
    await changeMembers(change, id, [], facts.members)
    return requireGroup(change, id)
  })
}

/** Replaces name and members (PUT). */
export function replaceGroup(asked: Asked, id: string, body: Json): Promise<Group> {
  return changeGroup(asked, id, async () => readResource('Group', normalizeGroup(body)))
}

/** Changes name or members (PATCH). */
export function patchGroup(asked: Asked, id: string, body: Json): Promise<Group> {
  return changeGroup(asked, id, async (group) => {
    const { id: groupId, displayName, externalId, members } = group
    const current = {
      id: groupId,
      displayName,
      ...(externalId === null ? {} : { externalId }),
      members: members.map(({ value }) => ({ value })),
    }
    const message = normalizeGroupPatch(body)
    return message === null ? current : patchResource('Group', current, message)
  })
}

/** Removes a group; its members lose the role it gave. */
export async function removeGroup(asked: Asked, id: string): Promise<void> {
  await inChange(asked, async (change) => {
    const { records, organizationId, note } = change
    const group = await requireGroup(change, id)
    checkVersion(asked, group.version)
    await records.directoryGroup.deleteMany({ where: { organizationId, id } })
    const subject = { kind: 'directory-group', id, name: group.displayName }
    note({ action: 'directory.group-removed', subject })
    await settleAccess(
      change,
      group.members.map(({ value }) => value),
    )
  })
}

async function requireGroup({ sql, organizationId }: Change, id: string): Promise<Group> {
  const group = isUuid(id) ? await readGroup(sql, organizationId, id) : null
  if (group === null) throw new Refusal(404, 'There is no such group.')
  return group
}

function changeGroup(asked: Asked, id: string, toAfter: (before: Group) => Promise<Json>): Promise<Group> {
  return inChange(asked, async (change) => {
    const { records, organizationId, now, note } = change
    const before = await requireGroup(change, id)
    checkVersion(asked, before.version)
    const facts = toFacts(await toAfter(before))
    const ids = before.members.map(({ value }) => value)
    const [joined, left] = [subtract(facts.members, ids), subtract(ids, facts.members)]
    const isRenamed = facts.displayName !== before.displayName || facts.externalId !== before.externalId
    if (!isRenamed && joined.length === 0 && left.length === 0) return before
    const { displayName, externalId } = facts
    await records.directoryGroup.updateMany({
      where: { organizationId, id },
      data: { displayName, externalId, version: { increment: 1 }, changedAt: now },
    })
    note({
      action: 'directory.group-changed',
      subject: { kind: 'directory-group', id, name: before.displayName },
      before: { name: before.displayName, members: ids.length },
      after: { name: facts.displayName, members: facts.members.length, joined: joined.length, left: left.length },
    })
    await changeMembers(change, id, left, joined)
    return requireGroup(change, id)
  })
}

function subtract(all: string[], without: string[]): string[] {
  const gone = new Set(without)
  return all.filter((each) => !gone.has(each))
}

function toFacts({ displayName, externalId, members }: Json): GroupFacts {
  const list = (members ?? []) as { value?: unknown; type?: unknown }[]
  if (list.some(({ type }) => type === 'Group'))
    throw new Refusal(400, 'A group has people as its members, no groups.', 'invalidValue')
  return {
    displayName: String(displayName).slice(0, 200),
    externalId: typeof externalId === 'string' ? externalId.slice(0, 500) : null,
    members: [...new Set(list.map(({ value }) => String(value)))],
  }
}

/**
 * Who leaves and who joins. Somebody who was made by hand is the directory's from now on.
 * @throws Refusal (400) for a member who is no person of the organization.
 */
async function changeMembers(change: Change, groupId: string, left: string[], joined: string[]): Promise<void> {
  const { sql, organizationId } = change
  const people = await readPeople(sql, organizationId, joined)
  if (people.length < joined.length) throw new Refusal(400, 'A member is no user of this organization.', 'invalidValue')
  for (const person of people) if (!person.isManaged) await takeOver(change, person)
  await sql('delete from directory_member where organization_id = $1 and group_id = $2 and user_id = any($3::uuid[])', [
    organizationId,
    groupId,
    left,
  ])
  await sql(`insert into directory_member (organization_id, group_id, user_id) select $1, $2, unnest($3::uuid[])`, [
    organizationId,
    groupId,
    joined,
  ])
  await settleAccess(change, [...left, ...joined])
}
