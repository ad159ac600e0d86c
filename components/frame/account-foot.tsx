import { buttonClass } from '#components/primitives/button.ts'
import { Keyboard } from '#components/primitives/icons.tsx'
import { Link } from '#components/query/link.client.tsx'
import { LogOut } from './frame-icons.tsx'
import type { Theme } from './preferences.ts'
import { ThemeToggle } from './theme-toggle.client.tsx'

export type Account = {
  organizationName: string
  userName: string
  email: string
  roleLabel: string
  theme: Theme | null
  signOutAddress: string
}

/** The signed-in user, their organization, and the frame's settings. */
export function AccountFoot({ account }: { account: Account }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="px-2 text-[12.5px] text-ink2 leading-[18px] rail:hidden" title={account.email}>
        <bdi className="block truncate font-medium text-ink">{account.organizationName}</bdi>
        <Link href="/account" className="block truncate underline-offset-2 hover:underline">
          <bdi>{account.userName}</bdi> · {account.roleLabel}
        </Link>
      </div>
      <div className="flex items-center gap-0.5 px-0.5 rail:flex-col rail:px-0">
        <ThemeToggle theme={account.theme} />
        <button
          type="button"
          data-opens="shortcuts"
          data-verb="Show the keyboard shortcuts"
          aria-haspopup="dialog"
          aria-keyshortcuts="?"
          className={buttonClass({ look: 'quiet', size: 'icon' })}
          title="Keyboard shortcuts ( ? )"
          aria-label="Keyboard shortcuts"
        >
          <Keyboard size={16} />
        </button>
        <form method="post" action={account.signOutAddress} className="ml-auto rail:ml-0">
          <button
            type="submit"
            title="Sign out"
            data-verb="Sign out"
            aria-label="Sign out"
            className={buttonClass({ look: 'quiet', size: 'icon' })}
          >
            <LogOut size={16} />
          </button>
        </form>
      </div>
    </div>
  )
}
