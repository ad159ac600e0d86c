import type { Metadata } from 'next'
import { buttonClass } from '#components/primitives/button.ts'
import { EntryField, EntryPage } from '#components/sign-in/entry-page.tsx'
import { findLink } from '#lib/auth/account/reset-password.ts'
import { readMessage } from '#lib/auth/account/words.ts'
import { publicPage } from '#lib/auth/desk-page.ts'

export const metadata: Metadata = { title: 'New password' }

/** Opening it does not use the link: mail programs open links by themselves. */
export default publicPage(
  { path: '/sign-in/new-password', because: 'the link says who it is' },
  async ({ searchParams }) => {
    const link = typeof searchParams.link === 'string' ? searchParams.link : ''
    const person = await findLink(link, new Date())
    const message = readMessage(person === null ? { error: 'password-gone' } : searchParams)
    const about =
      person === null ? '' : 'At least eight characters. Wherever you are signed in, you will be signed out.'
    return (
      <EntryPage title="New password" about={about} message={message}>
        {person === null ? (
          <a href="/sign-in/forgotten" className={`${buttonClass({ look: 'primary' })} h-9 w-full`}>
            Ask for another link
          </a>
        ) : (
          <form method="post" action="/api/sign-in/new-password" className="flex flex-col gap-3">
            <input type="hidden" name="link" value={link} />
            <EntryField label="Email" type="email" autoComplete="username" value={person.email} readOnly />
            <EntryField label="New password" name="chosen" type="password" autoComplete="new-password" minLength={8} />
            <button type="submit" className={`${buttonClass({ look: 'primary' })} mt-2 h-9`}>
              Set the password
            </button>
          </form>
        )}
      </EntryPage>
    )
  },
)
