import { type ErrorCode, OperationalError, toOperationalError } from '../errors.ts'
import { PartnerError, type PartnerErrorKind } from '../partner/partner-error.ts'
import { CircuitOpenError } from './partner-host.ts'

/** What stopped a sync: the catalog's error, and how long the partner asked us to wait. */
export type SyncFailure = { error: OperationalError; retryAfterMs: number | null }

const CODE_OF: Record<PartnerErrorKind, ErrorCode> = {
  timeout: 'partner-unreachable',
  refused: 'partner-unreachable',
  reset: 'partner-unreachable',
  dns: 'partner-unreachable',
  tls: 'partner-unreachable',
  unavailable: 'partner-unreachable',
  throttled: 'partner-throttled',
  redirect: 'partner-bad-answer',
  too_large: 'partner-bad-answer',
  bad_encoding: 'partner-bad-answer',
  bad_body: 'partner-bad-answer',
  rejected: 'partner-bad-answer',
  // 401 although the token has just been renewed: the answer contradicts itself
  unauthorized: 'partner-bad-answer',
  forbidden: 'partner-forbidden',
  foreign_origin: 'internal',
}

/** PostgreSQL errors after which the same transaction may succeed: connection lost, shut down, serialization, deadlock, full. */
const DATABASE_RETRYABLE = /^(08\w{3}|57P0[123]|40001|40P01|53\w{3})$/
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])

/** Any thrown value as a failure of the sync; messages and causes are for logs, never for people. */
export function toSyncFailure(thrown: unknown): SyncFailure {
  if (thrown instanceof PartnerError) {
    const error = new OperationalError(CODE_OF[thrown.kind], thrown.message, { cause: thrown })
    return { error, retryAfterMs: thrown.retryAfterMs ?? null }
  }
  if (thrown instanceof CircuitOpenError) return { error: thrown, retryAfterMs: thrown.waitMs }
  if (!(thrown instanceof OperationalError) && isDatabaseTrouble(thrown))
    return {
      error: new OperationalError('database-unavailable', thrown.message, { cause: thrown }),
      retryAfterMs: null,
    }
  return { error: toOperationalError(thrown), retryAfterMs: null }
}

function isDatabaseTrouble(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown ? String(thrown.code) : ''
  return (
    DATABASE_RETRYABLE.test(code) ||
    SOCKET_CODES.has(code) ||
    /connection terminated|timeout exceeded when trying to connect/i.test(thrown.message)
  )
}

/** Whether the same page may succeed when it is asked for again within this run. */
export function isWorthRetrying(thrown: unknown): boolean {
  if (thrown instanceof PartnerError) return thrown.retryable
  return toSyncFailure(thrown).error.retryable && !isFenced(thrown)
}

export function isFenced(thrown: unknown): boolean {
  return thrown instanceof OperationalError && thrown.code === 'sync-fenced'
}
