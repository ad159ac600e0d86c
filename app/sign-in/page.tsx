import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { PasskeySignIn } from '#components/account/passkey-sign-in.client.tsx'
import { Wordmark } from '#components/frame/wordmark.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { ENTRY_INPUT as INPUT } from '#components/sign-in/entry-page.tsx'
import { PasswordForm, SIGN_IN_ERROR_ID } from '#components/sign-in/password-form.tsx'
import { SingleSignOnForm } from '#components/sign-in/single-sign-on-form.tsx'
import { readMessage } from '#lib/auth/account/words.ts'
import { publicPage } from '#lib/auth/doors/desk-page.ts'
import { hasPasskeys } from '#lib/auth/factors/passkeys.ts'
import { SIGN_IN_ERRORS } from '#lib/auth/sign-in/sign-in.ts'
import { isSsoOffered } from '#lib/auth/sso/sso-settings.ts'
import { SSO_ERRORS } from '#lib/auth/sso/sso-words.ts'
import { settings } from '#lib/env.ts'
import { cookieNames } from '#lib/http/cookies.ts'
import { toSafePath } from '#lib/http/safe-path.ts'
import { toWaitText } from '#lib/http/wait-reply.ts'

export const metadata: Metadata = { title: 'Sign in' }

/** It leads on to the scope that the person keeps. */
const LANDING = '/'

/** A plain form that works without scripts. */
export default publicPage({ path: '/sign-in', because: 'signs people in' }, async ({ session, searchParams }) => {
  const { next, error, seconds, said } = searchParams
  const message = readMessage({ said })
  const isWrong = error === 'credentials'
  const email = error === undefined ? '' : ((await cookies()).get(cookieNames().enteredEmail)?.value ?? '')
  if (session !== null) redirect('/')
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-side px-4 pb-[10vh]">
      <div className="w-full max-w-[340px]">
        <p className="mb-6 text-[16px]">
          <Wordmark />
        </p>
        <h1 className="font-semibold text-[20px] leading-[26px] tracking-[-0.015em]">Sign in</h1>
        <p className="mt-0.5 mb-5 text-[13px] text-ink2">The reconciliation desk for business-travel invoices.</p>
        {error !== undefined && (
          <div id={SIGN_IN_ERROR_ID}>
            <Banner tone={error === 'ended' ? 'plain' : 'bad'} className="mb-4 rounded-r-md">
              {error === 'wait' ? toWaitText(seconds) : toErrorText(String(error))}
            </Banner>
          </div>
        )}
        {message !== null && (
          <Banner tone={message.tone} className="mb-4 rounded-r-md">
            {message.text}
          </Banner>
        )}
        <PasswordForm next={typeof next === 'string' ? next : LANDING} email={email} isWrong={isWrong} />
        {hasPasskeys() && <PasskeySignIn next={toSafePath(next ?? LANDING, settings().appUrl)} />}
        <p className="mt-4 text-[13px]">
          <a href="/sign-in/forgotten" className="underline">
            Forgotten password
          </a>
        </p>
        {(await isSsoOffered()) && <SingleSignOnForm next={typeof next === 'string' ? next : LANDING} input={INPUT} />}
      </div>
    </main>
  )
})

/** Words for a reason in the address; an unknown one gets the most common. */
function toErrorText(key: string): string {
  const words: Record<string, string> = { ...SIGN_IN_ERRORS, ...SSO_ERRORS }
  return (Object.hasOwn(words, key) ? words[key] : undefined) ?? SIGN_IN_ERRORS.credentials
}
