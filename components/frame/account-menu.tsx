import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import type { Account } from './account-foot.tsx'
import { LogOut, Person } from './frame-icons.tsx'
import { ThemeToggle } from './theme-toggle.client.tsx'

const ID = 'account-menu'

const DESTINATIONS = [
  { href: '/account', label: 'Your account' },
  { href: '/people', label: 'People' },
]

/**
 * On a phone: the signed-in user, the theme and sign-out. The browser opens and closes it; it has
 * one place, above the bar.
 */
export function AccountMenu({ account, className }: { account: Account; className: string }) {
  return (
    <>
      <button type="button" popoverTarget={ID} aria-haspopup="dialog" className={className}>
        <Person size={18} strokeWidth={1.75} />
        <span>Account</span>
      </button>
      <div id={ID} popover="auto" role="dialog" aria-label="Account" className="popover account-menu">
        <bdi className="block truncate font-medium">{account.organizationName}</bdi>
        <p className="truncate text-ink2">
          <bdi>{account.userName}</bdi> · {account.roleLabel}
        </p>
        <div className="mt-2 flex flex-col items-start gap-1 border-t pt-2">
          {DESTINATIONS.map(({ href, label }) => (
            <Link key={href} href={href} className={buttonClass({ look: 'quiet' })}>
              {label}
            </Link>
          ))}
          <ThemeToggle theme={account.theme} withLabel />
          <form method="post" action={account.signOutAddress}>
            <button type="submit" className={buttonClass({ look: 'quiet' })}>
              <LogOut size={16} strokeWidth={1.75} />
              Sign out
            </button>
          </form>
        </div>
      </div>
    </>
  )
}
