import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { type SectionMessage, SettingsSection } from '#components/settings/settings-section.tsx'
import { LocalMoment } from '#components/text/local-moment.tsx'
import { DIGEST_HOUR, type DigestCause, type DigestStatus, type Rhythm } from '#lib/digest/model.ts'

type OwnDigestProps = {
  rhythm: Rhythm
  last: DigestStatus | null
  /** Whether this installation sends mail. */
  hasMail: boolean
  email: string
  /** By which it is due. */
  timeZone: string
  message: SectionMessage
}

const RHYTHM_WORDS: Record<Rhythm, string> = {
  off: 'Off',
  daily: `Every day at ${DIGEST_HOUR}:00`,
  weekly: `Every Monday at ${DIGEST_HOUR}:00`,
}

/** How often the person gets a mail about what waits for them, and how the last one went. */
export function OwnDigest({ rhythm, last, hasMail, email, timeZone, message }: OwnDigestProps) {
  return (
    <SettingsSection
      id="digest"
      title="Digest"
      about={
        <>
          What is assigned to you, who named you, decisions that no longer stand and new unexplained money. It is always
          there{' '}
          <Link href="/digest" className="underline">
            as a page
          </Link>
          ; a mail comes only when there is something new.
        </>
      }
      message={message}
    >
      <form method="post" action="/api/account/digest" className="flex flex-wrap items-end gap-3 text-[13px]">
        <label className="flex min-w-0 flex-col gap-1 font-medium">
          By mail
          <select name="rhythm" defaultValue={rhythm} className="field h-8 font-normal max-md:h-9">
            {Object.entries(RHYTHM_WORDS).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className={buttonClass()}>
          Save
        </button>
      </form>
      <p className="mt-2 text-[13px] text-ink2 leading-5">
        {hasMail ? (
          <>
            To <bdi>{email}</bdi>, by the clock of {timeZone}, in the numbers and dates chosen above. No browser is
            there to be asked: where nothing is chosen, what your organization has holds, else UTC.
          </>
        ) : (
          'This installation sends no mail yet: whoever runs it sets SMTP_URL.'
        )}
      </p>
      {last !== null && <LastDigest {...last} />}
      {hasMail && (
        <form method="post" action="/api/account/digest/now" className="mt-3">
          <button type="submit" className={buttonClass()}>
            Send me one now
          </button>
        </form>
      )}
    </SettingsSection>
  )
}

const CAUSE_WORDS: Record<DigestCause, string> = {
  refused: 'The mail server refused it. It is not tried again; the next one is.',
  'put-off': 'The mail server put it off too often. The next one tells what it would have told.',
  unknown: 'The connection to the mail server was lost while it was sent. It may have come; it is not sent twice.',
  stopped: 'A worker stopped while it was sent. It may have come; it is not sent twice.',
  'not-here': 'It was not sent: you could not sign in then.',
  'turned-off': 'It was not sent: you had turned the digest off.',
}

const STATE_WORDS: Record<Exclude<DigestStatus['state'], 'failed'>, string> = {
  waiting: 'It waits to be sent.',
  sending: 'It is being sent.',
  sent: 'The mail server took it.',
  nothing: 'There was nothing new, so no mail was sent.',
}

function LastDigest({ state, cause, reply, at, asked }: DigestStatus) {
  const words = state === 'failed' ? CAUSE_WORDS[cause ?? 'unknown'] : STATE_WORDS[state]
  return (
    <p className={`mt-2 text-[13px] leading-5 ${state === 'failed' ? 'text-bad' : 'text-ink2'}`}>
      {asked ? 'The one you asked for' : 'The last digest'}, <LocalMoment at={at} />: {words}
      {reply !== null && (
        <>
          {' '}
          It said:{' '}
          <q>
            <bdi>{reply}</bdi>
          </q>
        </>
      )}
    </p>
  )
}
