/** Passwords are stored as scrypt (RFC 7914) with their parameters beside them, so that these can be raised later. */
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'

/** 32 MiB and about a fifth of a second per guess: N = 2^15, r = 8, p = 3 (OWASP's equivalent of N = 2^17, p = 1). */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const KEY_BYTES = 32
const ENCODED = /^scrypt\$(\d{1,8}),(\d{1,3}),(\d{1,3})\$([\w-]{22,86})\$([\w-]{43,86})$/
/** More than anybody types; keeps a request from making the hash read megabytes. */
const MAX_PASSWORD_CHARACTERS = 1024

/** The password's hash with its parameters and a salt of its own: `scrypt$N,r,p$salt$key`, salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST, KEY_BYTES)
  return `scrypt$${COST.N},${COST.r},${COST.p}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/**
 * True when the password belongs to the hash. Takes equally long for null (nobody of that name, or no password set), so
 * that the time of an answer does not tell which addresses have an account.
 * @throws Error when a stored hash is not one of ours.
 */
export async function verifyPassword(password: string, encoded: string | null): Promise<boolean> {
  const isKnown = encoded !== null
  const [, N, r, p, salt, key] = ENCODED.exec(encoded ?? (await standIn())) ?? []
  if (salt === undefined || key === undefined) throw new Error('a stored password hash is not readable')
  const expected = Buffer.from(key, 'base64url')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const isTooLong = password.length > MAX_PASSWORD_CHARACTERS
  const actual = await derive(isTooLong ? '' : password, Buffer.from(salt, 'base64url'), cost, expected.length)
  return timingSafeEqual(actual, expected) && isKnown && !isTooLong
}

/** A password that can be read out and typed: six groups of four characters, 118 random bits, no look-alikes. */
export function makePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 6 }, group).join('-')
}

let standInHash: Promise<string> | undefined

/** A hash that no password belongs to, made once per process. */
function standIn(): Promise<string> {
  standInHash ??= hashPassword(randomBytes(32).toString('base64url'))
  return standInHash
}

function derive(password: string, salt: Buffer, cost: typeof COST, keyBytes: number): Promise<Buffer> {
  const options = { ...cost, maxmem: 256 * cost.N * cost.r }
  return new Promise((resolve, reject) => {
    // the same password typed on another keyboard may come composed otherwise (NIST SP 800-63B, 5.1.1.2)
    scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
