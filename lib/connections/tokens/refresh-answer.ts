/**
 * An answer of the token endpoint on its way into the database. It is sealed and on the disk before
 * anyone looks at it (`spool.ts`). Here the worker that received it, or one that finds it later,
 * decides what it means.
 */
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import { log } from '#lib/log.ts'
import { processTokenResponse, type TokenOutcome } from '#lib/partner/oauth/oauth-requests.ts'
import { raiseNotice } from '../events/operator-notices.ts'
import type { ReconnectCause } from '../model.ts'
import { REFRESH_LIFETIME_SECONDS } from './granted-tokens.ts'
import { openingKeys, sealingKeys } from './key-ring.ts'
import { toAnswerSealContext } from './key-sealed-rows.ts'
import { finishAttempt, readCredential } from './refresh-lease.ts'
import { type AttemptRef, endConnection, postponeRefresh, storeRenewed } from './refresh-outcome.ts'
import { openBytes, openTokens, sealBytes, sealTokens } from './vault.ts'

/** An answer as received. `startedAt` is the database's clock when the attempt was committed. */
export type TokenAnswer = AttemptRef & {
  startedAt: Date
  status: number
  headers: Record<string, string>
  receivedAt: Date
  body: Buffer
}

/** What an answer led to, once the database holds it. `fenced`: the connection has newer tokens. */
export type Settlement =
  | { kind: 'renewed' }
  | { kind: 'fenced' }
  | { kind: 'ended'; cause: ReconnectCause }
  | { kind: 'postponed'; error: OperationalError }
  | { kind: 'in_doubt'; reason: string }

export type ParseAnswer = typeof processTokenResponse

/** How often callers ask again while an answer waits for a version that can read it. */
export const LONGEST_WAIT_FOR_READER_MS = 600_000

/** Keeps only the headers that the outcome depends on, cut to a sane length. */
const KEPT_HEADERS = ['retry-after', 'content-type']
const KEPT_HEADER_LENGTH = 500

/** Seals an answer, bound to connection and generation. Its size is bounded (spool.ts). */
export function sealAnswer(answer: TokenAnswer): Promise<{ sealed: string; keyId: string }> {
  const { body, headers, ...rest } = answer
  const kept = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => KEPT_HEADERS.includes(name))
      .map(([name, value]) => [name, value.slice(0, KEPT_HEADER_LENGTH)]),
  )
  const text = JSON.stringify({ ...rest, headers: kept, body: body.toString('base64') })
  return sealBytes(Buffer.from(text), toAnswerSealContext(answer.connectionId, answer.generation), sealingKeys())
}

/** Opens what `sealAnswer` sealed. @throws OperationalError token-unreadable */
export async function openAnswer(
  sealed: string,
  from: Pick<AttemptRef, 'connectionId' | 'generation'>,
): Promise<TokenAnswer> {
  const value = JSON.parse(
    (await openBytes(sealed, toAnswerSealContext(from.connectionId, from.generation), openingKeys())).toString('utf8'),
  )
  return {
    ...value,
    startedAt: new Date(value.startedAt),
    receivedAt: new Date(value.receivedAt),
    body: Buffer.from(value.body, 'base64'),
  }
}

/**
 * Stores an answer in one transaction; doing it twice does no harm. Keeps an unreadable 2xx answer,
 * sealed. For `in_doubt` the lease stays: its holder may send the token again.
 */
export async function settleAnswer(
  answer: TokenAnswer,
  parse: ParseAnswer = processTokenResponse,
): Promise<Settlement> {
  const outcome = parse(answer.status, answer.headers, answer.body, answer.receivedAt)
  switch (outcome.kind) {
    case 'tokens':
      return storeTokens(answer, outcome)
    case 'invalid_grant':
    case 'rejected':
      return end(answer, outcome)
    case 'invalid_client':
      return refuseClient(answer)
    case 'retry_later': {
      const reason = `status ${answer.status}`
      const { retryAfterSeconds } = outcome
      const retryAfterMs = await postponeRefresh(answer, { outcome: 'retry_later', reason, retryAfterSeconds })
      return toPostponed('partner-throttled', `token endpoint: ${reason}`, retryAfterMs)
    }
    case 'in_doubt':
      return doubt(answer, outcome.reason)
  }
}

async function storeTokens(answer: TokenAnswer, outcome: TokenOutcome & { kind: 'tokens' }): Promise<Settlement> {
  const { organizationId, connectionId, generation } = answer
  const refreshToken = outcome.refreshToken ?? (await readSentToken(answer))
  if (refreshToken === null) return { kind: 'fenced' }
  const { sealed, keyId } = await sealTokens(
    { accessToken: outcome.accessToken, refreshToken },
    { connectionId, generation: generation + 1 },
    sealingKeys(),
  )
  const renewed = {
    sealedTokens: sealed,
    keyId,
    startedAt: answer.startedAt,
    expiresInSeconds: outcome.expiresInSeconds,
    refreshLifetimeSeconds: outcome.refreshToken === null ? null : REFRESH_LIFETIME_SECONDS,
  }
  const noteAnomaly = async (sql: Sql) => {
    if (outcome.refreshToken !== null) return
    const detail = 'The platform renewed an access token without a new refresh token; the old one is kept.'
    await raiseNotice(sql, organizationId, { kind: 'no_refresh_token', connectionId, detail })
    log.warn({ connectionId, generation }, 'the platform renewed an access token without a new refresh token')
  }
  const isStored = await storeRenewed(answer, renewed, noteAnomaly)
  if (isStored) log.info({ connectionId, generation: generation + 1 }, 'tokens renewed')
  else log.warn({ connectionId, generation }, 'renewed tokens were fenced off: the connection has newer ones')
  return { kind: isStored ? 'renewed' : 'fenced' }
}

/** The refresh token that was sent, from the row; null when the row has a newer generation. */
async function readSentToken({ organizationId, connectionId, generation }: TokenAnswer): Promise<string | null> {
  const credential = await readCredential(organizationId, connectionId, 0)
  if (credential?.generation !== generation) return null
  return (await openTokens(credential.sealedTokens, { connectionId, generation }, openingKeys())).refreshToken
}

async function end(
  answer: TokenAnswer,
  outcome: TokenOutcome & { kind: 'invalid_grant' | 'rejected' },
): Promise<Settlement> {
  const reason = outcome.kind === 'rejected' ? outcome.error : `status ${answer.status}`
  const cause = await endConnection(answer, outcome.kind, reason)
  // null: another worker or a reconnect has brought newer tokens, which are used instead
  if (cause === null) return { kind: 'fenced' }
  log.warn({ connectionId: answer.connectionId, cause, reason }, 'connection needs to be connected again')
  return { kind: 'ended', cause }
}

/** The platform refuses our own client id or secret: not the connection's fault. */
async function refuseClient(answer: TokenAnswer): Promise<Settlement> {
  const detail = 'The platform refuses PARTNER_CLIENT_ID or PARTNER_CLIENT_SECRET.'
  const retryAfterMs = await postponeRefresh(answer, { outcome: 'invalid_client', reason: detail }, (sql) =>
    raiseNotice(sql, answer.organizationId, { kind: 'client_refused', connectionId: null, detail }),
  )
  log.error({ connectionId: answer.connectionId }, detail)
  return toPostponed('partner-client-refused', 'the platform refuses our client id or secret', retryAfterMs)
}

async function doubt(answer: TokenAnswer, reason: string): Promise<Settlement> {
  const { organizationId, connectionId, attemptId } = answer
  log.warn({ connectionId, generation: answer.generation, reason }, 'a refresh ended without a usable answer')
  if (answer.status < 200 || answer.status > 299) {
    await withTenantSql(organizationId, (sql) =>
      finishAttempt(sql, organizationId, attemptId, { outcome: 'in_doubt', reason }),
    )
    return { kind: 'in_doubt', reason }
  }
  const { sealed, keyId } = await sealAnswer(answer)
  const keep = (sql: Sql) =>
    sql('update refresh_attempt set sealed_answer = $3, answer_key_id = $4 where organization_id = $1 and id = $2', [
      organizationId,
      attemptId,
      sealed,
      keyId,
    ])
  if (!isWholeObject(answer.body)) {
    await withTenantSql(organizationId, async (sql) => {
      await finishAttempt(sql, organizationId, attemptId, { outcome: 'in_doubt', reason })
      await keep(sql)
    })
    return { kind: 'in_doubt', reason }
  }
  // the platform has acted, and may have sent tokens: sending the old one could revoke them
  const detail = `An answer with 2xx could not be read (${reason}); it is kept, sealed, for a version that can.`
  await postponeRefresh(answer, { outcome: 'answer_kept', reason }, async (sql) => {
    await keep(sql)
    await raiseNotice(sql, organizationId, { kind: 'answer_unreadable', connectionId, detail })
  })
  log.error({ connectionId, generation: answer.generation, reason }, 'an answer with tokens could not be read')
  return toPostponed('partner-bad-answer', `token endpoint: ${reason}`, LONGEST_WAIT_FOR_READER_MS)
}

/** True for a complete JSON object without `error`: an answer in a form we do not know. */
function isWholeObject(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.keys(value).length > 0 && !('error' in value)
  } catch {
    return false // HTML, or cut short
  }
}

function toPostponed(
  code: 'partner-throttled' | 'partner-client-refused' | 'partner-bad-answer',
  message: string,
  retryAfterMs: number,
): Settlement {
  return { kind: 'postponed', error: new OperationalError(code, message, { retryAfterMs }) }
}
