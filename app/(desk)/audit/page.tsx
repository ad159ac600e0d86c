import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { deskPage } from '../desk-page.tsx'

export const metadata: Metadata = { title: 'Audit' }

export default deskPage({ path: '/audit', may: 'see-audit' }, async () => (
  <>
    <PageHeader title="Audit" scope="Who did what and when; nobody can change it" />
    <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
      <p className="px-5 py-4 text-[13px] text-ink2">Nothing has been done yet.</p>
    </div>
  </>
))
