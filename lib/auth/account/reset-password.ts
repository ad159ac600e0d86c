/** Links that set a password: asked for, made by an operator, used (decision 031). */

import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { closeLinks, type Holder, makePasswordLink, toPasswordAddress } from '#lib/auth/links/password-links.ts'
import { hashSecret } from '#lib/connections/secret-hash.ts'
import type { Records } from '#lib/db/records.ts'
import { withSystem, withSystemSql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { requiresSingleSignOn } from '../enforced-sign-on.ts'
import { countAttempt, forgetAttempt, toThrottleHash } from '../limits/sign-in-throttle.ts'
import { hashPassword, judgePassword, type PasswordProblem } from '../passwords/password.ts'
import { endSessionsOf } from '../sessions.ts'
import { forgiveAccount, toAccountAddress } from '../sign-in/sign-in-attempt.ts'
import { toLinkHolder } from './link-holder.ts'

/**
 * Asks the worker to mail a link, if the address is somebody's. What is done and answered here is
 * the same for every address: only the worker looks for the person. @returns the seconds to wait
 * when too much was asked, counted beside attempts to sign in; 0 when it was noted.
 */
export async function askForLink(request: Request, email: string): Promise<number> {
  const address = toAccountAddress(email)
  const network = toClientNetwork(request.headers)
  const seconds = await countAttempt({
    account: toThrottleHash('account', `link ${address}`),
    network: toThrottleHash('network', `link ${network}`),
    browser: null,
  })
  if (seconds > 0) return Math.ceil(seconds)
  await withSystem(async (records, sql) => {
    await records.passwordWish.createMany({ data: { address, network } })
    await wakeWorkers(sql)
  })
  return 0
}

/** The address of a link that an operator passes on; it works once, for an hour. */
export function makeLinkByHand(holder: Holder & { email: string }, actor: Actor, now: Date): Promise<string> {
  const { organizationId, userId, email } = holder
  return withTenantSql(organizationId, async (sql) => {
    const secret = await makePasswordLink(sql, holder, now)
    const subject = { kind: 'person', id: userId, name: email }
    await recordAudit(sql, organizationId, { actor, action: 'password.link-made', subject })
    return toPasswordAddress(secret)
  })
}

type Person = Holder & { email: string; name: string; organizationName: string }

/** Whose password a link sets, or null when it does not work any more. Looking does not use it. */
async function findLink(secret: string, now: Date): Promise<Person | null> {
  const [person] = await withSystemSql((sql) =>
    sql<Person>(
      `select r.organization_id as "organizationId", r.user_id as "userId", u.email, u.name, o.name as "organizationName"
       from password_reset r
       join app_user u on u.organization_id = r.organization_id and u.id = r.user_id
       join organization o on o.id = r.organization_id
       where r.secret_hash = $1 and r.closed_at is null and r.expires_at > $2 and u.disabled_at is null
         and (u.break_glass and u.role = 'admin' or not exists (
           select from single_sign_on e where e.organization_id = r.organization_id and e.mode = 'enforced'))`,
      [hashSecret(secret), now],
    ),
  )
  return person ?? null
}

type LinkEnd =
  | { kind: 'set' }
  | { kind: 'gone' }
  | { kind: 'refused'; problem: PasswordProblem }
  | { kind: 'wait'; seconds: number }

/**
 * Sets the password of a link's person and signs them out everywhere. Uses up the link and closes
 * the person's others. Wrong passwords of before no longer make them wait in this network.
 * `refused`: what is wrong with the password; then the link goes on working. `wait`: too many links
 * were tried, and nothing was looked at.
 */
export async function setPasswordByLink(
  request: Request,
  { link, chosen }: { link: string; chosen: string },
  now: Date,
): Promise<LinkEnd> {
  const holder = toLinkHolder(request, link)
  const seconds = Math.ceil(await countAttempt(holder))
  if (seconds > 0) return { kind: 'wait', seconds }
  const person = await findLink(link, now)
  if (person === null) return { kind: 'gone' }
  const problem = await judgePassword(chosen, person)
  if (problem !== null) return { kind: 'refused', problem }
  const passwordHash = await hashPassword(chosen)
  const { organizationId, userId, email } = person
  const isDone = await withTenant(organizationId, async (records, sql) => {
    // the person's row first, as everywhere: of two who use the link at once, one finds it closed
    const [open] = await sql(
      `select from app_user u where u.organization_id = $1 and u.id = $2 and u.disabled_at is null for update`,
      [organizationId, userId],
    )
    if (open === undefined || !(await isOpen(records, organizationId, link))) return false
    if (await requiresSingleSignOn(sql, organizationId, userId)) return false
    await records.user.updateMany({ where: { organizationId, id: userId }, data: { passwordHash } })
    await closeLinks(sql, person, now)
    const ended = await endSessionsOf(sql, organizationId, userId, now)
    const actor: Actor = { kind: 'person', userId, name: email, network: toClientNetwork(request.headers) }
    await recordAudit(sql, organizationId, { actor, action: 'password.reset', after: { sessionsEnded: ended } })
    return true
  })
  if (!isDone) return { kind: 'gone' }
  await forgetAttempt(holder)
  await forgiveAccount(request, email)
  return { kind: 'set' }
}

/** In a statement after the one that locks: it sees what was closed meanwhile. */
async function isOpen(records: Records, organizationId: OrganizationId, link: string): Promise<boolean> {
  const open = await records.passwordReset.findFirst({
    where: { organizationId, secretHash: hashSecret(link), closedAt: null },
    select: { userId: true },
  })
  return open !== null
}
