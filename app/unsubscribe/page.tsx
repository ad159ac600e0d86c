import type { Metadata } from 'next'
import { buttonClass } from '#components/primitives/button.ts'
import { EntryPage } from '#components/sign-in/entry-page.tsx'
import { publicPage } from '#lib/auth/doors/desk-page.ts'

export const metadata: Metadata = { title: 'Turn off the digest', robots: 'noindex', referrer: 'no-referrer' }

const OFF = { tone: 'good', text: 'You get no more digests by mail. They are still here as a page.' } as const
const GONE = { tone: 'bad', text: 'This link turns nothing off. Your own settings do.' } as const

/** Where the link of a mail leads: it asks, since programs open links, too. */
export default publicPage(
  { path: '/unsubscribe', because: 'the link of a mail says whose digest it is, and can only turn it off' },
  async ({ searchParams: { key, said, error } }) => {
    const asks = typeof key === 'string' && said === undefined && error === undefined
    return (
      <EntryPage
        title="Turn off the digest"
        about={asks ? 'You then get no more mail about what waits for you.' : ''}
        message={said === 'off' ? OFF : asks ? null : GONE}
      >
        {asks && (
          <form method="post" action={`/api/digest/off?${new URLSearchParams({ key, page: '1' })}`}>
            <button type="submit" className={`${buttonClass({ look: 'primary' })} h-9 w-full`}>
              Turn it off
            </button>
          </form>
        )}
        <p className="mt-4 text-[13px]">
          <a href="/account#digest" className="underline">
            Your own settings
          </a>
        </p>
      </EntryPage>
    )
  },
)
