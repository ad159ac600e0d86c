import { AccountName } from '#components/connections/account-name.tsx'
import { ProfileList, ScopeList } from '#components/connections/connection-facts.tsx'
import { Section } from '#components/connections/section.tsx'
import { HostList } from '#components/sync/platform-hosts.tsx'
import type { ConnectionPart } from './part.ts'
import { readOwnHosts } from './read-parts.ts'

/** The account's name, what it allows us, whom it invoices, and how the platform answers. */
export async function AccountSections({ connection, isAdmin, now, platform }: ConnectionPart & { platform: string }) {
  return (
    <>
      <AccountName connection={connection} platform={platform} canName={isAdmin} />
      <Section title="Scopes">
        <ScopeList connection={connection} />
      </Section>
      <Section title="Profiles of the account">
        <ProfileList profiles={connection.profiles} />
      </Section>
      <Section title="Platform">
        <HostList hosts={await readOwnHosts()} now={now} />
      </Section>
    </>
  )
}
