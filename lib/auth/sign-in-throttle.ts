/**
 * How often somebody may try to sign in, counted in the database for all web processes together
 * (reliability A18, docs/decisions/012-sign-in-throttle.md). Stores only keyed hashes and numbers,
 * and uses the database's clock.
 */
import { createHmac } from 'node:crypto'
import { type Sql, withSystemSql } from '#lib/db/tenant.ts'
import { requireSetting } from '#lib/env.ts'
import { type Bucket, type Limit, toLevel, toWaitSeconds } from './throttle.ts'

/**
 * One account from one network or browser is where a person mistypes and an attacker guesses: few
 * free tries. A network may be a whole office, and anybody may try an account: more free tries, so
 * neither locks out the other.
 */
const LIMITS = {
  pair: { free: 5, stepSeconds: 900 },
  browser: { free: 5, stepSeconds: 900 },
  network: { free: 10, stepSeconds: 60 },
  account: { free: 50, stepSeconds: 300 },
} as const satisfies Record<string, Limit>

/** By then every level is 0: the highest level any limit allows drains within five hours. */
const KEPT_HOURS = 24
/** Old rows that an attempt deletes: more than it adds. */
const SWEPT_ROWS = 20

/** Who tries: hashes of account and network, and the browser's id when the account knows it. */
export type Who = { account: string; network: string; browser: string | null }

/** A keyed hash (HMAC-SHA-256 under the session secret): names, but does not reveal. */
export function toThrottleHash(kind: 'account' | 'network' | 'browser', value: string): string {
  return createHmac('sha256', requireSetting('sessionSecret').reveal())
    .update(`sign-in throttle ${kind} ${value}`)
    .digest('base64url')
}

type Counted = { key: string; limit: Limit }

/**
 * The buckets an attempt counts in. A browser that has signed in to the account has only its own:
 * what others try, at this account or from this network, does not make it wait.
 */
function toBuckets({ account, network, browser }: Who): { own: Counted; shared: Counted[] } {
  if (browser !== null) return { own: { key: `browser ${account} ${browser}`, limit: LIMITS.browser }, shared: [] }
  const shared = [
    { key: `network ${network}`, limit: LIMITS.network },
    { key: `account ${account}`, limit: LIMITS.account },
  ]
  return { own: { key: toPairKey(account, network), limit: LIMITS.pair }, shared }
}

function toPairKey(account: string, network: string): string {
  return `pair ${account} ${network}`
}

/**
 * Counts an attempt, before its password is checked. Returns 0 when it may continue, else the
 * seconds to wait. An attempt that must wait is not counted, so trying never prolongs the wait. Any
 * number of processes may ask at once.
 */
export function countAttempt(who: Who): Promise<number> {
  const { own, shared } = toBuckets(who)
  const buckets = [own, ...shared]
  return withSystemSql(async (sql) => {
    // most of a flood ends here, at a read without a lock
    const wait = longestWait(await readBuckets(sql, buckets), buckets)
    if (wait > 0) return wait
    const locked = await lockBuckets(sql, buckets)
    const waitNow = longestWait(locked, buckets)
    if (waitNow > 0) return waitNow
    await sql(
      `update sign_in_throttle t set level = n.level, counted_at = clock_timestamp()
       from unnest($1::text[], $2::double precision[]) as n (key, level) where t.key = n.key`,
      [buckets.map(({ key }) => key), buckets.map(({ key, limit }) => toLevel(bucketOf(locked, key), limit) + 1)],
    )
    await sweep(sql)
    return 0
  })
}

/**
 * After the right password: resets the account's own count for this network and browser, and takes
 * this try back from the shared ones.
 */
export function forgetAttempt(who: Who): Promise<void> {
  const { own, shared } = toBuckets(who)
  const ended = [own.key, toPairKey(who.account, who.network)]
  const lowered = shared.map(({ key }) => key)
  return withSystemSql(async (sql) => {
    // lock in the order of counting, and touch nothing that another attempt has added since: either
    // would be a deadlock
    const rows = await sql<{ key: string }>(
      'select key from sign_in_throttle where key = any($1) order by key collate "C" for update',
      [[...ended, ...lowered]],
    )
    const locked = (keys: string[]) => [keys.filter((key) => rows.some((row) => row.key === key))]
    await sql('delete from sign_in_throttle where key = any($1)', locked(ended))
    await sql('update sign_in_throttle set level = greatest(0, level - 1) where key = any($1)', locked(lowered))
  })
}

type Row = Bucket & { key: string }

const COLUMNS = `t.key, t.level, extract(epoch from clock_timestamp() - t.counted_at)::double precision as "ageSeconds"`

function readBuckets(sql: Sql, buckets: Counted[]): Promise<Row[]> {
  return sql<Row>(`select ${COLUMNS} from sign_in_throttle t where key = any($1)`, [buckets.map(({ key }) => key)])
}

/** Inserts missing rows and locks all of them, in one order for everybody. */
function lockBuckets(sql: Sql, buckets: Counted[]): Promise<Row[]> {
  return sql<Row>(
    `insert into sign_in_throttle as t (key, level, counted_at)
     select key, 0, clock_timestamp() from unnest($1::text[]) as key order by key collate "C"
     on conflict (key) do update set level = t.level returning ${COLUMNS}`,
    [buckets.map(({ key }) => key)],
  )
}

function longestWait(rows: Row[], buckets: Counted[]): number {
  return Math.max(...buckets.map(({ key, limit }) => toWaitSeconds(bucketOf(rows, key), limit)))
}

function bucketOf(rows: Row[], key: string): Bucket {
  return rows.find((row) => row.key === key) ?? { level: 0, ageSeconds: 0 }
}

/** Deletes a few rows that no longer count with each counted attempt; skips locked rows. */
function sweep(sql: Sql): Promise<unknown> {
  return sql(
    `with old as (
       select key from sign_in_throttle where counted_at < now() - make_interval(hours => ${KEPT_HOURS})
       order by counted_at limit ${SWEPT_ROWS} for update skip locked)
     delete from sign_in_throttle t using old where t.key = old.key`,
  )
}
