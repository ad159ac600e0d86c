/**
 * How often somebody may try to sign in (reliability A18, docs/decisions/012-sign-in-throttle.md).
 */
import { createHmac } from 'node:crypto'
import { requireSetting } from '#lib/env.ts'
import { type Counted, countTry, takeBack } from './throttle.ts'

/** Who tries: hashes of account and network, and the browser's id when the account knows it. */
export type Who = { account: string; network: string; browser: string | null }

/** A keyed hash (HMAC-SHA-256 under the session secret): names, but does not reveal. */
export function toThrottleHash(kind: 'account' | 'network' | 'browser', value: string): string {
  return createHmac('sha256', requireSetting('sessionSecret').reveal())
    .update(`sign-in throttle ${kind} ${value}`)
    .digest('base64url')
}

/**
 * What an attempt counts in. A browser that has signed in to the account has only its own count:
 * what others try, at this account or from this network, does not make it wait.
 */
function toCounts({ account, network, browser }: Who): { own: Counted; shared: Counted[] } {
  if (browser !== null) return { own: { kind: 'browser', key: `${account} ${browser}` }, shared: [] }
  const shared: Counted[] = [
    { kind: 'network', key: network },
    { kind: 'account', key: account },
  ]
  return { own: toPair(account, network), shared }
}

function toPair(account: string, network: string): Counted {
  return { kind: 'pair', key: `${account} ${network}` }
}

/**
 * Counts an attempt, before its password is checked. Returns 0 when it may continue, else the
 * seconds to wait; one that must wait is not counted.
 */
export function countAttempt(who: Who): Promise<number> {
  const { own, shared } = toCounts(who)
  return countTry([own, ...shared])
}

/**
 * After the right password: resets the account's own count for this network and browser, and takes
 * this try back from the shared ones.
 */
export function forgetAttempt(who: Who): Promise<void> {
  const { own, shared } = toCounts(who)
  return takeBack([own, toPair(who.account, who.network)], shared)
}
