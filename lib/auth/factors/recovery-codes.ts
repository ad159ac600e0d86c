/** Ten codes, each of which signs in once instead of the authenticator app. */
import { randomInt } from 'node:crypto'
import type { Records } from '#lib/db/records.ts'
import { openBytes, sealBytes, toKeyedHash } from '../seal.ts'
import { type Person, toSeal } from './person.ts'

const CODES = 10
/** No look-alikes: people read them from paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const CHARACTERS = 12

/** New codes, 59 random bits each, in place of all earlier ones. Only this answer has them. */
export async function replaceRecoveryCodes(records: Records, person: Person, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode)
  const { organizationId, userId } = person
  await deleteRecoveryCodes(records, person)
  await records.recoveryCode.createMany({
    data: codes.map((code) => ({ organizationId, userId, codeHash: toHash(person, code), createdAt: now })),
  })
  return codes
}

export async function deleteRecoveryCodes(records: Records, { organizationId, userId }: Person): Promise<void> {
  await records.recoveryCode.deleteMany({ where: { organizationId, userId } })
}

/** Uses a code up. @returns how many are left; null when it is none of theirs or was used. */
export async function spendRecoveryCode(
  records: Records,
  person: Person,
  code: string,
  now: Date,
): Promise<number | null> {
  const { organizationId, userId } = person
  const spent = await records.recoveryCode.updateMany({
    where: { organizationId, userId, codeHash: toHash(person, code), usedAt: null },
    data: { usedAt: now },
  })
  return spent.count === 0 ? null : records.recoveryCode.count({ where: { organizationId, userId, usedAt: null } })
}

/** For a cookie from which the page shows new codes: the database has only their hashes. */
export function sealRecoveryCodes(person: Person, codes: string[]): string {
  return sealBytes(Buffer.from(codes.join(' ')), toSeal('shown codes', person))
}

/** The codes of such a cookie; none when it is somebody else's or not ours. */
export function openRecoveryCodes(person: Person, sealed: string | undefined): string[] {
  const opened = sealed === undefined ? null : openBytes(sealed, toSeal('shown codes', person))
  return opened === null ? [] : opened.toString().split(' ')
}

function makeCode(): string {
  const text = Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return (text.match(/.{4}/g) ?? []).join('-')
}

/** However it is typed: case, spaces and dashes do not count. */
function toHash(person: Person, code: string): string {
  return toKeyedHash(code.toLowerCase().replace(/[^a-z0-9]/g, ''), toSeal('recovery codes', person))
}
