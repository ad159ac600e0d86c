/**
 * Tries that are counted in the database for all web processes together, by its clock (decision
 * 045). Its keys are keyed hashes and ids, which reveal nothing.
 */
import { type Bucket, fill, type Limit, takeFrom } from '#lib/bucket.ts'
import { type Sql, withSystemSql } from '#lib/db/tenant.ts'

/**
 * One account from one network or browser is where a person mistypes and an attacker guesses: few
 * free tries. A network may be a whole office, and anybody may try an account: more free tries, so
 * neither locks out the other. A directory works in bursts, and Microsoft asks for 25 requests a
 * second; a network that shows wrong tokens guesses, or has one that was revoked. Who
 * tries their digest does so a few times.
 */
const LIMITS = {
  pair: { free: 5, stepSeconds: 900 },
  browser: { free: 5, stepSeconds: 900 },
  network: { free: 10, stepSeconds: 60 },
  account: { free: 50, stepSeconds: 300 },
  'directory-token': { free: 500, stepSeconds: 0.04 },
  'directory-network': { free: 10, stepSeconds: 60 },
  digest: { free: 3, stepSeconds: 600, areWaitsEven: true },
} as const satisfies Record<string, Limit>

/** By then every level is 0: the highest level any limit allows drains within five hours. */
const KEPT_HOURS = 24
/** Old rows that a try deletes for each count: more than it adds. */
const SWEPT_ROWS = 20

/** Whose try it is, in one of the counts. */
export type Counted = { kind: keyof typeof LIMITS; key: string }
type Named = { kind: string; key: string }
type Row = Bucket & Named

/** Tries of requests that a web process has let through by its own count (request-budget.ts). */
export type CountedTries = { key: string; limit: Limit; tries: number }

const NAMED = '(kind, key) in (select * from unnest($1::text[], $2::text[]))'
const ORDER = 'order by kind collate "C", key collate "C"'
const COLUMNS = `kind, key, level, extract(epoch from clock_timestamp() - counted_at)::double precision as "ageSeconds"`

const toNames = (counts: Named[]) => [counts.map(({ kind }) => kind), counts.map(({ key }) => key)]

/**
 * Counts one try in each of the counts, or in none: returns 0 when it may be made, else the seconds
 * to wait. A try that must wait is not counted, so trying never prolongs the wait. Any number of
 * processes may ask at once.
 */
export function countTry(counts: Counted[]): Promise<number> {
  return withSystemSql(async (sql) => {
    // most of a flood ends here, at a read without a lock
    const seen = takeOne(counts, await sql<Row>(`select ${COLUMNS} from throttle where ${NAMED}`, toNames(counts)))
    if (seen.waitSeconds > 0) return seen.waitSeconds
    const taken = takeOne(counts, await lock(sql, counts))
    if (taken.waitSeconds > 0) return taken.waitSeconds
    await store(sql, counts, taken.levels)
    return 0
  })
}

/**
 * Adds what a process has counted to the count of all, and returns each level now. Nothing is
 * refused: that was decided before.
 */
export function addTries(counted: CountedTries[]): Promise<number[]> {
  return withSystemSql(async (sql) => {
    const names = counted.map(({ key }) => ({ kind: 'request', key }))
    const rows = new Map((await lock(sql, names)).map((row) => [row.key, row]))
    const levels = counted.map(({ key, limit, tries }) => fill(rows.get(key) as Row, limit, tries))
    await store(sql, names, levels)
    return levels
  })
}

/** Ends the counts `ended`, and takes one try back from those of `lowered`. */
export function takeBack(ended: Counted[], lowered: Counted[]): Promise<void> {
  return withSystemSql(async (sql) => {
    // lock in the order of counting, and touch nothing that another try has added since: either
    // would be a deadlock
    const rows = await sql<Row>(
      `select kind, key from throttle where ${NAMED} ${ORDER} for update`,
      toNames([...ended, ...lowered]),
    )
    const locked = (counts: Counted[]) => toNames(counts.filter((each) => rows.some((row) => isOf(row, each))))
    await sql(`delete from throttle where ${NAMED}`, locked(ended))
    await sql(`update throttle set level = greatest(0, level - 1) where ${NAMED}`, locked(lowered))
  })
}

function isOf(row: { kind: string; key: string }, { kind, key }: Counted): boolean {
  return row.kind === kind && row.key === key
}

/** Takes one from all of the buckets; the longest wait counts. */
function takeOne(counts: Counted[], rows: Row[]): { waitSeconds: number; levels: number[] } {
  const empty: Bucket = { level: 0, ageSeconds: 0 }
  const each = counts.map((counted) => takeFrom(rows.find((row) => isOf(row, counted)) ?? empty, LIMITS[counted.kind]))
  return {
    waitSeconds: Math.max(...each.map(({ waitSeconds }) => waitSeconds)),
    levels: each.map(({ level }) => level),
  }
}

/** Inserts missing rows and locks all of them, in one order for everybody. */
function lock(sql: Sql, counts: Named[]): Promise<Row[]> {
  return sql<Row>(
    `insert into throttle as t (kind, key, level, counted_at)
     select kind, key, 0, clock_timestamp() from unnest($1::text[], $2::text[]) as n (kind, key) ${ORDER}
     on conflict (kind, key) do update set level = t.level returning ${COLUMNS}`,
    toNames(counts),
  )
}

/** Also deletes a few rows that no longer count; skips locked ones. */
function store(sql: Sql, counts: Named[], levels: number[]): Promise<unknown> {
  return sql(
    `with old as (
       select kind, key from throttle
       where counted_at < now() - make_interval(hours => ${KEPT_HOURS}) and not ${NAMED}
       order by counted_at limit ${SWEPT_ROWS * counts.length} for update skip locked
     ), swept as (delete from throttle t using old where t.kind = old.kind and t.key = old.key)
     update throttle t set level = n.level, counted_at = clock_timestamp()
     from unnest($1::text[], $2::text[], $3::double precision[]) as n (kind, key, level)
     where t.kind = n.kind and t.key = n.key`,
    [...toNames(counts), levels],
  )
}
