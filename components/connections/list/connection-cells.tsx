import type { ReactNode } from 'react'
import { Link } from '#components/query/link.client.tsx'
import { describeInterval } from '#components/sync/schedule-words.ts'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import { Unknown } from '#components/text/upstream-text.tsx'
import { toLinkTone } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { formatDayOf } from '#lib/reconcile/moment.ts'
import { toAccountName } from '../connection-state.ts'
import { TokenTime } from '../token-time.client.tsx'
import { toLatestRefresh } from '../token-times.ts'

type CellProps = { connection: ConnectionSummary; now: number }

const LINK_LOOK = { bad: 'text-bad', warn: 'text-warn', plain: undefined }

/** A table cell of two lines: the value, and its explanation below. */
function TwoLines({ children, below, wraps = false }: { children: ReactNode; below?: ReactNode; wraps?: boolean }) {
  return (
    <>
      <div className={wraps ? 'two-lines' : 'truncate'}>{children}</div>
      {below && <div className="truncate text-[12px] text-ink3 leading-4">{below}</div>}
    </>
  )
}

/** The account's name as a link to its page; below, its profiles and who connected it. */
export function AccountCell({ connection, now }: CellProps) {
  const { id, profiles, connectedAt, connectedBy } = connection
  return (
    <TwoLines
      wraps
      below={
        <span title={profiles.map((profile) => profile.name ?? profile.id).join('\n')}>
          {profiles.length > 0 && `${plural(profiles.length, 'profile')} · `}
          {connectedBy === null ? 'connected ' : `${connectedBy}, `}
          {connectedAt === null ? 'not yet' : <RelativeTime at={connectedAt} now={now} />}
        </span>
      }
    >
      <Link href={`/connections/${id}`} title={toAccountName(connection)} className="font-medium hover:underline">
        <bdi dir="auto">{toAccountName(connection)}</bdi>
      </Link>
    </TwoLines>
  )
}

/** The lines that count in totals; below, what of the account counts in none. */
export function LinesCell({ connection, href }: { connection: ConnectionSummary; href: string }) {
  const { lineCount, goneLineCount, rejectedCount } = connection
  return (
    <>
      <Link href={href} className="small-target">
        {formatCount(lineCount)}
      </Link>
      {goneLineCount > 0 && (
        <div className="truncate text-[12px] text-ink3 leading-4" title="removed by the platform, in no total">
          {formatCount(goneLineCount)} removed
        </div>
      )}
      {rejectedCount > 0 && (
        <div className="text-[12px]">
          <Link href="/rejected" className="small-target text-accent">
            {formatCount(rejectedCount)} not imported
          </Link>
        </div>
      )}
    </>
  )
}

/** When the account is read again by itself, and how often. */
export function NextSyncCell({ connection, now }: CellProps) {
  const { nextSyncAt, syncEveryMinutes, state } = connection
  if (nextSyncAt === null || state !== 'active') return <Unknown label="none planned" />
  return (
    <TwoLines below={describeInterval(syncEveryMinutes)}>
      {Date.parse(nextSyncAt) <= now ? 'soon' : <RelativeTime at={nextSyncAt} now={now} />}
    </TwoLines>
  )
}

/** The access token's remaining time and age. */
export function AccessCell({ connection, now }: CellProps) {
  const { accessExpiresAt, tokensObtainedAt } = connection
  if (accessExpiresAt === null || tokensObtainedAt === null) return <Unknown label="no token" />
  if (isOver(connection)) return <TwoLines below="no longer used">ended</TwoLines>
  if (Date.parse(accessExpiresAt) <= now)
    return <TwoLines below={<RelativeTime at={accessExpiresAt} now={now} />}>expired</TwoLines>
  return (
    <TwoLines below={<TokenTime at={tokensObtainedAt} now={now} kind="old" />}>
      <TokenTime at={accessExpiresAt} now={now} kind="left" />
    </TwoLines>
  )
}

/** Until when the refresh token holds. The link ends with it unless it is renewed. */
export function LinkCell({ connection, now, label }: CellProps & { label?: string }) {
  const { refreshExpiresAt, stateChangedAt } = connection
  if (refreshExpiresAt === null) return <Unknown label="no link" />
  if (isOver(connection))
    return (
      <TwoLines below={<RelativeTime at={stateChangedAt} now={now} />}>
        {label && <span className="md:hidden">{label} </span>}ended
      </TwoLines>
    )
  const leftMs = Date.parse(refreshExpiresAt) - now
  return (
    <TwoLines below={<TokenTime at={refreshExpiresAt} now={now} kind="left" />}>
      {label && <span className="md:hidden">{label} </span>}
      <time dateTime={refreshExpiresAt} className={LINK_LOOK[toLinkTone(leftMs) ?? 'plain']}>
        {formatDayOf(refreshExpiresAt)}
      </time>
    </TwoLines>
  )
}

/** When tokens are refreshed next: with a sync that needs it, or at a fixed age at the latest. */
export function RefreshCell({ connection, now }: CellProps) {
  if (connection.state === 'refreshing') return <TwoLines below="by a worker, right now">under way</TwoLines>
  const latest = toLatestRefresh(connection, now)
  if (latest === null) return <Unknown label="none planned" />
  return (
    <TwoLines below="or with a sync">
      <RelativeTime at={latest} now={now} />
    </TwoLines>
  )
}

/** The tokens are stored, but only to end the link. */
function isOver({ state }: ConnectionSummary): boolean {
  return state === 'needs_reconnect' || state === 'disconnecting' || state === 'pending'
}
