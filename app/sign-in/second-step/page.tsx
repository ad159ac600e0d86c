import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { INPUT_CLASS } from '#components/account/input-class.ts'
import { EntryFrame } from '#components/frame/entry-frame.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { publicPage } from '#lib/auth/doors/desk-page.ts'
import { findPending, readPendingKey } from '#lib/auth/factors/pending-sign-in.ts'
import { cookieNames } from '#lib/http/cookies.ts'
import { toWaitText } from '#lib/http/wait-reply.ts'

export const metadata: Metadata = { title: 'Second step' }

const BECAUSE = 'asks for the code that follows the right password'

/** A plain form that works without scripts. It does not say who is signing in. */
export default publicPage({ path: '/sign-in/second-step', because: BECAUSE }, async ({ searchParams }) => {
  const key = readPendingKey((await cookies()).get(cookieNames().secondStep)?.value)
  if (key === null || (await findPending(key, new Date())) === null) redirect('/sign-in?error=second-step')
  const { error, seconds } = searchParams
  return (
    <EntryFrame title="Second step">
      <p className="text-ink2">Type the six digits that your authenticator app shows, or one of your recovery codes.</p>
      {error !== undefined && (
        <Banner tone="bad" className="rounded-r-md">
          {error === 'wait' ? toWaitText(seconds) : 'This code is not right, or was used before.'}
        </Banner>
      )}
      <form method="post" action="/api/sign-in/second-step" className="flex flex-col items-start gap-3">
        <label className="flex w-full flex-col gap-1 font-medium">
          Code
          <input
            name="code"
            autoComplete="one-time-code"
            // biome-ignore lint/a11y/noAutofocus: the page has one field, and is there to fill it
            autoFocus
            required
            maxLength={60}
            className={INPUT_CLASS}
          />
        </label>
        <button type="submit" className={`${buttonClass({ look: 'primary' })} h-9`}>
          Sign in
        </button>
      </form>
      <p className="text-ink2">
        Neither at hand? Ask an admin of your organization to remove your second step.{' '}
        <a href="/sign-in" className="text-accent hover:underline">
          Sign in as somebody else
        </a>
      </p>
    </EntryFrame>
  )
})
