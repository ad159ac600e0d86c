import Link from 'next/link'
import type { ReactNode } from 'react'
import type { ConnectionSummary } from '../../lib/connections/model.ts'
import { Mark } from '../primitives/mark.tsx'
import { plural } from '../text/plural.ts'
import { RelativeTime } from '../text/relative-time.client.tsx'
import { Unknown } from '../text/upstream-text.tsx'
import { compareScopes, toAccountName } from './connection-state.ts'
import { toLatestRefresh } from './token-times.ts'

type CellProps = { connection: ConnectionSummary; now: number }

const DAY = 86_400_000

/** Two lines of a table cell: what one looks for, and what explains it. */
function TwoLines({ children, below }: { children: ReactNode; below?: ReactNode }) {
  return (
    <>
      <div className="truncate">{children}</div>
      {below && <div className="truncate text-[12px] text-ink3 leading-4">{below}</div>}
    </>
  )
}

/** The account by its name, a link to its page; below, its profiles and who connected it. */
export function AccountCell({ connection, now }: CellProps) {
  const { id, profiles, connectedAt, connectedBy } = connection
  return (
    <TwoLines
      below={
        <span title={profiles.map((profile) => profile.name ?? profile.id).join('\n')}>
          {profiles.length > 0 && `${plural(profiles.length, 'profile')} · `}
          {connectedBy === null ? 'connected ' : `${connectedBy}, `}
          {connectedAt === null ? 'not yet' : <RelativeTime at={connectedAt} now={now} />}
        </span>
      }
    >
      <Link href={`/connections/${id}`} className="font-medium hover:underline">
        <bdi dir="auto">{toAccountName(connection)}</bdi>
      </Link>
    </TwoLines>
  )
}

/** How many of the scopes that were asked for were granted; what is missing is named and marked. */
export function ScopesCell({ connection }: { connection: ConnectionSummary }) {
  const { scopesAsked, scopesGranted } = connection
  const { missing, extra } = compareScopes(connection)
  if (scopesGranted.length === 0) return <Unknown label="no scopes granted" />
  const granted = scopesAsked.length - missing.length
  return (
    <span title={`Asked: ${scopesAsked.join(' ')}\nGranted: ${scopesGranted.join(' ')}`}>
      <TwoLines
        below={
          missing.length > 0
            ? `missing ${missing.join(', ')}`
            : extra.length > 0
              ? `beyond that ${extra.join(', ')}`
              : scopesAsked.join(', ')
        }
      >
        {missing.length > 0 && (
          <>
            <Mark kind="partial" />{' '}
          </>
        )}
        {granted} of {scopesAsked.length}
      </TwoLines>
    </span>
  )
}

/** The access token's rest and age. */
export function AccessCell({ connection, now }: CellProps) {
  const { accessExpiresAt, tokensObtainedAt } = connection
  if (accessExpiresAt === null || tokensObtainedAt === null) return <Unknown label="no token" />
  const isOver = Date.parse(accessExpiresAt) <= now
  return (
    <TwoLines
      below={
        <>
          obtained <RelativeTime at={tokensObtainedAt} now={now} />
        </>
      }
    >
      {isOver ? 'ran out ' : 'runs out '}
      <RelativeTime at={accessExpiresAt} now={now} />
    </TwoLines>
  )
}

/** The refresh token's rest and age: the link ends with it unless it is renewed. */
export function LinkCell({ connection, now }: CellProps) {
  const { refreshExpiresAt, refreshObtainedAt } = connection
  if (refreshExpiresAt === null || refreshObtainedAt === null) return <Unknown label="no link" />
  const leftMs = Date.parse(refreshExpiresAt) - now
  return (
    <TwoLines
      below={
        <>
          obtained <RelativeTime at={refreshObtainedAt} now={now} />
        </>
      }
    >
      <span className={leftMs <= DAY ? 'text-bad' : leftMs <= 7 * DAY ? 'text-warn' : undefined}>
        {leftMs <= 0 ? 'ended ' : 'ends '}
        <RelativeTime at={refreshExpiresAt} now={now} />
      </span>
    </TwoLines>
  )
}

/** When tokens are renewed next: with a sync that needs it, and at a certain age in any case. */
export function RefreshCell({ connection, now }: CellProps) {
  const latest = toLatestRefresh(connection, now)
  if (connection.state === 'refreshing') return <TwoLines below="by a worker, right now">under way</TwoLines>
  if (latest === null) return <Unknown label="none planned" />
  return (
    <TwoLines
      below={
        <>
          at the latest <RelativeTime at={latest} now={now} />
        </>
      }
    >
      when a sync needs it
    </TwoLines>
  )
}
