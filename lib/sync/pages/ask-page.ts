import { setTimeout as delay } from 'node:timers/promises'
import { log } from '#lib/log.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'
import { CircuitOpenError } from '../platform/partner-host.ts'
import { isWorthRetrying, toSyncFailure } from '../runs/sync-failure.ts'
import { backoffMs, type SyncTiming } from '../runs/timing.ts'

export type PageRequest<Page> = {
  /** One request for the page. */
  request: () => Promise<Page>
  /**
   * Renews the access token with which the last request was made, unless that one was itself
   * renewed for a refusal.
   */
  renewToken: () => Promise<void>
  /** Told of each failed request. */
  onFailure?: (thrown: unknown) => Promise<void>
  timing: SyncTiming
  /** Aborted when the run is to stop: a pause ends at once. */
  signal: AbortSignal
}

/**
 * One page, asked for until it comes: a 401 renews the token once and asks for the same page again
 * (reliability F28); what may pass is tried again after a pause, which is as long as the partner
 * asks for (F22, F27). Throws the last error once the tries are used up, or at once when the
 * partner asks for a longer pause than a worker should hold a run.
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
      // the circuit has opened under our own failures: those are what the run has to say
      if (thrown instanceof CircuitOpenError && lastFailure !== null && thrown.waitMs > timing.retryCapMs)
        throw lastFailure
      await page.onFailure?.(thrown)
      if (isUnauthorized(thrown) && !hasRenewed) {
        hasRenewed = true
        await renewToken()
        attempt -= 1
        continue
      }
      const { error, retryAfterMs } = toSyncFailure(thrown)
      const pauseMs = retryAfterMs ?? backoffMs(attempt, timing.retryBaseMs, timing.retryCapMs)
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
