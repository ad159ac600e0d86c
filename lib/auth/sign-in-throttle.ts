/**
 * How often somebody may try to sign in, counted in the database and so by all web processes
 * together (reliability A18, docs/decisions/012-sign-in-throttle.md). What is stored is keyed
 * hashes and numbers; the database's clock counts.
 */
import { createHmac } from 'node:crypto'
import { type Sql, withSystemSql } from '#lib/db/tenant.ts'
import { requireSetting } from '#lib/env.ts'
import { type Bucket, type Limit, toLevel, toWaitSeconds } from './throttle.ts'

/**
 * One account from one network or browser is where a person mistypes, and where somebody guesses:
 * few free tries. A network may be a whole office, and an account may be tried by anybody: more
 * free tries, so that the one does not lock out the other.
 */
const LIMITS = {
  pair: { free: 5, stepSeconds: 900 },
  browser: { free: 5, stepSeconds: 900 },
  network: { free: 10, stepSeconds: 60 },
  account: { free: 50, stepSeconds: 300 },
} as const satisfies Record<string, Limit>

/**
 * By then every level is 0: the highest that any limit lets through is forgotten within five hours.
 */
const KEPT_HOURS = 24
/** Old rows that an attempt takes with it: more than it adds. */
const SWEPT_ROWS = 20

/**
 * Who tries: hashes of the account and of the network it comes from; the id of the browser when it
 * is known to the account.
 */
export type Who = { account: string; network: string; browser: string | null }

/**
 * A keyed hash (HMAC-SHA-256 under the session secret) that names an account, a network or a
 * browser without telling it.
 */
export function toThrottleHash(kind: 'account' | 'network' | 'browser', value: string): string {
  return createHmac('sha256', requireSetting('sessionSecret'))
    .update(`sign-in throttle ${kind} ${value}`)
    .digest('base64url')
}

type Counted = { key: string; limit: Limit }

/**
 * What an attempt is counted in. A browser that has signed in to the account before has a bucket of
 * its own and no other: whatever others try, at this account or from this network, it does not wait
 * for them.
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
 * Counts an attempt, before its password is looked at. Returns 0 when it may go on, else the
 * seconds that it has to wait: it is not counted then, so that waiting is never made longer by
 * trying. Any number of processes may ask at once.
 */
export function countAttempt(who: Who): Promise<number> {
  const { own, shared } = toBuckets(who)
  const buckets = [own, ...shared]
  return withSystemSql(async (sql) => {
    // most of a flood ends here, at a look without a lock
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
 * After the right password: the account's own count for this network and this browser starts anew,
 * the others lose this try.
 */
export function forgetAttempt(who: Who): Promise<void> {
  const { own, shared } = toBuckets(who)
  const ended = [own.key, toPairKey(who.account, who.network)]
  const lowered = shared.map(({ key }) => key)
  return withSystemSql(async (sql) => {
    // in the order of counting, so that neither waits for the other for ever
    await sql('select from sign_in_throttle where key = any($1) order by key collate "C" for update', [
      [...ended, ...lowered],
    ])
    await sql('delete from sign_in_throttle where key = any($1)', [ended])
    await sql('update sign_in_throttle set level = greatest(0, level - 1) where key = any($1)', [lowered])
  })
}

type Row = Bucket & { key: string }

const COLUMNS = `t.key, t.level, extract(epoch from clock_timestamp() - t.counted_at)::double precision as "ageSeconds"`

function readBuckets(sql: Sql, buckets: Counted[]): Promise<Row[]> {
  return sql<Row>(`select ${COLUMNS} from sign_in_throttle t where key = any($1)`, [buckets.map(({ key }) => key)])
}

/** Makes the rows that are missing and locks all of them, in one order for everybody. */
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

/**
 * Rows that say nothing any more go a few at a time with whoever is counted; nobody waits for a row
 * that is in use.
 */
function sweep(sql: Sql): Promise<unknown> {
  return sql(
    `with old as (
       select key from sign_in_throttle where counted_at < now() - make_interval(hours => ${KEPT_HOURS})
       order by counted_at limit ${SWEPT_ROWS} for update skip locked)
     delete from sign_in_throttle t using old where t.key = old.key`,
  )
}
