import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { isAllowed, PERMISSIONS, ROLE_LABELS } from '#lib/auth/permissions.ts'
import { deskPage } from '../desk-page.tsx'
import { FactorsOfPeople } from './factors-of-people.tsx'

export const metadata: Metadata = { title: 'People' }

export default deskPage({ path: '/people', may: 'read' }, async ({ session, searchParams }) => (
  <>
    <PageHeader title="People" scope="Who may enter, and what each role may do" />
    <div className="list-body min-h-0 flex-1 overflow-y-auto border-t pb-8 max-md:overflow-visible">
      <SettingsSection id="roles" title="Roles" about="A role may do what the roles before it may.">
        <ul className="text-[13px] leading-6">
          {Object.entries(PERMISSIONS).map(([name, { least, words }]) => (
            <li key={name}>
              {ROLE_LABELS[least]}: {words}
            </li>
          ))}
        </ul>
      </SettingsSection>
      {isAllowed(session.role, 'manage-people') && <FactorsOfPeople session={session} searchParams={searchParams} />}
    </div>
  </>
))
