import type { Metadata } from 'next'
import { buttonClass } from '#components/primitives/button.ts'
import { EntryField, EntryPage } from '#components/sign-in/entry-page.tsx'
import { LinkField } from '#components/sign-in/link-field.client.tsx'
import { readMessage } from '#lib/auth/account/words.ts'
import { publicPage } from '#lib/auth/doors/desk-page.ts'

export const metadata: Metadata = { title: 'New password', robots: 'noindex' }

/** Where a link leads. Whether it works is said when it is used: no server sees it before. */
export default publicPage(
  { path: '/sign-in/new-password', because: 'the link says who it is' },
  async ({ searchParams }) => (
    <EntryPage
      title="New password"
      about="At least eight characters. Wherever you are signed in, you will be signed out."
      message={readMessage(searchParams)}
    >
      <form method="post" action="/api/sign-in/new-password" className="flex flex-col gap-3">
        <LinkField label="Link from the mail" name="link" />
        <EntryField label="New password" name="chosen" type="password" autoComplete="new-password" minLength={8} />
        <button type="submit" className={`${buttonClass({ look: 'primary' })} mt-2 h-9`}>
          Set the password
        </button>
      </form>
    </EntryPage>
  ),
)
