import { Banner } from '#components/primitives/banner.tsx'
import type { ScimCheckState } from '#lib/connections/scim/scim-discovery.ts'

type ScimNoticesProps = {
  /** How the last form ended, from the address. */
  outcome: string
  check: ScimCheckState | null
  /** The account is disconnected. */
  isEnded: boolean
  /** Whether the SCIM API's address is configured. */
  isConfigured: boolean
}

/** Above the key: the result of the last form and the last check, and why no check is possible. */
export function ScimNotices({ outcome, check, isEnded, isConfigured }: ScimNoticesProps) {
  return (
    <>
      <KeyNotice value={outcome} />
      {isEnded && (
        <Banner tone="plain" className="border-t">
          This account is disconnected: no API key is kept for it and nothing is checked. Reconnect it to enter a key.
        </Banner>
      )}
      {!isConfigured && (
        <Banner tone="warn" className="border-t">
          No SCIM address is configured, so nothing can be checked. An operator must set{' '}
          <code className="font-mono text-[12px]">PARTNER_SCIM_BASE_URL</code> for the web server and the worker.
        </Banner>
      )}
      {check !== null && <CheckFailure check={check} />}
    </>
  )
}

const NOTICES = {
  stored: { tone: 'good', text: 'The key is stored, sealed.' },
  removed: { tone: 'plain', text: 'The key was removed. The results of earlier checks stay.' },
  disconnected: {
    tone: 'bad',
    text: 'Nothing was stored: this account is disconnected. Reconnect it, then enter the key.',
  },
  refused: {
    tone: 'bad',
    text: 'This is not a valid key: it is empty, too long, or has spaces or characters that a header cannot carry. Nothing was stored.',
  },
} as const

/** How the last form ended, in fixed words. */
function KeyNotice({ value }: { value: string }) {
  if (!Object.hasOwn(NOTICES, value)) return null
  const { tone, text } = NOTICES[value as keyof typeof NOTICES]
  return (
    <Banner tone={tone} className="border-t">
      {text}
    </Banner>
  )
}

const FAILURES: Record<NonNullable<ScimCheckState['failure']>, string> = {
  no_key: 'The last check did not run: there was no key.',
  key_unreadable:
    'The last check did not run: the stored key cannot be opened with the worker’s keys. An operator must restore the key ring, or an admin enters the API key again.',
  not_configured: 'The last check did not run: the worker has no SCIM address configured.',
  interrupted: 'The last check was given up: three times a worker stopped in the middle of it. Check again.',
}

function CheckFailure({ check }: { check: ScimCheckState }) {
  if (check.failure === null || check.failure === 'no_key') return null
  return (
    <Banner tone="bad" className="border-t">
      {FAILURES[check.failure]} <span className="text-ink2">Earlier results are shown below.</span>
    </Banner>
  )
}
