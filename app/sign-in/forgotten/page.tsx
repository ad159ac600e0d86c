import type { Metadata } from 'next'
import { buttonClass } from '#components/primitives/button.ts'
import { EntryField, EntryPage } from '#components/sign-in/entry-page.tsx'
import { readMessage } from '#lib/auth/account/words.ts'
import { publicPage } from '#lib/auth/doors/desk-page.ts'
import { settings } from '#lib/env.ts'

export const metadata: Metadata = { title: 'Forgotten password' }

/** A plain form that works without scripts; without a mail server, who can help. */
export default publicPage(
  { path: '/sign-in/forgotten', because: 'nobody can sign in without it' },
  async ({ searchParams }) => {
    const hasMail = settings().mail !== null
    const about = hasMail
      ? 'A mail with a link lets you set a new one.'
      : 'This desk sends no mail. Ask an admin of your organization, or whoever runs the desk, for a link that sets a new one.'
    return (
      <EntryPage title="Forgotten password" about={about} message={readMessage(searchParams)}>
        {hasMail && (
          <form method="post" action="/api/sign-in/forgotten" className="flex flex-col gap-3">
            <EntryField label="Email" name="email" type="email" autoComplete="username" />
            <button type="submit" className={`${buttonClass({ look: 'primary' })} mt-2 h-9`}>
              Send me a link
            </button>
          </form>
        )}
      </EntryPage>
    )
  },
)
