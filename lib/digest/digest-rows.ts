/**
 * The rows of digests, which say by themselves what is due (decision 044). Each is there before its
 * mail leaves, under a key that exists once: of several workers one sends it, and once at most.
 */
import { isAllowed, type Role } from '#lib/auth/permissions.ts'
import { withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { Formats } from '#lib/reconcile/formats.ts'
import type { StoredFormats } from '#lib/reconcile/own-formats/format-choices.ts'
import { LAST_TOLD, MOST_DAYS } from './digest-settings.ts'
import { toMailFormats } from './mail-formats.ts'
import type { DigestCause, DigestState, Rhythm, Span } from './model.ts'
import { toFirstSince, toLastSlot } from './period.ts'

/** Lines are seen when their transaction begins: those of the span are there by then. */
const GRACE_MS = 2 * 60_000
/** How long one worker has a digest to read it. */
const LEASE_SECONDS = 120
/** A mail that is not sent by then is one whose worker has stopped. */
const SENDING_MINUTES = 10
/** No digest tells of anything before that. */
const KEPT_DAYS = 100

/** SQL: whoever `u` is can sign in, and has an address. */
const IS_HERE = 'u.disabled_at is null and u.removed_at is null and u.email is not null'
const formatsOf = (row: 'u' | 'o') =>
  `json_build_object('numberFormat', ${row}.number_format, 'dateFormat', ${row}.date_format, 'timeZone', ${row}.time_zone)`
const OWN = 'organization_id = $1 and person_id = $2 and period = $3'

type Chosen = {
  organizationId: OrganizationId
  userId: UserId
  rhythm: Exclude<Rhythm, 'off'>
  chosenAt: Date
  told: Date | null
  lastDay: string | null
  own: StoredFormats
  organization: StoredFormats
}

/**
 * Makes the rows of the digests that are due at `now`, and says of those whose worker has stopped
 * that nobody knows whether they arrived. Any number of workers may do so at once.
 */
export async function planDigests(now: Date): Promise<void> {
  const chosen = await withSystemSql(async (sql) => {
    await sql(
      `update digest set state = 'failed', cause = 'stopped', moved_at = statement_timestamp()
       where state = 'sending' and moved_at < statement_timestamp() - interval '${SENDING_MINUTES} minutes'`,
    )
    await sql(`delete from digest where until < $1::timestamptz - interval '${KEPT_DAYS} days'`, [now])
    return sql<Chosen>(
      `select s.organization_id as "organizationId", s.person_id as "userId", s.rhythm, s.chosen_at as "chosenAt",
         d.told, d."lastDay", ${formatsOf('u')} as own, ${formatsOf('o')} as organization
       from digest_setting s
         join app_user u on u.organization_id = s.organization_id and u.id = s.person_id
         join organization o on o.id = s.organization_id
         left join lateral (
           select ${LAST_TOLD} as told, max(d.period) filter (where not d.asked) as "lastDay" from digest d
           where d.organization_id = s.organization_id and d.person_id = s.person_id) d on true
       where s.rhythm <> 'off' and ${IS_HERE}`,
    )
  })
  for (const each of chosen) {
    const due = toDue(each, now.getTime())
    if (due !== null) await addRow(each, due, now)
  }
}

/** What is due to a person, and was not made yet. */
function toDue({ own, organization, rhythm, chosenAt, told, lastDay }: Chosen, now: number) {
  const { timeZone } = toMailFormats(own, organization)
  const { day, at } = toLastSlot(rhythm, timeZone, now - GRACE_MS)
  if (at <= chosenAt.getTime() || (lastDay !== null && lastDay >= day)) return null
  const isRecent = told !== null && at - told.getTime() < MOST_DAYS * 86_400_000
  return { day, until: new Date(at), since: isRecent ? told : new Date(toFirstSince(rhythm, at)) }
}

async function addRow(
  { organizationId, userId }: Chosen,
  { day, since, until }: { day: string; since: Date; until: Date },
  now: Date,
): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql(
      `insert into digest (organization_id, person_id, period, asked, since, until, try_at)
       values ($1, $2, $3, false, $4, $5, $6) on conflict do nothing`,
      [organizationId, userId, day, since, until, now],
    ),
  )
}

/** A digest that one worker has; `tries` tells it from a later claim. */
export type Claimed = {
  organizationId: OrganizationId
  userId: UserId
  period: string
  tries: number
  span: Span
  /** Whether the person asked for it, whatever they have chosen. */
  asked: boolean
  /** Null when the person can no longer sign in, or see anything. */
  person: { email: string; role: Role; rhythm: Rhythm; linkKey: string; formats: Formats } | null
}

type ClaimedRow = Omit<Claimed, 'span' | 'person'> & { since: Date; until: Date }
type PersonRow = Omit<NonNullable<Claimed['person']>, 'formats'> & { own: StoredFormats; organization: StoredFormats }

/** Takes a digest that is due at `now`, the oldest first; null when there is none. */
export async function claimDigest(now: Date): Promise<Claimed | null> {
  const taken = await withSystemSql((sql) =>
    claim<ClaimedRow>(
      sql,
      {
        table: 'digest',
        key: 'organization_id, person_id, period',
        isDue: `state = 'waiting' and try_at <= $1::timestamptz
          and coalesce(lease_until, '-infinity') <= statement_timestamp()`,
        order: 'try_at',
        hold: `tries = tries + 1, lease_until = statement_timestamp() + make_interval(secs => ${LEASE_SECONDS})`,
        returning: `organization_id as "organizationId", person_id as "userId", period, asked, tries, since, until`,
      },
      [now],
    ),
  )
  if (taken === null) return null
  const { since, until, ...digest } = taken
  const span = { since: since.toISOString(), until: until.toISOString() }
  return { ...digest, span, person: await readPerson(digest) }
}

async function readPerson({ organizationId, userId }: Pick<Claimed, 'organizationId' | 'userId'>) {
  const [found] = await withTenantSql(organizationId, (sql) =>
    sql<PersonRow>(
      `select u.email, u.role, s.rhythm, s.link_key as "linkKey", ${formatsOf('u')} as own, ${formatsOf('o')} as organization
       from app_user u
         join organization o on o.id = u.organization_id
         join digest_setting s on s.organization_id = u.organization_id and s.person_id = u.id
       where u.organization_id = $1 and u.id = $2 and ${IS_HERE}`,
      [organizationId, userId],
    ),
  )
  if (found === undefined || !isAllowed(found.role, 'read')) return null
  const { own, organization, ...person } = found
  return { ...person, formats: toMailFormats(own, organization) }
}

/** How a digest stands from now on. */
type Move = { state: DigestState; cause?: DigestCause; reply?: string | null; tryAt?: Date }

/**
 * Notes how a digest stands; `false` when it is no longer this worker's: somebody else has taken it
 * since, or has sent it. Before a mail leaves, its row says so (`sending`).
 */
export async function moveDigest(
  { organizationId, userId, period, tries }: Claimed,
  from: 'waiting' | 'sending',
  { state, cause, reply, tryAt }: Move,
): Promise<boolean> {
  const moved = await withTenantSql(organizationId, (sql) =>
    sql(
      `update digest set state = $6, cause = $7, reply = $8, try_at = coalesce($9::timestamptz, try_at), lease_until = null,
         moved_at = statement_timestamp()
       where ${OWN} and tries = $4 and state = $5 returning 1 as moved`,
      [organizationId, userId, period, tries, from, state, cause ?? null, reply ?? null, tryAt ?? null],
    ),
  )
  return moved.length > 0
}
