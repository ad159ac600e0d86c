/** An organization's identity provider, and who has to use it. The secret goes in, never out. */
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import type { Records } from '#lib/db/records.ts'
import { type Sql, withSystemSql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import { hasAdminBesides, lockPeople } from '../people/last-admin.ts'
import { ROLES, type Role } from '../permissions.ts'
import { openBytes, sealBytes } from '../seal.ts'
import type { AuthMethod, SsoClient, SsoMode, SsoProvider } from './model.ts'

/** Admins, who may be named to keep their password when single sign-on is enforced. */
export type BreakGlassChoice = { userId: UserId; name: string; email: string; isNamed: boolean; hasPassword: boolean }

export type SsoView = { provider: (SsoProvider & { mode: SsoMode }) | null; admins: BreakGlassChoice[] }

type Row = Record<Role, string[]> & {
  mode: SsoMode
  issuer: string
  clientId: string
  sealedSecret: string | null
  authMethod: AuthMethod
  roleClaim: string
  domains: string[]
}

const COLUMNS = `s.mode, s.issuer, s.client_id as "clientId", s.sealed_secret as "sealedSecret",
  s.auth_method as "authMethod", s.role_claim as "roleClaim", ${ROLES.map((role) => `s.${role}_values as ${role}`).join(', ')},
  array(select d.domain from single_sign_on_domain d
    where d.organization_id = s.organization_id order by d.domain) as domains`

function readRow(sql: Sql, organizationId: OrganizationId): Promise<Row | undefined> {
  return sql<Row>(`select ${COLUMNS} from single_sign_on s where s.organization_id = $1`, [organizationId]).then(
    ([row]) => row,
  )
}

function toProvider({ issuer, clientId, authMethod, roleClaim, domains, ...row }: Row): SsoProvider {
  const { viewer, auditor, finance, approver, admin } = row
  return { issuer, clientId, authMethod, roleClaim, domains, values: { viewer, auditor, finance, approver, admin } }
}

/** What the page of settings shows. */
export function readSsoView(organizationId: OrganizationId): Promise<SsoView> {
  return withTenantSql(organizationId, async (sql) => {
    const row = await readRow(sql, organizationId)
    const admins = await sql<BreakGlassChoice>(
      `select id as "userId", name, email, break_glass as "isNamed", password_hash is not null as "hasPassword"
       from app_user where organization_id = $1 and role = 'admin' and disabled_at is null order by email`,
      [organizationId],
    )
    return { provider: row === undefined ? null : { ...toProvider(row), mode: row.mode }, admins }
  })
}

/** This program as the organization's provider knows it; null when nobody can use it. */
export async function readSsoClient(organizationId: OrganizationId): Promise<SsoClient | null> {
  const row = await withTenantSql(organizationId, (sql) => readRow(sql, organizationId))
  if (row === undefined || row.mode === 'off') return null
  const seal = { purpose: 'client secret', of: organizationId } as const
  const secret = row.sealedSecret === null ? null : (openBytes(row.sealedSecret, seal)?.toString() ?? null)
  if (secret === null && row.authMethod !== 'none') {
    log.error({ organizationId }, 'the client secret of single sign-on was sealed under another SESSION_SECRET')
    return null
  }
  return { ...toProvider(row), mode: row.mode, secret }
}

/** The organization that claims a domain and lets people use single sign-on, or null. */
export async function findOrganizationOf(domain: string): Promise<OrganizationId | null> {
  const [found] = await withSystemSql((sql) =>
    sql<{ organizationId: OrganizationId }>(
      `select d.organization_id as "organizationId" from single_sign_on_domain d
       join single_sign_on s on s.organization_id = d.organization_id where d.domain = $1 and s.mode <> 'off'`,
      [domain],
    ),
  )
  return found?.organizationId ?? null
}

/** Whether anybody can use single sign-on here: then the sign-in page offers it. */
export async function isSsoOffered(): Promise<boolean> {
  const [found] = await withSystemSql((sql) =>
    sql<{ isOffered: boolean }>(`select exists (select from single_sign_on where mode <> 'off') as "isOffered"`),
  )
  return found?.isOffered ?? false
}

/** Why settings were not saved; nothing has changed then. */
export type SsoRefusal = 'domain_taken' | 'secret_missing' | 'no_admin_left' | 'not_set_up'

/** Rolls the transaction back. */
class Refused extends Error {
  readonly why: SsoRefusal
  constructor(why: SsoRefusal) {
    super(why)
    this.why = why
  }
}

async function refusable(work: Promise<void>): Promise<SsoRefusal | null> {
  try {
    await work
    return null
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.why
    throw thrown
  }
}

/**
 * Sets the organization's identity provider. A `secret` of null keeps the one that is there; for
 * another issuer or client it has to be given again, so that it never goes to somebody else.
 */
export async function saveProvider(
  organizationId: OrganizationId,
  provider: SsoProvider,
  secret: string | null,
  actor: Actor,
): Promise<SsoRefusal | null> {
  if (await isOthersDomain(organizationId, provider.domains)) return 'domain_taken'
  return refusable(
    withTenant(organizationId, async (records, sql) => {
      await lockPeople(sql, organizationId)
      const was = await readRow(sql, organizationId)
      const sealedSecret = toSealedSecret(organizationId, provider, secret, was)
      await sql(
        `insert into single_sign_on (organization_id, issuer, client_id, sealed_secret, auth_method, role_claim,
           ${ROLES.map((role) => `${role}_values`).join(', ')})
         values ($1, $2, $3, $4, $5, $6, ${ROLES.map((_, at) => `$${at + 7}`).join(', ')})
         on conflict (organization_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
           sealed_secret = excluded.sealed_secret, auth_method = excluded.auth_method, role_claim = excluded.role_claim,
           ${ROLES.map((role) => `${role}_values = excluded.${role}_values`).join(', ')}`,
        [
          organizationId,
          provider.issuer,
          provider.clientId,
          sealedSecret,
          provider.authMethod,
          provider.roleClaim,
          ...ROLES.map((role) => provider.values[role]),
        ],
      )
      // whoever another provider, or another client there, has let in
      if (was !== undefined && (was.issuer !== provider.issuer || was.clientId !== provider.clientId))
        await endSsoSessions(sql, organizationId)
      await claimDomains(records, organizationId, provider.domains)
      if (!(await hasAdminBesides(sql, organizationId, null))) throw new Refused('no_admin_left')
      await recordAudit(sql, organizationId, {
        actor,
        action: 'single-sign-on.provider',
        subject: { kind: 'organization', id: organizationId },
        before: was && toProvider(was),
        after: { ...provider, isSecretNew: secret !== null },
      })
    }),
  )
}

function toSealedSecret(
  organizationId: OrganizationId,
  { issuer, clientId, authMethod }: SsoProvider,
  secret: string | null,
  was: Row | undefined,
): string | null {
  if (authMethod === 'none') return null
  if (secret !== null) return sealBytes(Buffer.from(secret), { purpose: 'client secret', of: organizationId })
  const isSameClient = was?.issuer === issuer && was.clientId === clientId
  if (!isSameClient || was.sealedSecret === null) throw new Refused('secret_missing')
  return was.sealedSecret
}

async function claimDomains(records: Records, organizationId: OrganizationId, domains: string[]): Promise<void> {
  await records.singleSignOnDomain.deleteMany({ where: { organizationId } })
  const claimed = await records.singleSignOnDomain.createMany({
    data: domains.map((domain) => ({ organizationId, domain })),
    skipDuplicates: true,
  })
  if (claimed.count !== domains.length) throw new Refused('domain_taken')
}

/** Whether people of another organization have addresses of these domains. */
async function isOthersDomain(organizationId: OrganizationId, domains: string[]): Promise<boolean> {
  const others = await withSystemSql((sql) =>
    sql(
      `select from app_user where organization_id <> $1 and disabled_at is null
         and split_part(email, '@', 2) = any ($2) limit 1`,
      [organizationId, domains],
    ),
  )
  return others.length > 0
}

/**
 * Sets who has to use single sign-on, and which admins keep their password when everybody else has
 * to. Enforcing needs such an admin with a password, and ends all sessions of passwords but theirs.
 */
export function saveMode(
  organizationId: OrganizationId,
  { mode, breakGlass }: { mode: SsoMode; breakGlass: UserId[] },
  actor: Actor,
  now: Date,
): Promise<SsoRefusal | null> {
  return refusable(
    withTenant(organizationId, async (records, sql) => {
      await lockPeople(sql, organizationId)
      const before = await readMode(sql, organizationId)
      if (before === null) throw new Refused('not_set_up')
      await records.singleSignOn.updateMany({ where: { organizationId }, data: { mode } })
      await sql(
        `update app_user set break_glass = (id = any ($2::uuid[]) and role = 'admin')
         where organization_id = $1 and break_glass <> (id = any ($2::uuid[]) and role = 'admin')`,
        [organizationId, breakGlass],
      )
      if (!(await hasAdminBesides(sql, organizationId, null))) throw new Refused('no_admin_left')
      if (mode === 'enforced') await endPasswordSessions(sql, organizationId, now)
      if (mode === 'off') await endSsoSessions(sql, organizationId)
      await recordAudit(sql, organizationId, {
        actor,
        action: 'single-sign-on.mode',
        subject: { kind: 'organization', id: organizationId },
        before,
        after: { ...(await readMode(sql, organizationId)) },
      })
    }),
  )
}

async function readMode(
  sql: Sql,
  organizationId: OrganizationId,
): Promise<{ mode: SsoMode; breakGlass: string[] } | null> {
  const [found] = await sql<{ mode: SsoMode; breakGlass: string[] }>(
    `select mode, array(select email from app_user u
       where u.organization_id = s.organization_id and u.break_glass order by email) as "breakGlass"
     from single_sign_on s where organization_id = $1`,
    [organizationId],
  )
  return found ?? null
}

/** Those that single sign-on began: nobody vouches for them any more. */
async function endSsoSessions(sql: Sql, organizationId: OrganizationId): Promise<void> {
  await sql(
    `update user_session set ended_at = now()
     where organization_id = $1 and ended_at is null and by_single_sign_on`,
    [organizationId],
  )
}

async function endPasswordSessions(sql: Sql, organizationId: OrganizationId, now: Date): Promise<void> {
  await sql(
    `update user_session s set ended_at = $2 from app_user u
     where s.organization_id = $1 and s.ended_at is null and not s.by_single_sign_on
       and u.organization_id = s.organization_id and u.id = s.user_id and not (u.break_glass and u.role = 'admin')`,
    [organizationId, now],
  )
}
