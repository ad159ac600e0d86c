import { AccountName } from '#components/connections/account-name.tsx'
import { ProfileList, ScopeList } from '#components/connections/connection-facts.tsx'
import { Section } from '#components/connections/section.tsx'
import type { ConnectionPart } from './part.ts'

/** What the account is called, what it allows us and whom it invoices. */
export function AccountSections({ connection, isAdmin, platform }: ConnectionPart & { platform: string }) {
  return (
    <>
      <AccountName connection={connection} platform={platform} canName={isAdmin} />
      <Section title="Scopes">
        <ScopeList connection={connection} />
      </Section>
      <Section title="Profiles of the account">
        <ProfileList profiles={connection.profiles} />
      </Section>
    </>
  )
}
