import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { toAccountName } from '../../components/connections/connection-state.ts'
import { toPlatformName } from '../../components/connections/platform-name.ts'
import { Wordmark } from '../../components/frame/wordmark.tsx'
import { Banner } from '../../components/primitives/banner.tsx'
import { buttonClass } from '../../components/primitives/button.ts'
import { publicPage } from '../../lib/auth/desk-page.ts'
import { hasRole } from '../../lib/auth/model.ts'
import { listConnections } from '../../lib/connections/list-connections.ts'
import type { ConnectionSummary } from '../../lib/connections/model.ts'
import { settings } from '../../lib/env.ts'

export const metadata: Metadata = { title: 'Connect an account', robots: 'noindex' }

/** What a scope lets this program do; the others are shown as they are. */
const SCOPES: Record<string, string> = {
  'expenses:read': 'read invoices, invoice lines and profiles',
  'trips:read': 'read trips',
  'bookings:read': 'read bookings',
  'users:read': 'read users',
  'scim:read': 'read the SCIM service',
}

const BECAUSE = 'whoever comes from the marketplace is told what this is and where to sign in'

/**
 * The `external_url` to register with the platform: whoever activates the integration in its marketplace arrives here. The
 * address's parameters are not read at all: whatever they say, connecting starts with a click here and a state of its own.
 */
export default publicPage({ path: '/connect', because: BECAUSE }, async ({ session }) => {
  const { partner } = settings()
  const platform = toPlatformName(partner?.name)
  if (session === null)
    return (
      <Frame title={`Connect an account of ${platform}`}>
        <p>
          Tieout reads the invoices of a company’s travel account and proves each line. To connect an account of{' '}
          {platform}, sign in to Tieout as an admin of your organization first; you come back here.
        </p>
        <p>
          <Link href="/sign-in?next=/connect" className={`${buttonClass({ look: 'primary' })} h-9`}>
            Sign in to connect
          </Link>
        </p>
        <p className="text-ink2">No user of Tieout yet? Ask whoever runs this installation to add you.</p>
      </Frame>
    )
  const connections = await listConnections(session.organizationId)
  const isAdmin = hasRole(session.role, 'admin')
  return (
    <Frame title={`Connect an account of ${platform}`}>
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-y-2 border-y py-3">
        <dt className="text-ink3">Platform</dt>
        <dd>{partner?.name ?? 'none configured'}</dd>
        <dt className="text-ink3">Into</dt>
        <dd>
          <bdi>{session.organizationName}</bdi>
        </dd>
        <dt className="text-ink3">As</dt>
        <dd>
          <bdi>{session.name}</bdi>
        </dd>
        <dt className="text-ink3">May then</dt>
        <dd>
          <ul>
            {(partner?.scopes ?? '').split(' ').map((scope) => (
              <li key={scope}>
                {SCOPES[scope] ?? 'use the scope'} <code className="font-mono text-[12px] text-ink3">{scope}</code>
              </li>
            ))}
          </ul>
        </dd>
      </dl>
      {isAdmin && partner !== null ? (
        <>
          <form method="post" action="/api/connections/connect">
            <button type="submit" className={`${buttonClass({ look: 'primary' })} h-9`}>
              Continue on {platform}
            </button>
          </form>
          <p className="text-ink2">
            On {platform} you choose the account and allow or decline. Nothing is changed there, and it can be withdrawn
            at any time.
          </p>
          <Reconnectable connections={connections} />
        </>
      ) : (
        <Banner tone="warn">
          {partner === null
            ? 'No platform is configured yet. Ask whoever runs this installation.'
            : 'Only admins connect accounts. Ask an admin of your organization to open this page.'}
        </Banner>
      )}
      <p>
        <Link href="/connections" className="text-accent hover:underline">
          Show the connections that are there
        </Link>
      </p>
    </Frame>
  )
})

/** An integration that was enabled again in the marketplace belongs to a connection that is here already. */
function Reconnectable({ connections }: { connections: ConnectionSummary[] }) {
  const waiting = connections.filter(({ state }) => state === 'needs_reconnect' || state === 'disconnected')
  if (waiting.length === 0) return null
  return (
    <section aria-labelledby="again">
      <h2 id="again" className="font-medium">
        Or enabled again?
      </h2>
      <p className="mb-1 text-ink2">Reconnecting keeps the account’s history and data here.</p>
      <ul className="border-t">
        {waiting.slice(0, 20).map((connection) => (
          <li key={connection.id} className="flex items-center justify-between gap-3 border-b py-1.5">
            <bdi dir="auto" className="min-w-0 truncate">
              {toAccountName(connection)}
            </bdi>
            <form method="post" action="/api/connections/connect">
              <input type="hidden" name="connection" value={connection.id} />
              <button
                type="submit"
                aria-label={`Reconnect: ${toAccountName(connection)}`}
                className={buttonClass({ size: 'small' })}
              >
                Reconnect
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-side px-4 py-10">
      <div className="w-full max-w-[440px]">
        <p className="mb-6 text-[16px]">
          <Wordmark />
        </p>
        <h1 className="mb-3 font-semibold text-[20px] leading-[26px] tracking-[-0.015em]">{title}</h1>
        <div className="flex flex-col gap-4 text-[13px]">{children}</div>
      </div>
    </main>
  )
}
