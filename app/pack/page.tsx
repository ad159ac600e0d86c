import type { Metadata } from 'next'
import { EntryFrame } from '#components/frame/entry-frame.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { LinkField } from '#components/sign-in/link-field.client.tsx'
import { publicPage } from '#lib/auth/doors/desk-page.ts'
import { toWaitText } from '#lib/http/wait-reply.ts'

export const metadata: Metadata = { title: 'Evidence pack', robots: 'noindex' }

/** Words for a reason in the address; an unknown one gets the most common. */
const ERRORS: Record<string, string> = {
  origin: 'This page was opened at an address it is not set up for. Open the link that you were given again.',
  unusable:
    'This link does not open anything: it was withdrawn or is too old, or the pack went with the data of its account. Ask whoever gave it to you.',
}

function toWords(error: unknown, seconds: unknown): string | undefined {
  return error === 'wait' ? toWaitText(seconds, 'attempts') : (ERRORS[String(error)] ?? ERRORS.unusable)
}

const BECAUSE = 'a pack is for somebody outside'

/** Where a link to an evidence pack leads: a plain form, which gives the file. */
export default publicPage({ path: '/pack', because: BECAUSE }, async ({ searchParams: { error, seconds } }) => (
  <EntryFrame title="Evidence pack">
    {error !== undefined && <Banner tone="bad">{toWords(error, seconds)}</Banner>}
    <p className="text-ink2">
      Somebody gave you an evidence pack of travel invoices: a PDF that shows how they tie out, what was found and who
      signed it. Attached to it are every line, the records as the travel platform sent them, and a program of 200 lines
      that checks all of it on your own machine. That you opened it is noted.
    </p>
    <form method="post" action="/api/packs/open" className="flex flex-col gap-3">
      <LinkField label="Link to the pack" name="pack" />
      <button type="submit" className={`${buttonClass({ look: 'primary' })} mt-2 h-9`}>
        Get the pack
      </button>
    </form>
  </EntryFrame>
))
