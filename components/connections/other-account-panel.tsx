import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ConsentCandidate } from '#lib/connections/model.ts'
import type { ConnectionId } from '#lib/ids.ts'

type OtherAccountPanelProps = {
  connectionId: ConnectionId
  name: string
  candidate: ConsentCandidate
  canConnect: boolean
  now: number
}

/** A reconnect to another account: which one, that no data was mixed, and what to do about it. */
export function OtherAccountPanel({ connectionId, name, candidate, canConnect, now }: OtherAccountPanelProps) {
  const { profileNames, heldBy, consentedBy, obtainedAt, accessExpiresAt } = candidate
  return (
    <Banner tone="bad" className="border-t">
      <p>
        <strong className="font-medium">Access was granted for another account.</strong>{' '}
        <span className="text-ink2">
          None of its profiles belongs to <bdi>{name}</bdi>, so none of its data was stored here.{' '}
          {consentedBy ?? 'Somebody'} granted access <RelativeTime at={obtainedAt} now={now} />.
        </span>
      </p>
      {profileNames.length > 0 && (
        <p className="mt-1 text-ink2">
          Its profiles:{' '}
          {profileNames.slice(0, 5).map((profile, index) => (
            <span key={profile}>
              {index > 0 && ', '}
              <bdi dir="auto">{profile}</bdi>
            </span>
          ))}
          {profileNames.length > 5 && ` and ${profileNames.length - 5} more`}.
        </p>
      )}
      {heldBy !== null && (
        <p className="mt-1 text-ink2">
          That account is already connected as{' '}
          <Link href={`/connections/${heldBy.id}`} className="text-accent hover:underline">
            <bdi>{heldBy.name ?? 'New account'}</bdi>
          </Link>
          .
        </p>
      )}
      {canConnect && (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          {heldBy === null && <Choice connectionId={connectionId} choice="keep" text="Keep it as a new connection" />}
          <Choice connectionId={connectionId} choice="discard" text="Discard it" />
          <span className="text-[12px] text-ink2">
            Discarded automatically <RelativeTime at={accessExpiresAt} now={now} />. It stays enabled on the platform.
          </span>
        </div>
      )}
    </Banner>
  )
}

function Choice({
  connectionId,
  choice,
  text,
}: {
  connectionId: ConnectionId
  choice: 'keep' | 'discard'
  text: string
}) {
  return (
    <form method="post" action={`/api/connections/${connectionId}/other-account`}>
      <input type="hidden" name="choice" value={choice} />
      <button type="submit" className={buttonClass()}>
        {text}
      </button>
    </form>
  )
}
