import { buttonClass } from '#components/primitives/button.ts'
import { Ellipsis, Search } from '#components/primitives/icons.tsx'
import { Link } from '#components/query/link.client.tsx'
import type { Account } from './account-foot.tsx'
import { AttentionDot } from './attention-dot.tsx'
import type { Destination } from './destinations.ts'
import { LogOut } from './frame-icons.tsx'
import { NavLink } from './nav-link.client.tsx'
import { SheetBox } from './sheet-box.client.tsx'
import { ThemeToggle } from './theme-toggle.client.tsx'

const ID = 'more-sheet'

/**
 * On a phone: every destination that the bar has no room for, the signed-in user, the theme and
 * sign-out. The browser opens and closes it; it has one place, above the bar.
 */
export function MoreSheet({
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
    <>
      <button type="button" popoverTarget={ID} aria-haspopup="dialog" className="bar-link">
        <span className="relative">
          <Ellipsis size={18} />
          {destinations.some(({ count }) => count?.needsAttention) && <AttentionDot />}
        </span>
        <span>More</span>
      </button>
      <SheetBox id={ID} label="More">
        <ul className="grid grid-cols-2 gap-x-2 p-2">
          {destinations.map(({ href, label, icon: Icon, count }) => (
            <li key={href}>
              <NavLink href={href} kept={kept} className="sheet-link">
                <Icon size={18} />
                {label}
                {count && (
                  <span aria-hidden title={`${count.text} ${count.meaning}`} className="side-count">
                    {count.text}
                    {count.needsAttention && <span className="size-2 rounded-full bg-warn" />}
                  </span>
                )}
              </NavLink>
            </li>
          ))}
        </ul>
        <div className="border-t p-2">
          <button type="button" data-opens="palette" aria-haspopup="dialog" className="sheet-link w-full">
            <Search size={18} />
            Go to an invoice, trip or name
          </button>
        </div>
        <div className="flex flex-wrap items-center gap-2 border-t px-4 py-2.5">
          <p className="min-w-0 flex-1 leading-[18px]">
            <bdi className="block truncate font-medium">{account.organizationName}</bdi>
            <Link href="/account" className="block truncate py-0.5 text-ink2 underline underline-offset-2">
              <bdi>{account.userName}</bdi> · {account.roleLabel}
            </Link>
          </p>
          <ThemeToggle theme={account.theme} withLabel />
          <form method="post" action={account.signOutAddress}>
            <button type="submit" className={buttonClass()}>
              <LogOut size={16} />
              Sign out
            </button>
          </form>
        </div>
      </SheetBox>
    </>
  )
}
