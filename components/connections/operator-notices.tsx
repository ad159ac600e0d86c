import { Banner } from '#components/primitives/banner.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { OperatorNotice } from '#lib/connections/events/operator-notices.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { toAccountName } from './connection-state.ts'

const TEXTS: Record<OperatorNotice['kind'], string> = {
  client_refused:
    'The platform refuses Tieout’s client id or secret. No connection is lost; all of them wait. An operator must correct PARTNER_CLIENT_ID or PARTNER_CLIENT_SECRET.',
  no_refresh_token:
    'The platform renewed a token without a new refresh token. The link continues with the current one.',
  answer_unreadable:
    'An answer of the platform with tokens could not be read. It is kept encrypted for a version that can read it.',
  token_unreadable:
    'Stored tokens cannot be opened with the available keys. An operator must restore the key from a backup.',
}

/** What the operator has to settle; admins see it until then. */
export function OperatorNotices({
  notices,
  connections,
  now,
}: {
  notices: OperatorNotice[]
  connections: ConnectionSummary[]
  now: number
}) {
  return notices.map(({ kind, connectionId, lastSeenAt }) => {
    const connection = connections.find(({ id }) => id === connectionId)
    return (
      <Banner key={`${kind} ${connectionId}`} tone={kind === 'no_refresh_token' ? 'warn' : 'bad'} className="border-t">
        {connection && (
          <>
            <bdi className="font-medium">{toAccountName(connection)}</bdi>:{' '}
          </>
        )}
        {TEXTS[kind]}{' '}
        <span className="text-ink2">
          Last seen <RelativeTime at={lastSeenAt} now={now} />.
        </span>
      </Banner>
    )
  })
}
