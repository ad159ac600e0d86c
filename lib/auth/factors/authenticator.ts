/**
 * A person's authenticator app. Its secret counts only after one right code; a code is used once,
 * whatever the number of processes: the last used step is compared and set in one statement.
 */
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import type { Records } from '#lib/db/records.ts'
import { type Sql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import { log } from '#lib/log.ts'
import { openBytes, sealBytes } from '../seal.ts'
import { type Person, toSeal } from './person.ts'
import { deleteRecoveryCodes, replaceRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import { findTotpStep, makeTotpSecret } from './totp.ts'

/** How long a secret that was made waits for its first code. */
const ENROLMENT_MS = 15 * 60_000

type Stored = { sealedSecret: string; confirmedAt: Date | null; createdAt: Date }

/** Makes a new secret that is not confirmed yet; false, with nothing changed, when one counts. */
export function beginEnrolment(person: Person, now: Date): Promise<boolean> {
  const { organizationId, userId } = person
  return withTenantSql(organizationId, async (sql) => {
    const made = await sql(
      `insert into authenticator as a (organization_id, user_id, sealed_secret, created_at) values ($1, $2, $3, $4)
       on conflict (organization_id, user_id) do update set sealed_secret = excluded.sealed_secret,
         created_at = excluded.created_at where a.confirmed_at is null returning 1 as one`,
      [organizationId, userId, sealBytes(makeTotpSecret(), toSeal('authenticator', person)), now],
    )
    return made.length === 1
  })
}

/** The secret that waits for its first code, to be shown as a QR code; null when there is none. */
export function findEnrolment(person: Person, now: Date): Promise<Buffer | null> {
  return withTenant(person.organizationId, async (records) => {
    const stored = await readStored(records, person)
    return stored !== null && isEnrolling(stored, now) ? openSecret(person, stored) : null
  })
}

/** The first right code makes the second step count. @returns recovery codes; null if wrong. */
export function confirmEnrolment(person: Person, code: string, actor: Actor, now: Date): Promise<string[] | null> {
  const { organizationId, userId } = person
  return withTenant(organizationId, async (records, sql) => {
    const stored = await readStored(records, person)
    if (stored === null || !isEnrolling(stored, now)) return null
    const step = findStep(person, stored, code, now)
    if (step === null) return null
    const confirmed = await records.authenticator.updateMany({
      where: { organizationId, userId, sealedSecret: stored.sealedSecret, confirmedAt: null },
      data: { confirmedAt: now, lastStep: step },
    })
    if (confirmed.count === 0) return null
    const codes = await replaceRecoveryCodes(records, person, now)
    await recordAudit(sql, organizationId, { actor, action: 'second-step.enable', subject: toSubject(person) })
    return codes
  })
}

/** New recovery codes in place of the earlier ones; null when no second step counts. */
export function renewRecoveryCodes(person: Person, actor: Actor, now: Date): Promise<string[] | null> {
  const { organizationId, userId } = person
  return withTenant(organizationId, async (records, sql) => {
    // of two who ask at once, one set of codes stays
    const counting = await sql(
      `select from authenticator
       where organization_id = $1 and user_id = $2 and confirmed_at is not null for update`,
      [organizationId, userId],
    )
    if (counting.length === 0) return null
    const codes = await replaceRecoveryCodes(records, person, now)
    await recordAudit(sql, organizationId, { actor, action: 'second-step.renew-codes', subject: toSubject(person) })
    return codes
  })
}

/** Takes the app and the recovery codes away; false when no second step counted. */
export function disableSecondStep(person: Person, actor: Actor): Promise<boolean> {
  const { organizationId } = person
  return withTenant(organizationId, async (records, sql) => {
    const wasOn = await deleteSecondStep(records, sql, person)
    if (wasOn)
      await recordAudit(sql, organizationId, { actor, action: 'second-step.disable', subject: toSubject(person) })
    return wasOn
  })
}

/** Removes app and recovery codes in a transaction of the caller. @returns true if it counted. */
export async function deleteSecondStep(records: Records, sql: Sql, person: Person): Promise<boolean> {
  const gone = await sql<{ counted: boolean }>(
    `delete from authenticator where organization_id = $1 and user_id = $2 returning confirmed_at is not null as counted`,
    [person.organizationId, person.userId],
  )
  await deleteRecoveryCodes(records, person)
  return gone[0]?.counted ?? false
}

/** `codesLeft`: how many recovery codes are left after one was used; null for a code of the app. */
export type Spent = { codesLeft: number | null }

/** Uses a code of the app, or a recovery code, up; null when it is not right or was used. */
export async function spendCode(records: Records, person: Person, code: string, now: Date): Promise<Spent | null> {
  const digits = code.replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(digits)) return (await spendStep(records, person, digits, now)) ? { codesLeft: null } : null
  const codesLeft = await spendRecoveryCode(records, person, code, now)
  return codesLeft === null ? null : { codesLeft }
}

async function spendStep(records: Records, person: Person, code: string, now: Date): Promise<boolean> {
  const stored = await readStored(records, person)
  if (stored?.confirmedAt == null) return false
  const step = findStep(person, stored, code, now)
  if (step === null) return false
  const { organizationId, userId } = person
  const spent = await records.authenticator.updateMany({
    where: { organizationId, userId, sealedSecret: stored.sealedSecret, lastStep: { lt: step } },
    data: { lastStep: step },
  })
  return spent.count === 1
}

function readStored(records: Records, { organizationId, userId }: Person): Promise<Stored | null> {
  return records.authenticator.findFirst({
    where: { organizationId, userId },
    select: { sealedSecret: true, confirmedAt: true, createdAt: true },
  })
}

function isEnrolling({ confirmedAt, createdAt }: Stored, now: Date): boolean {
  return confirmedAt === null && now.getTime() - createdAt.getTime() < ENROLMENT_MS
}

function findStep(person: Person, stored: Stored, code: string, now: Date): number | null {
  const secret = openSecret(person, stored)
  return secret === null ? null : findTotpStep(secret, code.replace(/\s/g, ''), now)
}

function openSecret(person: Person, { sealedSecret }: Stored): Buffer | null {
  const secret = openBytes(sealedSecret, toSeal('authenticator', person))
  // no code can be right any more: an admin or operator has to reset the second step
  if (secret === null) log.error({ userId: person.userId }, 'a second step was sealed with another SESSION_SECRET')
  return secret
}

function toSubject({ userId }: Person) {
  return { kind: 'user', id: userId }
}
