import { buttonClass } from '#components/primitives/button.ts'
import { type SectionMessage, SettingsSection } from '#components/settings/settings-section.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { OwnSession } from '#lib/auth/account/own-sessions.ts'

type SessionsSectionProps = {
  sessions: OwnSession[]
  message: SectionMessage
  /** The clock when the page was made. */
  now: Date
}

/** Where the person is signed in, and how to end it there. */
export function SessionsSection({ sessions, message, now }: SessionsSectionProps) {
  return (
    <SettingsSection
      id="sessions"
      title="Where you are signed in"
      about="End what you do not recognize, and change your password."
      message={message}
    >
      <ul className="divide-y text-[13px]">
        {sessions.map((each) => (
          <Session key={each.idHash} session={each} now={now} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <form method="post" action="/api/account/sessions" className="mt-3">
          <button type="submit" name="end" value="others" className={buttonClass({ size: 'small' })}>
            Sign out everywhere else
          </button>
        </form>
      )}
    </SettingsSection>
  )
}

function Session({ session, now }: { session: OwnSession; now: Date }) {
  const { idHash, browser, network, createdAt, lastSeenAt, isThis } = session
  const name = browser ?? 'Unknown browser'
  return (
    <li className="flex items-center gap-3 py-2 first:pt-0">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          {name}
          {isThis && <span className="ml-2 font-normal text-ink2">this one</span>}
        </p>
        <p className="text-ink2 leading-5">
          {network ?? 'unknown network'} · since <RelativeTime at={createdAt.toISOString()} now={now.getTime()} />
          {!isThis && (
            <>
              {' '}
              · last seen <RelativeTime at={lastSeenAt.toISOString()} now={now.getTime()} />
            </>
          )}
        </p>
      </div>
      {!isThis && (
        <form method="post" action="/api/account/sessions">
          <input type="hidden" name="end" value={idHash} />
          <button type="submit" aria-label={`Sign out ${name}`} className={buttonClass({ size: 'small' })}>
            Sign out
          </button>
        </form>
      )}
    </li>
  )
}
