import type { Metadata } from 'next'
import { ConnectFacts } from '#components/connections/connect-facts.tsx'
import { toPlatformName } from '#components/connections/platform-name.ts'
import { ReconnectList } from '#components/connections/reconnect-list.tsx'
import { EntryFrame } from '#components/frame/entry-frame.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { publicPage } from '#lib/auth/doors/desk-page.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { listConnections } from '#lib/connections/life/list-connections.ts'
import { settings } from '#lib/env.ts'

export const metadata: Metadata = { title: 'Connect an account', robots: 'noindex' }

const BECAUSE = 'visitors from the marketplace learn what this is and where to sign in'

/**
 * The `external_url` to register with the platform: activating the integration in its marketplace
 * leads here. Ignores the address's parameters: connecting always starts with a click here and a
 * new state.
 */
export default publicPage({ path: '/connect', because: BECAUSE }, async ({ session }) => {
  const { partner } = settings()
  const platform = toPlatformName(partner?.name)
  if (session === null)
    return (
      <EntryFrame title={`Connect an account of ${platform}`}>
        <p>
          Tieout reads the invoices of a company’s travel account and proves each line. To connect an account of{' '}
          {platform}, sign in to Tieout as an admin of your organization first; you come back here.
        </p>
        <p>
          <Link href="/sign-in?next=/connect" className={`${buttonClass({ look: 'primary' })} h-9`}>
            Sign in to connect
          </Link>
        </p>
        <p className="text-ink2">Not a Tieout user yet? Ask an admin of your organization to invite you.</p>
      </EntryFrame>
    )
  const connections = await listConnections(session.organizationId)
  const isAdmin = isAllowed(session.role, 'connect-accounts')
  return (
    <EntryFrame title={`Connect an account of ${platform}`}>
      <ConnectFacts partner={partner} session={session} />
      {isAdmin && partner !== null ? (
        <>
          <form method="post" action="/api/connections/connect">
            <button type="submit" className={`${buttonClass({ look: 'primary' })} h-9`}>
              Continue on {platform}
            </button>
          </form>
          <p className="text-ink2">
            On {platform} you choose the account and allow or decline. Nothing is changed there, and access can be
            revoked at any time.
          </p>
          <ReconnectList connections={connections} />
        </>
      ) : (
        <Banner tone="warn">
          {partner === null
            ? 'No platform is configured yet. Ask your operator.'
            : 'Only admins connect accounts. Ask an admin of your organization to open this page.'}
        </Banner>
      )}
      <p>
        <Link href="/connections" className="text-accent hover:underline">
          Show existing connections
        </Link>
      </p>
    </EntryFrame>
  )
})
