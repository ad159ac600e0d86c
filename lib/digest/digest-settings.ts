/** What a person chose of their digest, how the last one went, and one to try it. */
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { makeSecret } from '#lib/connections/secret-hash.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { DigestStatus, Rhythm } from './model.ts'
import { toFirstSince } from './period.ts'

/**
 * SQL: up to when the digests of `d` have told the person what is new, or that nothing is. What one
 * that failed may not have told is told again.
 */
export const LAST_TOLD = `coalesce(max(d.until) filter (where d.state in ('sent', 'nothing') and not d.asked),
  min(d.since) filter (where not d.asked))`

/** Older ones are as good as none: nobody reads a mail about a year. */
export const MOST_DAYS = 31

export type DigestChoice = { rhythm: Rhythm; last: DigestStatus | null; since: string }

/**
 * What the person chose, the last digest by mail, and since when there may be news: since the last
 * one that told of any.
 */
export function readDigestChoice(organizationId: OrganizationId, userId: UserId, now: Date): Promise<DigestChoice> {
  return withTenantSql(organizationId, async (sql) => {
    const own = [organizationId, userId]
    const { rhythm, since } = await readSince(sql, own, now)
    type Row = Omit<DigestStatus, 'at' | 'span'> & { at: Date; since: Date; until: Date }
    const [last] = await sql<Row>(
      `select state, cause, reply, asked, moved_at as at, since, until from digest
       where organization_id = $1 and person_id = $2 order by moved_at desc limit 1`,
      own,
    )
    if (last === undefined) return { rhythm, since, last: null }
    const { at, since: from, until, ...status } = last
    const span = { since: from.toISOString(), until: until.toISOString() }
    return { rhythm, since, last: { ...status, at: at.toISOString(), span } }
  })
}

const HOUR_MS = 3_600_000

async function readSince(sql: Sql, own: unknown[], now: Date): Promise<{ rhythm: Rhythm; since: string }> {
  const [row] = await sql<{ rhythm: Rhythm | null; told: Date | null }>(
    `select (select rhythm from digest_setting where organization_id = $1 and person_id = $2) as rhythm, ${LAST_TOLD} as told
     from digest d where d.organization_id = $1 and d.person_id = $2
       and d.until > $3::timestamptz - interval '${MOST_DAYS} days'`,
    [...own, now],
  )
  const rhythm = row?.rhythm ?? 'off'
  // a full hour: the page says the same from one look to the next
  const first = toFirstSince(rhythm, now.getTime())
  const since = row?.told ?? new Date(first - (first % HOUR_MS))
  return { rhythm, since: since.toISOString() }
}

/** Sets how often a person gets their digest by mail. What was due before is not made up for. */
export function setRhythm(
  organizationId: OrganizationId,
  userId: UserId,
  rhythm: Rhythm,
  actor: Actor,
  now: Date,
): Promise<void> {
  return withTenantSql(organizationId, async (sql) => {
    const own = [organizationId, userId]
    await ensureSetting(sql, own, now)
    const [before] = await sql<{ rhythm: Rhythm; email: string }>(
      `select s.rhythm, u.email from digest_setting s
       join app_user u on u.organization_id = s.organization_id and u.id = s.person_id
       where s.organization_id = $1 and s.person_id = $2 for update of s`,
      own,
    )
    if (before === undefined || before.rhythm === rhythm) return
    await sql('update digest_setting set rhythm = $3, chosen_at = $4 where organization_id = $1 and person_id = $2', [
      ...own,
      rhythm,
      now,
    ])
    await recordAudit(sql, organizationId, {
      actor,
      action: 'people.digest',
      subject: { kind: 'person', id: userId, name: before.email },
      before: { digest: before.rhythm },
      after: { digest: rhythm },
    })
  })
}

/** Asks for one now, whatever the person chose: a worker sends it. It moves no later one. */
export function askForDigest(organizationId: OrganizationId, userId: UserId, now: Date): Promise<void> {
  return withTenantSql(organizationId, async (sql) => {
    const own = [organizationId, userId]
    await ensureSetting(sql, own, now)
    const { since } = await readSince(sql, own, now)
    const until = now.toISOString()
    await sql(
      `insert into digest (organization_id, person_id, period, asked, since, until, try_at)
       values ($1, $2, 'asked ' || $4, true, $3, $4::timestamptz, $4::timestamptz) on conflict do nothing`,
      [...own, since, until],
    )
  })
}

/** The row of whoever chose nothing yet; its key signs the links of their mails. */
async function ensureSetting(sql: Sql, own: unknown[], now: Date): Promise<void> {
  await sql(
    `insert into digest_setting (organization_id, person_id, rhythm, chosen_at, link_key)
     values ($1, $2, 'off', $3, $4) on conflict do nothing`,
    [...own, now, makeSecret()],
  )
}
