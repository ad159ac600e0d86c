/** What there is to tell a person: the page and the mail read it here. */
import { isAllowed, type Role } from '#lib/auth/permissions.ts'
import { isAboutLink } from '#lib/connections/concerns.ts'
import { listAttention } from '#lib/connections/life/list-attention.ts'
import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { sumFindings } from '#lib/ledger/read/sum-findings.ts'
import { listFalls } from '#lib/ledger/review/list-falls.ts'
import { listWaiting } from '#lib/talk/list-waiting.ts'
import { toFallsQuery, toNewMoneyQuery } from './digest-queries.ts'
import type { Digest, DyingConnection, Falls, Span } from './model.ts'
import { toDay } from './period.ts'

/** Single lines that are named; all others are in the sums. */
const MOST_FALLEN = 5

/** Whom it is for; `timeZone`: whose days their things are due on. */
export type DigestReader = { organizationId: OrganizationId; userId: UserId; role: Role; timeZone: string }

/** What waits for the person at `now` (milliseconds), and what came in the span. */
export async function readDigest(reader: DigestReader, span: Span, now: number): Promise<Digest> {
  const { organizationId, userId, timeZone } = reader
  const [waiting, newMoney, falls, connections] = await Promise.all([
    withTenantSnapshot(organizationId, (sql) => listWaiting(sql, organizationId, userId)),
    sumFindings(organizationId, toNewMoneyQuery(span)),
    readFalls(organizationId, span),
    listDying(reader, now),
  ])
  return {
    span,
    today: toDay(timeZone, now),
    assignments: waiting.assignments.map((each) => ({ ...each, at: each.at.toISOString() })),
    mentions: waiting.mentions.map((each) => ({ ...each, at: each.at.toISOString() })),
    newMoney,
    falls,
    connections,
  }
}

async function readFalls(organizationId: OrganizationId, span: Span): Promise<Falls> {
  const [here, gone] = await Promise.all(
    [false, true].map((goneOnly) => listFalls(organizationId, toFallsQuery(span, { goneOnly }), MOST_FALLEN)),
  )
  const named = [here, gone].flatMap((each, at) => (each?.lines ?? []).map((line) => ({ ...line, isGone: at === 1 })))
  return { here: here?.sums ?? [], gone: gone?.sums ?? [], lines: named.slice(0, MOST_FALLEN) }
}

/** Whoever could not reconnect one is not told: every page says it to the others, too. */
async function listDying({ organizationId, role }: DigestReader, now: number): Promise<DyingConnection[]> {
  if (!isAllowed(role, 'connect-accounts')) return []
  const inNeed = await listAttention(organizationId, now)
  return inNeed.flatMap(({ id, name, refreshExpiresAt, concerns }) => {
    const concern = concerns.find(isAboutLink)
    return concern === undefined
      ? []
      : {
          id,
          name: name ?? 'New account',
          code: concern.code,
          endsAt: concern.code === 'link_ends' ? refreshExpiresAt : null,
        }
  })
}

/**
 * Whether there is something new to tell: in the span, or that is due. What only waits on is no
 * reason for a mail: it would come every day.
 */
export function hasNews({ span, today, assignments, mentions, newMoney, falls, connections }: Digest): boolean {
  const isNew = ({ at }: { at: string }) => at >= span.since && at < span.until
  return (
    newMoney.length + falls.here.length + falls.gone.length + connections.length > 0 ||
    mentions.some(isNew) ||
    assignments.some((each) => isNew(each) || (each.dueOn !== null && each.dueOn <= today))
  )
}
