import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseTrouble } from '#lib/db/database-trouble.ts'
import { requireSetting } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import type { PartnerResponse } from '#lib/partner/http/http.ts'
import { toRefreshRequest } from '#lib/partner/oauth/oauth-requests.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'
import { openingKeys } from './key-ring.ts'
import { sealAnswer, settleAnswer, type TokenAnswer } from './refresh-answer.ts'
import { decide } from './refresh-decision.ts'
import type { RefreshFailpoint } from './refresh-failpoints.ts'
import { continueLease, LEASE_SECONDS, type RefreshLease } from './refresh-lease.ts'
import { type AttemptRef, recordDecision, type Settlement } from './refresh-outcome.ts'
import { reserveSpool, type SpoolSlot } from './spool.ts'
import { keepReplaying } from './spool-replay.ts'
import { askTokenEndpoint, TOKEN_DEADLINE_MS } from './token-endpoint.ts'
import { openTokens } from './vault.ts'

/** Pauses before sending a token again: some servers answer a replay for half a minute. */
const REPLAY_PAUSES_MS = [500, 2_000, 5_000]
/** Unsettled calls for one generation, over all workers, before they come one at a time. */
const MAX_PROMPT_CALLS = REPLAY_PAUSES_MS.length + 1
/** How long a caller waits for a missing database; after that only the spool keeps trying. */
const COMMIT_PATIENCE_MS = 20_000

export type RenewOptions = {
  /** Aborted when the process is to stop: begins no further call, finishes one on its way. */
  signal?: AbortSignal
  failpoint?: RefreshFailpoint
  /** Shorter, for tests; the lease must be longer than the deadline. */
  leaseSeconds?: number
  deadlineMs?: number
  /** Pauses before sending a token again; shorter, for tests. They do not change how often. */
  replayPausesMs?: readonly number[]
  /** The process's clocks; tests pass others. */
  readClocks?: () => Clocks
}

/**
 * The only function that sends a refresh token. Sends it under a committed lease, with no
 * transaction open, and stores the answer. While the outcome is unknown, sends it again promptly,
 * at most four times in all. `leasedSince` are the process's clocks from before the lease was
 * taken. Returns when the connection may have newer tokens, no matter who stored them. @throws
 * OperationalError for every other end.
 */
export async function renewTokens(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  lease: RefreshLease,
  options: RenewOptions & { leasedSince: Clocks },
): Promise<void> {
  const refreshToken = await openRefreshToken(organizationId, connectionId, lease)
  let current = lease
  let since = options.leasedSince
  for (let calls = lease.credential.doubtfulCalls + 1; ; calls++) {
    const attempt = toAttempt(organizationId, connectionId, current)
    let end = await attemptOnce(attempt, { ...options, refreshToken, since, startedAt: lease.startedAt })
    if (end.kind === 'in_doubt' && (calls >= MAX_PROMPT_CALLS || options.signal?.aborted))
      end = await recordDecision(attempt, decide({ kind: 'given_up', reason: end.reason }))
    if (end.kind === 'renewed' || end.kind === 'fenced') return
    if (end.kind === 'ended')
      throw new OperationalError('connection-needs-reconnect', `refresh token refused (${end.cause})`)
    if (end.kind !== 'in_doubt') throw end.error
    since = (options.readClocks ?? readClocks)()
    const next = await continueLease(organizationId, connectionId, current, { ...options, reason: end.reason })
    if (next === null) return // another worker has taken over; use what it got
    current = next
    const pauseMs = (options.replayPausesMs ?? REPLAY_PAUSES_MS)[calls - 1] ?? 0
    await pause(pauseMs, undefined, { signal: options.signal }).catch(() => undefined)
  }
}

/** In milliseconds: a clock that stops while the machine sleeps, and one that can be set. */
export type Clocks = { monotonic: number; wall: number }
export function readClocks(): Clocks {
  return { monotonic: performance.now(), wall: Date.now() }
}
/** How long ago `since` was, by the clock that says more. */
function elapsedMs(since: Clocks, now: Clocks): number {
  return Math.max(now.monotonic - since.monotonic, now.wall - since.wall)
}

function toAttempt(organizationId: OrganizationId, connectionId: ConnectionId, lease: RefreshLease): AttemptRef {
  const { attemptId, owner, credential } = lease
  return { organizationId, connectionId, generation: credential.generation, attemptId, owner }
}

type OneAttempt = RenewOptions & {
  refreshToken: string
  since: Clocks
  /** Of the first call: a replay may return its tokens, whose lifetimes count from then. */
  startedAt: Date
}

/** One call: reserve room for the answer, send the request, spool the answer, then store it. */
async function attemptOnce(attempt: AttemptRef, options: OneAttempt): Promise<Settlement> {
  if (options.signal?.aborted)
    return recordDecision(attempt, decide({ kind: 'withdrawn', reason: 'the worker is stopping' }))
  // a process that was stopped here must not send a token another may have used since
  const { leaseSeconds = LEASE_SECONDS, deadlineMs = TOKEN_DEADLINE_MS } = options
  const now = (options.readClocks ?? readClocks)()
  if (elapsedMs(options.since, now) + deadlineMs > leaseSeconds * 1000) {
    await recordDecision(attempt, decide({ kind: 'withdrawn', reason: 'the lease had too little time left' }))
    return { kind: 'fenced' }
  }
  let slot: SpoolSlot
  try {
    slot = await reserveSpool(attempt.connectionId, attempt.generation)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    log.error({ reason }, 'no room for an answer in the spool: nothing is sent')
    return recordDecision(attempt, decide({ kind: 'no_room', reason }))
  }
  try {
    const response = await send(options)
    await options.failpoint?.('after-receive')
    const answer = { ...attempt, startedAt: options.startedAt, ...response }
    await keep(slot, answer)
    await options.failpoint?.('after-spool')
    const settled = await settlePatiently(answer, options.signal)
    await options.failpoint?.('after-commit')
    await slot.remove()
    return settled
  } catch (thrown) {
    if (!(thrown instanceof PartnerError)) throw thrown
    await slot.remove()
    log.warn({ connectionId: attempt.connectionId, reason: thrown.message }, 'token endpoint gave no answer')
    if (thrown.neverSent) return recordDecision(attempt, decide({ kind: 'not_sent', reason: thrown.message }))
    // noted with what follows: another call, or the end of calls
    return { kind: 'in_doubt', reason: thrown.message }
  }
}

function send({ refreshToken, failpoint, deadlineMs }: OneAttempt): Promise<PartnerResponse> {
  const request = toRefreshRequest(requireSetting('partner'), refreshToken)
  return askTokenEndpoint(request, { deadlineMs, onSent: () => void failpoint?.('after-send') })
}

/** Spools the answer before anything else. If the disk fails now, the answer is still used. */
async function keep(slot: SpoolSlot, answer: TokenAnswer): Promise<void> {
  try {
    await slot.keep((await sealAnswer(answer)).sealed)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    log.error({ connectionId: answer.connectionId, reason }, 'the answer could not be spooled')
  }
}

/** Stores the answer, retrying while the database is away; after that the spool keeps it. */
async function settlePatiently(answer: TokenAnswer, signal?: AbortSignal): Promise<Settlement> {
  const giveUpAt = performance.now() + COMMIT_PATIENCE_MS
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    try {
      return await settleAnswer(answer)
    } catch (thrown) {
      const { connectionId } = answer
      log.error({ connectionId, reason: thrown instanceof Error ? thrown.message : '' }, 'an answer waits to be stored')
      if (!isDatabaseTrouble(thrown) || signal?.aborted || performance.now() > giveUpAt) {
        keepReplaying()
        if (!isDatabaseTrouble(thrown)) throw thrown
        throw new OperationalError('database-unavailable', thrown.message, { cause: thrown })
      }
      await pause(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function openRefreshToken(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  lease: RefreshLease,
): Promise<string> {
  const { generation, sealedTokens } = lease.credential
  try {
    return (await openTokens(sealedTokens, { connectionId, generation }, openingKeys())).refreshToken
  } catch (error) {
    const attempt = toAttempt(organizationId, connectionId, lease)
    await recordDecision(attempt, decide({ kind: 'token_unreadable' }))
    throw error
  }
}
