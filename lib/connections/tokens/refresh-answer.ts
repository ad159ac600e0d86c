/**
 * An answer of the token endpoint on its way into the database. It is sealed and on the disk before
 * anyone looks at it (`spool.ts`). Here the worker that received it, or one that finds it later,
 * decides what it means.
 */
import { log } from '#lib/log.ts'
import { processTokenResponse } from '#lib/partner/oauth/oauth-requests.ts'
import { openingKeys, sealingKeys } from './key-ring.ts'
import { toAnswerSealContext } from './key-sealed-rows.ts'
import { type Decision, decide } from './refresh-decision.ts'
import { readCredential } from './refresh-lease.ts'
import { type AttemptRef, recordDecision, type Sealed, type Settlement } from './refresh-outcome.ts'
import { openBytes, openTokens, sealBytes, sealTokens } from './vault.ts'

/** An answer as received. `startedAt` is the database's clock when the attempt was committed. */
export type TokenAnswer = AttemptRef & {
  startedAt: Date
  status: number
  headers: Record<string, string>
  receivedAt: Date
  body: Buffer
}

export type ParseAnswer = typeof processTokenResponse

/** Keeps only the headers that the outcome depends on, cut to a sane length. */
const KEPT_HEADERS = ['retry-after', 'content-type']
const KEPT_HEADER_LENGTH = 500

/** Seals an answer, bound to connection and generation. Its size is bounded (spool.ts). */
export function sealAnswer(answer: TokenAnswer): Promise<Sealed> {
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
 * Stores what is decided about an answer in one transaction; doing it twice does no harm. Keeps an
 * unreadable 2xx answer, sealed. For `in_doubt` the lease stays: its holder may send the token
 * again.
 */
export async function settleAnswer(
  answer: TokenAnswer,
  parse: ParseAnswer = processTokenResponse,
): Promise<Settlement> {
  const { connectionId, generation } = answer
  const outcome = parse(answer.status, answer.headers, answer.body, answer.receivedAt)
  if (outcome.kind === 'in_doubt')
    log.warn({ connectionId, generation, reason: outcome.reason }, 'a refresh ended without a usable answer')
  const decision = decide({ ...outcome, answer })
  const sealed = await sealWhatStays(answer, decision)
  if (sealed === 'outdated') return { kind: 'fenced' }
  const settled = await recordDecision(answer, decision, sealed)
  logSettled(answer, decision, settled)
  return settled
}

/** What is stored of the answer. `outdated`: it lacks what a newer generation has replaced. */
async function sealWhatStays(answer: TokenAnswer, decision: Decision): Promise<Sealed | null | 'outdated'> {
  if (decision.kind === 'end') return null
  if (decision.kind !== 'renew') return decision.keepsAnswer ? sealAnswer(answer) : null
  const { connectionId, generation } = answer
  const { accessToken } = decision.tokens
  const refreshToken = decision.tokens.refreshToken ?? (await readSentToken(answer))
  if (refreshToken === null) return 'outdated'
  return sealTokens({ accessToken, refreshToken }, { connectionId, generation: generation + 1 }, sealingKeys())
}

/** The refresh token that was sent, from the row; null when the row has a newer generation. */
async function readSentToken({ organizationId, connectionId, generation }: TokenAnswer): Promise<string | null> {
  const credential = await readCredential(organizationId, connectionId, 0)
  if (credential?.generation !== generation) return null
  return (await openTokens(credential.sealedTokens, { connectionId, generation }, openingKeys())).refreshToken
}

function logSettled({ connectionId, generation }: TokenAnswer, decision: Decision, settled: Settlement): void {
  if (settled.kind === 'renewed') log.info({ connectionId, generation: generation + 1 }, 'tokens renewed')
  else if (settled.kind === 'fenced' && decision.kind === 'renew')
    log.warn({ connectionId, generation }, 'renewed tokens were fenced off: the connection has newer ones')
  else if (settled.kind === 'ended') {
    const { cause, reason } = settled
    log.warn({ connectionId, cause, reason }, 'connection needs to be connected again')
  }
  if (settled.kind === 'fenced' || !('notice' in decision) || decision.notice === null) return
  log[settled.kind === 'renewed' ? 'warn' : 'error']({ connectionId, generation }, decision.notice.detail)
}
