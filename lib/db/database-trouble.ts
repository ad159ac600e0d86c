import { type ErrorCode, OperationalError, toOperationalError } from '#lib/errors.ts'

/**
 * PostgreSQL errors after which the same transaction may succeed: connection lost, shut down,
 * read-only, serialization, deadlock, full.
 */
const RETRYABLE = /^(08\w{3}|57P0[123]|25006|40001|40P01|53\w{3})$/
/** The driver's words without a code; "not queryable" follows a connection just lost. */
const LOST = /connection terminated|not queryable|timeout exceeded when trying to connect/i
/** A cluster's, without a code, when an organization's rows have just changed their place. */
const MOVED = /could not find valid entry for shard|shard for the given value does not exist/i
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])

/** Those after which nobody knows what became of a COMMIT that was sent. */
const CUT_OFF = /^(08\w{3}|57P0[123])$/

/** True when the database is to blame, not the work: the same transaction may succeed later. */
export function isDatabaseTrouble(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error)) return false
  const code = codeOf(thrown)
  return RETRYABLE.test(code) || code === COMMIT_UNKNOWN || isCutOff(thrown) || MOVED.test(thrown.message)
}

function isCutOff(thrown: Error): boolean {
  const code = codeOf(thrown)
  return CUT_OFF.test(code) || SOCKET_CODES.has(code) || LOST.test(thrown.message)
}

const COMMIT_UNKNOWN = 'commit-unknown' satisfies ErrorCode

/**
 * What a COMMIT came to that failed: `commit-unknown` when the connection ended before the answer
 * came, since it may have been carried out; all else unchanged.
 */
export function toCommitError(thrown: unknown): unknown {
  if (!(thrown instanceof Error && isCutOff(thrown))) return thrown
  return new OperationalError(COMMIT_UNKNOWN, thrown.message, { cause: thrown })
}

/** Any thrown value for the catalog, as `toOperationalError`; here the database may be to blame. */
export function toKnownError(thrown: unknown): OperationalError {
  if (thrown instanceof OperationalError || !isDatabaseTrouble(thrown)) return toOperationalError(thrown)
  return new OperationalError('database-unavailable', thrown.message, { cause: thrown })
}

/** What triggers refuse (lib/ledger/close/*.sql), by their codes. */
const REFUSED: Readonly<Record<string, ErrorCode>> = {
  TO101: 'four-eyes',
  TO102: 'no-step-before',
  TO103: 'period-locked',
  TO104: 'sign-off-changed',
  TO105: 'decision-under-way',
  TO106: 'not-own-sign-off',
  TO107: 'rule-may-not-approve',
  TO108: 'rule-not-tried',
}

/** PostgreSQL: the statement was canceled, by `statement_timeout` or by somebody. */
const CANCELED = '57014'

/**
 * What the tenant door throws: `database-slow` for a canceled statement, what a trigger refuses by
 * its code, all else unchanged.
 */
export function toDatabaseError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const code = codeOf(thrown) === CANCELED ? 'database-slow' : REFUSED[codeOf(thrown)]
  return code === undefined ? thrown : new OperationalError(code, thrown.message, { cause: thrown })
}

function codeOf(thrown: object): string {
  return 'code' in thrown ? String(thrown.code) : ''
}
