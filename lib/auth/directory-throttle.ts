/**
 * How often a directory may ask, and how often a network may show tokens that are none; counted in
 * the database for all web processes together (docs/decisions/034-directory.md).
 */
import { withSystemSql } from '#lib/db/tenant.ts'
import { type Bucket, type Limit, toLevel, toWaitSeconds } from './throttle.ts'

/**
 * A directory works in bursts, and Microsoft asks for 25 requests a second. A network that shows
 * wrong tokens guesses, or has one that was revoked: ten, then one a minute.
 */
const LIMITS = {
  token: { free: 500, stepSeconds: 0.04 },
  network: { free: 10, stepSeconds: 60 },
} as const satisfies Record<string, Limit>

/** By then every level is 0. */
const KEPT_HOURS = 24

/**
 * Counts a request. Returns 0 when it may continue, else the seconds to wait; what must wait is not
 * counted. `who` is a token's id or a keyed hash of a network.
 */
export function countDirectoryRequest(kind: keyof typeof LIMITS, who: string): Promise<number> {
  const key = `${kind} ${who}`
  const limit = LIMITS[kind]
  return withSystemSql(async (sql) => {
    const [bucket] = await sql<Bucket>(
      `insert into directory_throttle as t (key, level, counted_at) values ($1, 0, clock_timestamp())
       on conflict (key) do update set level = t.level
       returning level, extract(epoch from clock_timestamp() - counted_at)::double precision as "ageSeconds"`,
      [key],
    )
    if (bucket === undefined) throw new Error('a bucket is there once it was inserted')
    const wait = toWaitSeconds(bucket, limit)
    if (wait > 0) return wait
    await sql('update directory_throttle set level = $2, counted_at = clock_timestamp() where key = $1', [
      key,
      toLevel(bucket, limit) + 1,
    ])
    await sql(
      `delete from directory_throttle where key in (
         select key from directory_throttle where counted_at < now() - make_interval(hours => ${KEPT_HOURS})
         limit 5 for update skip locked)`,
    )
    return 0
  })
}
