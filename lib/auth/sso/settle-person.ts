/** Which user the person is whom a provider signed in, and with which role. */
import type { Actor, AuditEvent } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import type { Records } from '#lib/db/records.ts'
import { type Sql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { isSpareable, lockPeople } from '../people/last-admin.ts'
import { IS_MANAGED } from '../people/managed-people.ts'
import type { Role } from '../permissions.ts'
import type { Person } from './claims.ts'
import type { SsoErrorKey } from './sso-words.ts'

type User = { userId: UserId; email: string; role: Role; isDisabled: boolean; isManaged: boolean }
type Refusal = Extract<SsoErrorKey, 'sso_no_role' | 'sso_overage' | 'sso_no_email' | 'sso_taken' | 'sso_disabled'>

/** Where the person comes from: the organization, its claimed domains, the client's network. */
type Arrival = { organizationId: OrganizationId; domains: string[]; network: string }
/** An arrival, in the transaction that settles it. */
type Settling = Arrival & { records: Records; sql: Sql }

const BY_WEB: Actor = { kind: 'program', name: 'web' }

/**
 * The user of a person, who is known by issuer and subject; a new one is made, or an existing one
 * recognized by an address that the provider vouches for, within a domain that the organization
 * claims. The role of the claims counts from now on. Every end is in the audit.
 */
export function settlePerson(arrival: Arrival, person: Person): Promise<{ userId: UserId } | { refused: Refusal }> {
  const { organizationId } = arrival
  return withTenant(organizationId, async (records, sql) => {
    const settling = { ...arrival, records, sql }
    // one at a time: two first sign-ins of a person would make two users
    await lockPeople(sql, organizationId)
    const settled = person.role === null ? 'sso_no_role' : await findOrMakeUser(settling, person, person.role)
    if (typeof settled === 'string') {
      await recordRefusal(sql, organizationId, person, settled)
      return { refused: settled }
    }
    await followRole(settling, settled, person.role ?? settled.role)
    await recordAudit(sql, organizationId, {
      actor: { kind: 'person', userId: settled.userId, name: settled.email, network: arrival.network },
      action: 'single-sign-on.signed-in',
    })
    return { userId: settled.userId }
  })
}

/** Notes in the audit that a person was not let in before it was clear who it is. */
export function refusePerson(organizationId: OrganizationId, person: Person, why: Refusal): Promise<void> {
  return withTenantSql(organizationId, (sql) => recordRefusal(sql, organizationId, person, why))
}

function recordRefusal(sql: Sql, organizationId: OrganizationId, person: Person, why: Refusal): Promise<void> {
  return recordAudit(sql, organizationId, {
    actor: BY_WEB,
    action: 'single-sign-on.refused',
    subject: toSubject(person),
    after: { why },
  })
}

function toSubject({ subject, email }: Person): AuditEvent['subject'] {
  return { kind: 'identity', id: subject, name: email }
}

async function findOrMakeUser(settling: Settling, person: Person, role: Role): Promise<User | Refusal> {
  const { sql, organizationId, domains, network } = settling
  const known = await findByIdentity(sql, organizationId, person)
  if (known !== null) return known.isDisabled ? 'sso_disabled' : known
  if (person.email === null) return 'sso_no_email'
  const namesake = await findByEmail(sql, organizationId, person.email)
  if (namesake === null) return makeUser(settling, { ...person, email: person.email }, role)
  const isVouchedFor = person.isEmailVerified && domains.includes(person.email.split('@')[1] ?? '')
  if (!isVouchedFor || (await hasIdentity(settling, namesake.userId, person.issuer))) return 'sso_taken'
  if (namesake.isDisabled) return 'sso_disabled'
  await addIdentity(settling, person, namesake.userId)
  await recordAudit(sql, organizationId, {
    actor: { kind: 'person', userId: namesake.userId, name: namesake.email, network },
    action: 'single-sign-on.linked',
    subject: toSubject(person),
    after: { issuer: person.issuer },
  })
  return namesake
}

const USER = `u.id as "userId", u.email, u.role, u.disabled_at is not null as "isDisabled", ${IS_MANAGED} as "isManaged"`

async function findByIdentity(sql: Sql, organizationId: OrganizationId, person: Person): Promise<User | null> {
  const [user] = await sql<User>(
    `select ${USER} from user_identity i join app_user u on u.organization_id = i.organization_id and u.id = i.user_id
     where i.organization_id = $1 and i.issuer = $2 and i.subject = $3 for update of u`,
    [organizationId, person.issuer, person.subject],
  )
  return user ?? null
}

async function findByEmail(sql: Sql, organizationId: OrganizationId, email: string): Promise<User | null> {
  const [user] = await sql<User>(
    `select ${USER} from app_user u where u.organization_id = $1 and u.email = $2 for update`,
    [organizationId, email],
  )
  return user ?? null
}

/** An address that a provider has given to somebody else must not open the first one's account. */
async function hasIdentity({ records, organizationId }: Settling, userId: UserId, issuer: string): Promise<boolean> {
  const found = await records.userIdentity.findFirst({
    where: { organizationId, userId, issuer },
    select: { subject: true },
  })
  return found !== null
}

async function makeUser(settling: Settling, person: Person & { email: string }, role: Role): Promise<User | Refusal> {
  const { sql, organizationId } = settling
  const [made] = await sql<Pick<User, 'userId' | 'email' | 'role'>>(
    `insert into app_user (organization_id, email, name, role) values ($1, $2, $3, $4)
     on conflict do nothing returning id as "userId", email, role`,
    [organizationId, person.email, person.name, role],
  )
  // a user of another organization has the address
  if (made === undefined) return 'sso_taken'
  await addIdentity(settling, person, made.userId)
  await recordAudit(sql, organizationId, {
    actor: BY_WEB,
    action: 'single-sign-on.created',
    subject: { kind: 'person', id: made.userId, name: made.email },
    after: { issuer: person.issuer, role },
  })
  return { ...made, isDisabled: false, isManaged: false }
}

async function addIdentity(
  { records, organizationId }: Settling,
  { issuer, subject }: Person,
  userId: UserId,
): Promise<void> {
  await records.userIdentity.createMany({ data: { organizationId, issuer, subject, userId } })
}

/**
 * The provider decides, but for two things: whom the company's directory manages has the role that
 * follows from its groups, and somebody must stay who can manage the organization.
 */
async function followRole({ records, sql, organizationId }: Settling, user: User, role: Role): Promise<void> {
  if (role === user.role || user.isManaged) return
  const isKept = user.role === 'admin' && !(await isSpareable(sql, organizationId, user.userId))
  if (!isKept) await records.user.updateMany({ where: { organizationId, id: user.userId }, data: { role } })
  await recordAudit(sql, organizationId, {
    actor: BY_WEB,
    action: isKept ? 'single-sign-on.role-kept' : 'single-sign-on.role-changed',
    subject: { kind: 'person', id: user.userId, name: user.email },
    before: { role: user.role },
    after: { role },
  })
}
