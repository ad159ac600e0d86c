import type { Account } from './account-foot.tsx'
import { AccountMenu } from './account-menu.tsx'
import type { Destination } from './destinations.ts'
import { NavLink } from './nav-link.client.tsx'

/** The frame's last element: once it is parsed, the page before it is, too. */
export const BOTTOM_BAR_ID = 'bottom-bar'

/** The frame on a phone: the same destinations, within a thumb's reach. */
export function BottomBar({ destinations, account }: { destinations: Destination[]; account: Account }) {
  return (
    <nav
      id={BOTTOM_BAR_ID}
      aria-label="Main"
      className="flex h-14 shrink-0 border-t bg-side pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      {destinations
        .filter(({ isSidebarOnly }) => !isSidebarOnly)
        .map(({ href, label, icon: Icon, period, count }) => (
          <NavLink key={href} href={href} period={period} className="bar-link">
            <span className="relative">
              <Icon size={18} strokeWidth={1.75} />
              {count?.needsAttention && (
                <span aria-hidden className="-right-1 -top-0.5 absolute size-2 rounded-full bg-warn ring-2 ring-side" />
              )}
            </span>
            <span>{label}</span>
          </NavLink>
        ))}
      <AccountMenu account={account} className="bar-link" />
    </nav>
  )
}
