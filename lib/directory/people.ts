/** People as a directory provisions them (RFC 7644, 3). Each write is one transaction. */
import type { Actor, AuditEvent } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'
import { normalizeUserPatch } from './normalize-patch.ts'
import { normalizeUser } from './normalize-resource.ts'
import { type Person, type PersonFacts, toFacts, toUserResource, toVersion } from './person.ts'
import { Refusal } from './refusal.ts'
import { patchResource, readResource } from './scim-schemas.ts'
import { type Change, lockDirectory, settleAccess } from './settle-access.ts'
import type { Json } from './spellings.ts'

/** Who asks for a change, and when. `ifMatch`: the version that the directory has seen. */
export type Asked = { organizationId: OrganizationId; actor: Actor; now: Date; ifMatch: string | null }

/** A comparison that the database makes: of one attribute, as `eq`. */
export type PersonKey = { by: 'userName' | 'externalId' | 'id'; value: string }

const COLUMNS = `u.id, u.email, u.name, u.role, u.disabled_at is not null as "isDisabled", p.user_id is not null as "isManaged",
  p.external_id as "externalId", coalesce(p.active, u.disabled_at is null) as active,
  coalesce(p.attributes, jsonb_build_object('displayName', u.name)) as attributes,
  coalesce(p.version, 0) as version, coalesce(p.created_at, u.created_at) as "createdAt",
  coalesce(p.changed_at, u.created_at) as "changedAt"`
const FROM = `from app_user u left join directory_person p on p.organization_id = u.organization_id and p.user_id = u.id
  where u.organization_id = $1 and p.removed_at is null and u.removed_at is null`

const CONDITIONS: Record<PersonKey['by'], string> = {
  userName: 'u.email = lower(trim($2))',
  externalId: 'p.external_id = $2',
  id: 'u.id::text = $2',
}

/** The people whom the directory has not removed, by address; with a key, those it names. */
export function listPeople(organizationId: OrganizationId, key: PersonKey | null): Promise<Person[]> {
  return withTenantSql(organizationId, (sql) =>
    key === null
      ? sql<Person>(`select ${COLUMNS} ${FROM} order by u.email`, [organizationId])
      : sql<Person>(`select ${COLUMNS} ${FROM} and ${CONDITIONS[key.by]} order by u.email`, [
          organizationId,
          key.value,
        ]),
  )
}

/** The person, or null: another organization's looks like one that never existed. */
export function findPerson(organizationId: OrganizationId, id: string): Promise<Person | null> {
  return isUuid(id)
    ? withTenantSql(organizationId, (sql) => readPerson(sql, organizationId, id))
    : Promise.resolve(null)
}

async function readPerson(sql: Sql, organizationId: OrganizationId, id: string): Promise<Person | null> {
  const [found] = await readPeople(sql, organizationId, [id])
  return found ?? null
}

/** The organization's people among these ids; a text that is no id is nobody's. */
export function readPeople(sql: Sql, organizationId: OrganizationId, ids: string[]): Promise<Person[]> {
  return sql<Person>(`select ${COLUMNS} ${FROM} and u.id = any($2::uuid[])`, [organizationId, ids.filter(isUuid)])
}

/**
 * Makes a person without a password: they sign in by single sign-on or by a link to choose one. One
 * whom the directory removed comes back as the same account.
 * @throws Refusal `uniqueness` (409) when somebody has the address, here or elsewhere.
 */
export async function createPerson(asked: Asked, body: Json): Promise<Person> {
  const facts = toFacts(readResource('User', normalizeUser(body)), true)
  return inChange(asked, async (change) => {
    const { note } = change
    const userId = (await reviveRemoved(change, facts)) ?? (await insertUser(change, facts))
    await insertFacts(change, userId, facts, true)
    const subject = { kind: 'person', id: userId, name: facts.email }
    note({ action: 'directory.person-made', subject, after: toAudited(facts) })
    await settleAccess(change, [userId])
    return requirePerson(change, userId)
  })
}

/** Replaces all that the directory says of a person (PUT). */
export function replacePerson(asked: Asked, id: string, body: Json): Promise<Person> {
  return changePerson(asked, id, async () => readResource('User', normalizeUser(body)))
}

/** Changes some of it (PATCH). */
export function patchPerson(asked: Asked, id: string, body: Json): Promise<Person> {
  return changePerson(asked, id, async (person) => {
    const current = toUserResource(person)
    const message = normalizeUserPatch(body, current)
    if (message === null) return current
    const patched = await patchResource('User', current, message)
    if (patched.active === undefined)
      throw new Refusal(400, 'active cannot be removed. Replace it with false.', 'invalidValue')
    return patched
  })
}

/** Removes a person from the directory's sight (DELETE) and ends their access at once. */
export async function removePerson(asked: Asked, id: string): Promise<void> {
  await inChange(asked, async (change) => {
    const { records, organizationId, now, note } = change
    const person = await requirePerson(change, id)
    checkVersion(asked, person.version)
    if (!person.isManaged) await takeOver(change, person)
    await records.directoryMember.deleteMany({ where: { organizationId, userId: id } })
    await records.directoryPerson.updateMany({
      where: { organizationId, userId: id },
      data: { removedAt: now, active: false, version: { increment: 1 }, changedAt: now },
    })
    const subject = { kind: 'person', id, name: person.email }
    note({ action: 'directory.person-removed', subject })
    await settleAccess(change, [id])
  })
}

/** A transaction that holds the directory's lock, and ends with its audit. */
export function inChange<T>(
  { organizationId, actor, now }: Omit<Asked, 'ifMatch'>,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return withTenant(organizationId, async (records, sql) => {
    const events: AuditEvent[] = []
    const note: Change['note'] = (event) => events.push({ ...event, actor })
    const change = { records, sql, organizationId, now, note }
    await lockDirectory(change)
    const result = await work(change)
    for (const event of events) await recordAudit(sql, organizationId, event)
    return result
  })
}

/** @throws Refusal (412) when the directory has seen an older version (RFC 7644, 3.14). */
export function checkVersion({ ifMatch }: Pick<Asked, 'ifMatch'>, version: number): void {
  if (ifMatch !== null && ifMatch !== '*' && !ifMatch.split(',').some((each) => each.trim() === toVersion(version)))
    throw new Refusal(412, 'The resource has changed since it was read.')
}

async function requirePerson({ sql, organizationId }: Change, id: string): Promise<Person> {
  const person = isUuid(id) ? await readPerson(sql, organizationId, id) : null
  if (person === null) throw new Refusal(404, 'There is no such user.')
  return person
}

function changePerson(asked: Asked, id: string, toAfter: (before: Person) => Promise<Json>): Promise<Person> {
  return inChange(asked, async (change) => {
    const { note } = change
    const before = await requirePerson(change, id)
    checkVersion(asked, before.version)
    const facts = toFacts(await toAfter(before), before.active)
    if (before.isManaged && isSame(before, facts)) return before
    if (!before.isManaged) await takeOver(change, before)
    await updateUser(change, id, facts)
    await insertFacts(change, id, facts, false)
    const subject = { kind: 'person', id, name: before.email }
    note({
      action: 'directory.person-changed',
      subject,
      before: toAudited(before),
      after: toAudited(facts),
    })
    await settleAccess(change, [id])
    return requirePerson(change, id)
  })
}

function toAudited({ email, name, active }: PersonFacts): Json {
  return { email, name, active }
}

function isSame(before: Person, facts: PersonFacts): boolean {
  const toText = ({ email, name, externalId, active, attributes }: PersonFacts) =>
    JSON.stringify([email, name, externalId, active, sortKeys(attributes)])
  return toText(before) === toText(facts)
}

/** jsonb keeps no order of keys. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sortKeys(each)]),
  )
}

/** The directory speaks of a person made by hand: from now on it manages them. */
export async function takeOver(change: Change, person: Person): Promise<void> {
  const { sql, organizationId, now, note } = change
  await sql(
    `insert into directory_person (organization_id, user_id, active, is_ended, attributes, created_at, changed_at)
     values ($1, $2, $3, not $3, $4, $5, $6)`,
    [organizationId, person.id, person.active, JSON.stringify(person.attributes), person.createdAt, now],
  )
  const subject = { kind: 'person', id: person.id, name: person.email }
  note({ action: 'directory.person-taken', subject })
}

/** The account of a removed person with this address, or null. */
async function reviveRemoved(change: Change, facts: PersonFacts): Promise<string | null> {
  const [removed] = await change.sql<{ id: string }>(
    `select u.id from app_user u join directory_person p on p.organization_id = u.organization_id and p.user_id = u.id
     where u.organization_id = $1 and u.email = $2 and p.removed_at is not null`,
    [change.organizationId, facts.email],
  )
  if (removed === undefined) return null
  await updateUser(change, removed.id, facts)
  return removed.id
}

/** Least role and disabled, until what the directory says is settled. */
async function insertUser({ records, organizationId, now }: Change, { email, name }: PersonFacts): Promise<string> {
  const [made] = await records.user.createManyAndReturn({
    data: { organizationId, email, name, role: 'viewer', createdAt: now, disabledAt: now },
    skipDuplicates: true,
    select: { id: true },
  })
  if (made === undefined) throw toTaken(email)
  return made.id
}

async function updateUser({ sql, organizationId }: Change, id: string, facts: PersonFacts): Promise<void> {
  // in SQL, whose error is the database's own here; that of records is so where they end
  await sql('update app_user set email = $3, name = $4 where organization_id = $1 and id = $2', [
    organizationId,
    id,
    facts.email,
    facts.name,
  ]).catch((thrown) => {
    throw (thrown as { code?: string }).code === '23505' ? toTaken(facts.email) : thrown
  })
}

function toTaken(email: string): Refusal {
  return new Refusal(409, `${email} belongs to another user.`, 'uniqueness')
}

async function insertFacts(
  { sql, organizationId, now }: Change,
  id: string,
  { externalId, active, attributes }: PersonFacts,
  isEnded: boolean,
): Promise<void> {
  await sql(
    `insert into directory_person as p (organization_id, user_id, external_id, active, is_ended, attributes, created_at, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict (organization_id, user_id) do update
       set external_id = $3, active = $4, is_ended = p.is_ended or $5, attributes = $6, version = p.version + 1,
           changed_at = $7, removed_at = null`,
    [organizationId, id, externalId, active, isEnded, JSON.stringify(attributes), now],
  )
}
