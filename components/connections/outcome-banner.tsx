import { Banner, type BannerTone } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import type { ConnectOutcome } from '#lib/connections/connect-outcomes.ts'
import type { ConnectionId } from '#lib/ids.ts'

const TONES: Record<ConnectOutcome['tone'], BannerTone> = { success: 'good', neutral: 'plain', danger: 'bad' }

type OutcomeBannerProps = {
  outcome: ConnectOutcome
  /** Whether this user may connect accounts and so start again. */
  canConnect: boolean
  /** The connection to reconnect; null for a new account. */
  connectionId: ConnectionId | null
}

/**
 * How the last click on "Connect account" ended, and a button to start again. The words are ours,
 * never the platform's.
 */
export function OutcomeBanner({ outcome, canConnect, connectionId }: OutcomeBannerProps) {
  return (
    <Banner tone={TONES[outcome.tone]} className="border-t">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-80">
          <strong className="font-medium">{outcome.title}.</strong> <span className="text-ink2">{outcome.text}</span>
        </p>
        {outcome.startAgain && canConnect && (
          <form method="post" action="/api/connections/connect">
            {connectionId !== null && <input type="hidden" name="connection" value={connectionId} />}
            <button type="submit" className={buttonClass()}>
              Start again
            </button>
          </form>
        )}
      </div>
    </Banner>
  )
}
