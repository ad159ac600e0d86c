import type { Account } from './account-foot.tsx'
import type { Destination } from './destinations.ts'
import { MoreSheet } from './more-sheet.tsx'
import { NavLink } from './nav-link.client.tsx'

/** The frame's last element: once it is parsed, the page before it is, too. */
export const BOTTOM_BAR_ID = 'bottom-bar'

/** The frame on a phone: the same destinations, within a thumb's reach. */
export function BottomBar({
  destinations,
  account,
  kept,
}: {
  destinations: Destination[]
  account: Account
  /** The scope that the person keeps. */
  kept: string
}) {
  return (
    <nav
      id={BOTTOM_BAR_ID}
      aria-label="Main"
      className="flex h-14 shrink-0 border-t bg-side pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      {destinations
        .filter(({ isInBar }) => isInBar)
        .map(({ href, start, label, icon: Icon }) => (
          <NavLink key={href} href={href} start={start} kept={kept} className="bar-link">
            <Icon size={18} />
            <span>{label}</span>
          </NavLink>
        ))}
      <MoreSheet destinations={destinations.filter(({ isInBar }) => !isInBar)} account={account} kept={kept} />
    </nav>
  )
}
