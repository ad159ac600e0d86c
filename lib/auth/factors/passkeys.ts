/**
 * Passkeys (WebAuthn level 3): the authenticator knows its person and verifies them, so that one
 * counts as both steps of signing in. Only their public keys are here.
 */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import type { Records } from '#lib/db/records.ts'
import { withTenant, withTenantSql } from '#lib/db/tenant.ts'
import { settings } from '#lib/env.ts'
import { isUuid } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import { CHALLENGE_SECONDS, type ChallengeUse, makeChallenge, spendChallenge } from './passkey-challenges.ts'
import type { Person } from './person.ts'

const MAX_PASSKEYS = 20

/** A passkey as its person sees it; dates as the database has them. */
export type KnownPasskey = { credentialId: string; name: string; createdAt: Date; lastUsedAt: Date | null }

/** False where browsers have no passkeys: plain http of another machine, or an IP address. */
export function hasPasskeys(): boolean {
  const { protocol, hostname } = new URL(settings().appUrl)
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  return protocol === 'https:' && !/^[\d.]+$|^\[/.test(hostname)
}

/** By age. */
export function listPasskeys({ organizationId, userId }: Person): Promise<KnownPasskey[]> {
  return withTenant(organizationId, (records) =>
    records.passkey.findMany({
      where: { organizationId, userId },
      select: { credentialId: true, name: true, createdAt: true, lastUsedAt: true },
      orderBy: [{ createdAt: 'asc' }, { credentialId: 'asc' }],
    }),
  )
}

/** What the browser needs to make a passkey; null when too many are open or there are too many. */
export async function toRegistrationOptions(
  person: Person & { email: string; name: string },
  use: ChallengeUse,
  network: string,
  now: Date,
) {
  const known = await listPasskeys(person)
  const challenge = known.length < MAX_PASSKEYS ? await makeChallenge(use, network, now) : null
  if (challenge === null) return null
  return generateRegistrationOptions({
    rpName: 'Tieout',
    rpID: toRelyingParty().expectedRPID,
    userName: person.email,
    userDisplayName: person.name,
    userID: toUserHandle(person),
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Keeps the passkey that a browser has made; false when its answer is not right. */
export async function addPasskey(
  person: Person,
  { name, response }: { name: string; response: unknown },
  use: ChallengeUse,
  actor: Actor,
  now: Date,
): Promise<boolean> {
  const made = await verifyOrNull(() =>
    verifyRegistrationResponse({
      // the library checks what a stranger sent, and throws
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => spendChallenge(challenge, use, now),
      requireUserVerification: true,
      ...toRelyingParty(),
    }),
  )
  if (made?.registrationInfo === undefined) return false
  const { id, publicKey, counter, transports = [] } = made.registrationInfo.credential
  const { organizationId, userId } = person
  return withTenant(organizationId, async (records, sql) => {
    const added = await records.passkey.createMany({
      data: { organizationId, userId, credentialId: id, publicKey, counter, transports, name, createdAt: now },
      skipDuplicates: true,
    })
    if (added.count === 0) return false
    await recordAudit(sql, organizationId, {
      actor,
      action: 'passkey.add',
      subject: toSubject(person),
      after: { name },
    })
    return true
  })
}

/** Deletes a passkey. False if the person has none by that id. */
export function removePasskey(person: Person, credentialId: string, actor: Actor): Promise<boolean> {
  const { organizationId, userId } = person
  return withTenantSql(organizationId, async (sql) => {
    const [gone] = await sql<{ name: string }>(
      'delete from passkey where organization_id = $1 and user_id = $2 and credential_id = $3 returning name',
      [organizationId, userId, credentialId],
    )
    if (gone === undefined) return false
    await recordAudit(sql, organizationId, {
      actor,
      action: 'passkey.remove',
      subject: toSubject(person),
      before: gone,
    })
    return true
  })
}

/** Removes all of a person's passkeys in a transaction of the caller. @returns how many. */
export async function deletePasskeys(records: Records, { organizationId, userId }: Person): Promise<number> {
  const gone = await records.passkey.deleteMany({ where: { organizationId, userId } })
  return gone.count
}

/** What the browser needs to sign in with any passkey of ours; null when too many are open. */
export async function toSignInOptions(use: ChallengeUse, network: string, now: Date) {
  const challenge = await makeChallenge(use, network, now)
  if (challenge === null) return null
  return generateAuthenticationOptions({
    rpID: toRelyingParty().expectedRPID,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: 'required',
  })
}

/**
 * The person whose passkey signed the challenge; null when it is not right. Notes its use: the
 * authenticator's count must have grown, unless it never counts (WebAuthn, 6.1.1).
 */
export async function verifyPasskey(response: unknown, use: ChallengeUse, now: Date): Promise<Person | null> {
  const answer = response as AuthenticationResponseJSON
  const person = readUserHandle(answer.response?.userHandle)
  if (person === null || typeof answer.id !== 'string') return null
  const stored = await findPasskey(person, answer.id)
  if (stored === null) return null
  const verified = await verifyOrNull(() =>
    verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: (challenge) => spendChallenge(challenge, use, now),
      requireUserVerification: true,
      credential: stored,
      ...toRelyingParty(),
    }),
  )
  if (!verified?.verified) return null
  return (await noteUse(person, answer.id, verified.authenticationInfo.newCounter, now)) ? person : null
}

async function noteUse(
  { organizationId, userId }: Person,
  credentialId: string,
  counter: number,
  now: Date,
): Promise<boolean> {
  const noted = await withTenant(organizationId, (records) =>
    records.passkey.updateMany({
      where: { organizationId, userId, credentialId, counter: counter === 0 ? 0 : { lt: counter } },
      data: { counter, lastUsedAt: now },
    }),
  )
  return noted.count === 1
}

async function findPasskey({ organizationId, userId }: Person, id: string) {
  const found = await withTenant(organizationId, (records) =>
    records.passkey.findFirst({
      // PostgreSQL's text cannot hold NUL
      where: { organizationId, userId, credentialId: id.replaceAll('\0', '') },
      select: { publicKey: true, counter: true },
    }),
  )
  return found && { id, publicKey: found.publicKey, counter: Number(found.counter) }
}

/** Who we are to an authenticator: it signs for our host only, from our origin only. */
function toRelyingParty(): { expectedOrigin: string; expectedRPID: string } {
  const { origin, hostname } = new URL(settings().appUrl)
  return { expectedOrigin: origin, expectedRPID: hostname }
}

/** The library throws for whatever a stranger may have sent; then it is wrong. */
async function verifyOrNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify()
  } catch (error) {
    log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'passkey refused')
    return null
  }
}

/** The ids' 32 bytes: they name the person, and say nothing of them (WebAuthn, 14.6.1). */
function toUserHandle({ organizationId, userId }: Person): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(`${organizationId}${userId}`.replaceAll('-', ''), 'hex'))
}

function readUserHandle(handle: unknown): Person | null {
  const hex = typeof handle === 'string' ? Buffer.from(handle, 'base64url').toString('hex') : ''
  const [organizationId, userId] = [hex.slice(0, 32), hex.slice(32)].map((half) =>
    half.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )
  if (organizationId === undefined || userId === undefined) return null
  return isUuid(organizationId) && isUuid(userId) ? { organizationId, userId } : null
}

function toSubject({ userId }: Person) {
  return { kind: 'user', id: userId }
}
