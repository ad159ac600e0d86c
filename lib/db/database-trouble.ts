/** PostgreSQL errors after which the same transaction may succeed: connection lost, shut down, read-only, serialization, deadlock, full. */
const RETRYABLE = /^(08\w{3}|57P0[123]|25006|40001|40P01|53\w{3})$/
/** What the driver says without a code; a client that lost its connection a moment ago answers that it is not queryable. */
const LOST = /connection terminated|not queryable|timeout exceeded when trying to connect/i
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])

/** True when the database is to blame and not the work: the same transaction may succeed later. */
export function isDatabaseTrouble(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown ? String(thrown.code) : ''
  return RETRYABLE.test(code) || SOCKET_CODES.has(code) || LOST.test(thrown.message)
}
