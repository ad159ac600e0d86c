import type { Metadata } from 'next'
import { DigestSections } from '#components/digest/digest-sections.tsx'
import { DigestSpans } from '#components/digest/digest-spans.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { LocalMoment } from '#components/text/local-moment.tsx'
import { toDigestSections } from '#lib/digest/digest-sections.ts'
import { readDigestChoice } from '#lib/digest/digest-settings.ts'
import { toDayStart } from '#lib/digest/period.ts'
import { hasNews, readDigest } from '#lib/digest/read-digest.ts'
import { currentFormats } from '#lib/reconcile/formats.ts'
import { deskPage } from '../desk-page.tsx'

export const metadata: Metadata = { title: 'Digest' }

export default deskPage({ path: '/digest', may: 'read' }, async ({ session, searchParams }) => {
  const now = new Date()
  const { timeZone } = currentFormats()
  const isToday = searchParams.span === 'today'
  const choice = await readDigestChoice(session.organizationId, session.userId, now)
  const since = isToday ? new Date(toDayStart(timeZone, now.getTime())).toISOString() : choice.since
  const span = { since, until: now.toISOString() }
  const digest = await readDigest({ ...session, timeZone }, span, now.getTime())
  return (
    <>
      <PageHeader
        title="Digest"
        scope={
          <>
            What waits for you, and what is new since <LocalMoment at={since} />
          </>
        }
        actions={
          <Link href="/account#digest" className={buttonClass()}>
            By mail
          </Link>
        }
      />
      <DigestSpans isToday={isToday} />
      <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
        {!hasNews(digest) && (
          <p className="border-b px-5 py-4 text-[13px] text-ink2 max-md:px-4">
            Nothing new since <LocalMoment at={since} />.
          </p>
        )}
        <DigestSections sections={toDigestSections(digest)} />
      </div>
    </>
  )
})
