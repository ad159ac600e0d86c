import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { LinkBanner } from '#components/connections/link-banner.tsx'
import { type Account, AccountFoot } from '#components/frame/account-foot.tsx'
import { BOTTOM_BAR_ID, BottomBar } from '#components/frame/bottom-bar.tsx'
import { listDestinations } from '#components/frame/destinations.ts'
import { PageListeners } from '#components/frame/page-listeners.client.tsx'
import { isTheme, SIDEBAR_COOKIE, THEME_COOKIE, TOLD_LINKS_COOKIE } from '#components/frame/preferences.ts'
import { Sidebar } from '#components/frame/sidebar.tsx'
import { PageKeys } from '#components/palette/page-keys.client.tsx'
import { readSession } from '#lib/auth/doors/page-session.ts'
import { isAllowed, ROLE_LABELS } from '#lib/auth/permissions.ts'
import { listAttention } from '#lib/connections/life/list-attention.ts'
import { countsForNavigation } from '#lib/ledger/read/get-overview.ts'
import { formatDayOf } from '#lib/reconcile/moment.ts'
import { readOwnScope, readStarts } from './own-scope.ts'

/**
 * The frame of the signed-in pages. Without a session the page itself redirects to sign-in: only it
 * knows the way back.
 */
export default async function DeskLayout({ children }: { children: ReactNode }) {
  const session = await readSession()
  if (session === null) return children
  // before the second step is set up there is nothing else to see
  if (session.mustEnrol) return <main className="min-h-dvh bg-bg">{children}</main>
  const now = Date.now()
  const counts = countsForNavigation(session.organizationId)
  // a failure is the sidebar's to show; without this, one before it is read would end the process
  counts.catch(() => undefined)
  const [store, attention, kept, starts] = await Promise.all([
    cookies(),
    listAttention(session.organizationId, now),
    readOwnScope(session, now),
    readStarts(session),
  ])
  const theme = store.get(THEME_COOKIE)?.value
  const destinations = listDestinations({
    role: session.role,
    connectionsInNeed: attention.length,
    starts,
  })
  const account: Account = {
    organizationName: session.organizationName,
    userName: session.name,
    email: session.email,
    roleLabel: ROLE_LABELS[session.role],
    theme: isTheme(theme) ? theme : null,
    signOutAddress: '/api/sign-out',
  }
  return (
    <div className="desk relative flex h-dvh overflow-clip max-md:flex-col print:h-auto print:overflow-visible">
      {/* painted while the half of it is parsed, it would be laid out twice, and columns would move */}
      <link rel="expect" href={`#${BOTTOM_BAR_ID}`} blocking="render" />
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <Sidebar
        destinations={destinations}
        counts={counts}
        kept={kept}
        isCollapsed={store.get(SIDEBAR_COOKIE)?.value === 'collapsed'}
        foot={<AccountFoot account={account} />}
      />
      <main
        id="content"
        tabIndex={-1}
        className="flex min-h-0 min-w-0 flex-1 flex-col overflow-clip focus:outline-none max-md:overflow-y-auto print:overflow-visible"
      >
        <p className="on-paper px-5 pt-3 text-[12px] text-ink2">
          <bdi>{session.organizationName}</bdi> · printed by <bdi>{session.name}</bdi> on {formatDayOf(now)}
        </p>
        {isAllowed(session.role, 'connect-accounts') && (
          <LinkBanner connections={attention} now={now} told={store.get(TOLD_LINKS_COOKIE)?.value} />
        )}
        {children}
      </main>
      <BottomBar destinations={destinations} account={account} kept={kept} />
      <PageListeners />
      <PageKeys />
    </div>
  )
}
