/** Passwords are stored as scrypt hashes (RFC 7914) with parameters that can be raised later. */
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { processWide } from '#lib/process-wide.ts'
import { createTurns, type Turn, type TurnOptions } from '../limits/turns.ts'
import { isEasyToGuess, type Person } from './easy-passwords.ts'

/** 32 MiB and about a fifth of a second per guess (OWASP's equivalent of N = 2^17, p = 1). */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const KEY_BYTES = 32
const ENCODED = /^scrypt\$(\d{1,8}),(\d{1,3}),(\d{1,3})\$([\w-]{22,86})\$([\w-]{43,86})$/
/** The minimum of `ADMIN_PASSWORD` too (NIST SP 800-63B, 5.1.1.2). */
const LEAST_CHARACTERS = 8
/** More than anybody types; keeps a request from making us hash megabytes. */
const MAX_PASSWORD_CHARACTERS = 1024
/**
 * A derivation takes a core for a fifth of a second, and one of the four threads that also read
 * files and look up names. All strangers share one at a time, so they never occupy the machine.
 * Known browsers have a separate one.
 */
const TURNS = { atOnce: 1, waiting: 20 }

const holder = globalThis as { tieoutPasswordCost?: typeof COST }

/**
 * Makes this process's next hashes at another N, or at the production cost again (null). Only tests
 * call it: those that need many passwords and promise nothing of what they cost.
 * @internal
 */
export function setPasswordCost(N: number | null): void {
  holder.tieoutPasswordCost = { ...COST, N: N ?? COST.N }
}

/** The hash, with parameters and a fresh salt: `scrypt$N,r,p$salt$key`, both in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const [salt, cost] = [randomBytes(16), currentCost()]
  const derived = await derive(password, salt, cost, KEY_BYTES, { isPatient: true })
  if (derived.kind !== 'done') throw new Error('a derivation that waits for its turn was left out')
  return encode(cost, salt, derived.value)
}

/** `busy`: too many are waiting, and nothing was checked. `gone`: the client has left. */
export type Verdict = 'right' | 'wrong' | 'busy' | 'gone'

/**
 * Whether the password belongs to the hash. Takes equally long for null (no such user, or no
 * password set), so timing does not reveal which addresses have an account. A process checks two at
 * once: one for known browsers (`isKnown`), one for all others.
 * @throws Error when a stored hash is not one of ours.
 */
export async function verifyPassword(
  password: string,
  encoded: string | null,
  turn: { isKnown?: boolean; signal?: AbortSignal } = {},
): Promise<Verdict> {
  const hasHash = encoded !== null
  const [, N, r, p, salt, key] = ENCODED.exec(encoded ?? makeStandIn()) ?? []
  if (salt === undefined || key === undefined) throw new Error('a stored password hash is not readable')
  const expected = Buffer.from(key, 'base64url')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const isTooLong = password.length > MAX_PASSWORD_CHARACTERS
  const candidate = isTooLong ? '' : password
  const derived = await derive(candidate, Buffer.from(salt, 'base64url'), cost, expected.length, turn)
  if (derived.kind !== 'done') return derived.kind === 'full' ? 'busy' : 'gone'
  return timingSafeEqual(derived.value, expected) && hasHash && !isTooLong ? 'right' : 'wrong'
}

/**
 * The same password's hash at today's cost, with the salt that it has: the salt names the password,
 * so whoever has just checked it need not check again. Null when it costs as much already, or when
 * too many passwords are being looked at.
 */
export async function raiseHash(password: string, encoded: string): Promise<string | null> {
  const [, N, r, p, salt] = ENCODED.exec(encoded) ?? []
  if (salt === undefined) throw new Error('a stored password hash is not readable')
  const cost = currentCost()
  if (Number(N) * Number(r) * Number(p) >= cost.N * cost.r * cost.p) return null
  const bytes = Buffer.from(salt, 'base64url')
  const derived = await derive(password, bytes, cost, KEY_BYTES, { isKnown: true })
  return derived.kind === 'done' ? encode(cost, bytes, derived.value) : null
}

/** SQL: whether two hashes are of the same setting of a password, whatever they cost. */
export function isSamePassword(hash: string, other: string): string {
  return `split_part(${hash}, '$', 3) is not distinct from split_part(${other}, '$', 3)`
}

/** True while a stranger's password would not be checked because too many are waiting. */
export function isBusy(): boolean {
  return derivations().strangers.isFull()
}

/** What can be wrong with a chosen password, as the end of a sentence that begins with it. */
export const PASSWORD_PROBLEMS = {
  short: `must have at least ${LEAST_CHARACTERS} characters`,
  long: `must have at most ${MAX_PASSWORD_CHARACTERS} characters`,
  common: 'is one of those that attackers try first: take three or four words that do not belong together',
  personal: 'is too close to your name, address or organization: take words that have nothing to do with you',
} as const

export type PasswordProblem = keyof typeof PASSWORD_PROBLEMS

/**
 * What is wrong with a password that somebody chose, or null. `person`: whose it is to be; what
 * belongs to them does not make it harder to guess. The lists of guesses are loaded with the first
 * call.
 */
export async function judgePassword(password: string, person: Person = {}): Promise<PasswordProblem | null> {
  if (password.length < LEAST_CHARACTERS) return 'short'
  if (password.length > MAX_PASSWORD_CHARACTERS) return 'long'
  return isEasyToGuess(password, person)
}

/** As `judgePassword`, in words: the end of a sentence that begins with the password. */
export async function findPasswordProblem(password: string, person: Person = {}): Promise<string | null> {
  const problem = await judgePassword(password, person)
  return problem === null ? null : PASSWORD_PROBLEMS[problem]
}

/** A password to read out and type: six groups of four, 118 random bits, no look-alikes. */
export function makePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 6 }, group).join('-')
}

function encode({ N, r, p }: typeof COST, salt: Buffer, key: Buffer): string {
  return `scrypt$${N},${r},${p}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

function currentCost(): typeof COST {
  return holder.tieoutPasswordCost ?? COST
}

/** A hash that no password belongs to. */
function makeStandIn(): string {
  return encode(currentCost(), randomBytes(16), randomBytes(KEY_BYTES))
}

function derive(
  password: string,
  salt: Buffer,
  cost: typeof COST,
  keyBytes: number,
  { isKnown = false, ...turn }: TurnOptions & { isKnown?: boolean },
): Promise<Turn<Buffer>> {
  const options = { ...cost, maxmem: 256 * cost.N * cost.r }
  // another keyboard may compose the same password differently (NIST SP 800-63B, 5.1.1.2)
  const text = password.normalize('NFKC')
  const work = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(text, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
    })
  return derivations()[isKnown ? 'known' : 'strangers'].take(work, turn)
}

/** One pair of queues per process (A18). */
const derivations = () =>
  processWide('tieoutDerivations', () => ({ strangers: createTurns(TURNS), known: createTurns(TURNS) }))
