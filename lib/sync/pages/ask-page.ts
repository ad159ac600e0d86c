import { setTimeout as delay } from 'node:timers/promises'
import { log } from '#lib/log.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'
import { CircuitOpenError } from '../platform/partner-host.ts'
import { isWorthRetrying, toPauseMs, toSyncFailure } from '../runs/sync-failure.ts'
import { backoffMs, type SyncTiming } from '../runs/timing.ts'

export type PageRequest<Page> = {
  /** Makes one request for the page. */
  request: () => Promise<Page>
  /**
   * Renews the access token of the last request, unless that token itself came from such a renewal.
   */
  renewToken: () => Promise<void>
  /** Called for each failed request. */
  onFailure?: (thrown: unknown) => Promise<void>
  timing: SyncTiming
  /** Aborted when the run must stop; ends a pause at once. */
  signal: AbortSignal
}

/**
 * Asks for one page until it comes. A 401 renews the token once and asks again (reliability F28).
 * Transient failures are retried after a pause, the partner's own if it names one (F22, F27).
 * Throws the last error once the tries are used up, or at once when the partner wants a longer
 * pause than a worker should hold a run.
 */
export async function askForPage<Page>(page: PageRequest<Page>): Promise<Page> {
  const { request, renewToken, timing, signal } = page
  let hasRenewed = false
  let lastFailure: unknown = null
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (thrown) {
      signal.throwIfAborted()
      // our own failures opened the circuit: report them, not the open circuit
      if (thrown instanceof CircuitOpenError && lastFailure !== null && thrown.waitMs > timing.retryCapMs)
        throw lastFailure
      await page.onFailure?.(thrown)
      if (isUnauthorized(thrown) && !hasRenewed) {
        hasRenewed = true
        await renewToken()
        attempt -= 1
        continue
      }
      const failure = toSyncFailure(thrown)
      const { error } = failure
      const pauseMs = toPauseMs(failure, backoffMs(attempt, timing.retryBaseMs, timing.retryCapMs), timing)
      if (!isWorthRetrying(thrown) || attempt >= timing.triesPerPage || pauseMs > timing.retryCapMs) throw thrown
      if (!(thrown instanceof CircuitOpenError)) lastFailure = thrown
      log.warn({ code: error.code, reason: error.message, attempt, pauseMs }, 'page is read again')
      await delay(pauseMs, undefined, { signal })
    }
  }
}

function isUnauthorized(thrown: unknown): boolean {
  return thrown instanceof PartnerError && thrown.kind === 'unauthorized'
}
