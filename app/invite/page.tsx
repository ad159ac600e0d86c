import type { Metadata } from 'next'
import { EntryFrame } from '#components/frame/entry-frame.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { EntryField } from '#components/sign-in/entry-page.tsx'
import { LinkField } from '#components/sign-in/link-field.client.tsx'
import { publicPage } from '#lib/auth/doors/desk-page.ts'
import { toWaitText } from '#lib/http/wait-reply.ts'

export const metadata: Metadata = { title: 'Join', robots: 'noindex' }

/** Words for a reason in the address; an unknown one gets the most common. */
const ERRORS: Record<string, string> = {
  name: 'Write your name in one line of at most 120 characters.',
  password: 'This password cannot be used. Choose a longer one, of at least 8 characters.',
  origin: 'This page was opened at an address it is not set up for. Open the link that you were given again.',
  unusable:
    'This invitation does not work: it was used, withdrawn or is too old, or its address cannot be invited. Ask whoever invited you.',
}

function toWords(error: unknown, seconds: unknown): string | undefined {
  return error === 'wait' ? toWaitText(seconds, 'attempts') : (ERRORS[String(error)] ?? ERRORS.unusable)
}

const BECAUSE = 'invited people have no session yet'

/** Where an invitation link leads: a plain form. Whoever comes without a link can paste it. */
export default publicPage({ path: '/invite', because: BECAUSE }, async ({ searchParams: { error, seconds } }) => (
  <EntryFrame title="Join your colleagues">
    {error !== undefined && <Banner tone="bad">{toWords(error, seconds)}</Banner>}
    <p className="text-ink2">
      You were invited to the reconciliation desk of your organization. Choose how colleagues see you, and a password of
      at least 8 characters; then sign in with the address that was invited.
    </p>
    <form method="post" action="/api/invite" className="flex flex-col gap-3">
      <LinkField label="Invitation link" name="invitation" />
      <EntryField label="Your name" name="name" maxLength={120} autoComplete="name" dir="auto" />
      <EntryField label="Password" name="password" type="password" minLength={8} autoComplete="new-password" />
      <button type="submit" className={`${buttonClass({ look: 'primary' })} mt-2 h-9`}>
        Join
      </button>
    </form>
  </EntryFrame>
))
