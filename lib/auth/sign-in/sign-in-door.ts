/**
 * The first check of a sign-in form, before the web server spends anything on it: turning a flood
 * away here costs a fraction of what it would further in (reliability A18). It counts in the
 * process and knows no account. How often a password may be tried is decided behind it, in the
 * database (sign-in-throttle.ts).
 */

import { type Limit, takeFrom } from '#lib/bucket.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { parseCookies } from '#lib/http/cookies.ts'
import { type PlainReply, toWaitReply } from '#lib/http/wait-reply.ts'
import { log } from '#lib/log.ts'
import { processWide } from '#lib/process-wide.ts'
import { toThrottleHash } from '../limits/sign-in-throttle.ts'
import { isBusy } from '../passwords/password.ts'
import { readAnyKnownBrowser } from './known-browser.ts'

/** Per network or known browser; then one form every ten seconds. Successes do not count. */
const LIMIT: Limit = { free: 10, stepSeconds: 10 }
/** The wait when too many strangers' passwords are queued already. */
export const BUSY_SECONDS = 10
/** Networks that are remembered; a new one replaces the one quiet for longest. */
const MAX_BUCKETS = 10_000
/** During a flood, one line per network in this time, with a number, instead of one per form. */
const LOG_EVERY_MS = 10_000

type Bucket = { level: number; at: number; turnedAway: number; loggedAt: number }

/** What lib/cli/run/request-door.mjs passes: Node's request. */
export type DoorRequest = { method?: string; url?: string; headers: Record<string, string | string[] | undefined> }
type Door = { refuse?: (request: DoorRequest) => PlainReply | undefined }

/** Set by lib/cli/run/request-door.mjs before the web server. */
const holder = globalThis as { tieoutDoor?: Door }

/** Guards the door from now on. A server not started by our command has no door: does nothing. */
export function guardDoor(): void {
  if (holder.tieoutDoor !== undefined) holder.tieoutDoor.refuse ??= refuse
}

/** Takes back one count: a client that signs in was not flooding. */
export function forgiveAtDoor(headers: Pick<Headers, 'get'>, now: Date): void {
  const bucket = allBuckets().get(toKey(headers, now).key)
  if (bucket !== undefined) bucket.level = Math.max(0, bucket.level - 1)
}

const allBuckets = () => processWide('tieoutDoorBuckets', () => new Map<string, Bucket>())

/** The answer to a sign-in form that is turned away; undefined for any other request. */
function refuse(request: DoorRequest): PlainReply | undefined {
  if (request.method !== 'POST' || request.url?.split('?')[0] !== '/api/sign-in') return undefined
  const now = new Date()
  const { key, isKnown } = toKey({ get: (name) => request.headers[name]?.toString() ?? null }, now)
  const bucket = takeBucket(key, now.getTime())
  const { level, at } = bucket
  const taken = takeFrom({ level, ageSeconds: (now.getTime() - at) / 1000 }, LIMIT)
  const seconds = Math.ceil(taken.waitSeconds)
  if (seconds > 0) return turnAway(key, bucket, seconds, now.getTime())
  bucket.level = taken.level
  bucket.at = now.getTime()
  return !isKnown && isBusy() ? turnAway(key, bucket, BUSY_SECONDS, now.getTime()) : undefined
}

/** A known browser is counted by itself, not with its network. */
function toKey(headers: Pick<Headers, 'get'>, now: Date): { key: string; isKnown: boolean } {
  const browser = readAnyKnownBrowser(parseCookies(headers.get('cookie')), now)
  return browser === null
    ? { key: toThrottleHash('network', toClientNetwork(headers)), isKnown: false }
    : { key: browser, isKnown: true }
}

function takeBucket(key: string, nowMs: number): Bucket {
  const buckets = allBuckets()
  const bucket = buckets.get(key) ?? { level: 0, at: nowMs, turnedAway: 0, loggedAt: 0 }
  // a Map iterates in insertion order
  buckets.delete(key)
  buckets.set(key, bucket)
  const [quietest] = buckets.keys()
  if (buckets.size > MAX_BUCKETS && quietest !== undefined) buckets.delete(quietest)
  return bucket
}

function turnAway(key: string, bucket: Bucket, seconds: number, nowMs: number): PlainReply {
  bucket.turnedAway += 1
  if (nowMs - bucket.loggedAt >= LOG_EVERY_MS) {
    log.warn({ why: 'flood', network: key.slice(0, 12), turnedAway: bucket.turnedAway }, 'sign-in refused')
    Object.assign(bucket, { turnedAway: 0, loggedAt: nowMs })
  }
  return toWaitReply(seconds, '/')
}
