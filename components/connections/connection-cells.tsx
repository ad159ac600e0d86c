import type { ReactNode } from 'react'
import { Mark } from '#components/primitives/mark.tsx'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import { Unknown } from '#components/text/upstream-text.tsx'
import { toLinkTone } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { compareScopes, toAccountName } from './connection-state.ts'
import { TokenTime } from './token-time.client.tsx'
import { toLatestRefresh } from './token-times.ts'

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

/** How many of the scopes asked for were granted. Names and marks the missing ones. */
export function ScopesCell({ connection }: { connection: ConnectionSummary }) {
  const { scopesAsked, scopesGranted } = connection
  const { missing, extra } = compareScopes(connection)
  if (scopesGranted.length === 0) return <Unknown label="no scopes granted" />
  const granted = scopesAsked.length - missing.length
  return (
    <span title={`Requested: ${scopesAsked.join(' ')}\nGranted: ${scopesGranted.join(' ')}`}>
      <TwoLines
        below={
          missing.length > 0
            ? `missing ${missing.join(', ')}`
            : extra.length > 0
              ? `also ${extra.join(', ')}`
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

/** The refresh token's remaining time and age. The link ends with it unless it is renewed. */
export function LinkCell({ connection, now, label }: CellProps & { label?: string }) {
  const { refreshExpiresAt, refreshObtainedAt, stateChangedAt } = connection
  if (refreshExpiresAt === null || refreshObtainedAt === null) return <Unknown label="no link" />
  if (isOver(connection))
    return (
      <TwoLines below={<RelativeTime at={stateChangedAt} now={now} />}>
        {label && <span className="md:hidden">{label} </span>}ended
      </TwoLines>
    )
  const leftMs = Date.parse(refreshExpiresAt) - now
  return (
    <TwoLines below={<TokenTime at={refreshObtainedAt} now={now} kind="old" />}>
      {label && <span className="md:hidden">{label} </span>}
      <span className={LINK_LOOK[toLinkTone(leftMs) ?? 'plain']}>
        <TokenTime at={refreshExpiresAt} now={now} kind="left" />
      </span>
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
