/** Ten codes, each of which signs in once instead of the authenticator app. */
import { randomInt } from 'node:crypto'
import type { Sql } from '#lib/db/tenant.ts'
import { openBytes, sealBytes, toKeyedHash } from '../seals/seal.ts'
import { type Person, toSeal } from './person.ts'

const CODES = 10
/** No look-alikes: people read them from paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const CHARACTERS = 12

/** New codes, 59 random bits each, in place of all earlier ones. Only this answer has them. */
export async function replaceRecoveryCodes(sql: Sql, person: Person, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode)
  await deleteRecoveryCodes(sql, person)
  await sql(
    `insert into recovery_code (organization_id, user_id, code_hash, created_at)
     select $1, $2, hash, $4 from unnest($3::text[]) as hash`,
    [person.organizationId, person.userId, codes.map((code) => toHash(person, code)), now],
  )
  return codes
}

export async function deleteRecoveryCodes(sql: Sql, { organizationId, userId }: Person): Promise<void> {
  await sql('delete from recovery_code where organization_id = $1 and user_id = $2', [organizationId, userId])
}

/** Uses a code up. @returns how many are left; null when it is none of theirs or was used. */
export async function spendRecoveryCode(sql: Sql, person: Person, code: string, now: Date): Promise<number | null> {
  const { organizationId, userId } = person
  const spent = await sql(
    `update recovery_code set used_at = $4
     where organization_id = $1 and user_id = $2 and code_hash = $3 and used_at is null returning 1 as one`,
    [organizationId, userId, toHash(person, code), now],
  )
  return spent.length === 0 ? null : countRecoveryCodes(sql, person)
}

/** How many codes are not used yet. */
async function countRecoveryCodes(sql: Sql, { organizationId, userId }: Person): Promise<number> {
  const [row] = await sql<{ unused: number }>(
    `select count(*)::int as unused from recovery_code where organization_id = $1 and user_id = $2 and used_at is null`,
    [organizationId, userId],
  )
  return row?.unused ?? 0
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
