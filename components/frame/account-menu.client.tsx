'use client'

import { CircleUserRound, LogOut } from 'lucide-react'
import { Popover } from 'radix-ui'
import { buttonClass } from '../primitives/button.ts'
import type { Account } from './account-foot.tsx'
import { ThemeToggle } from './theme-toggle.client.tsx'

/** On a phone: who is signed in, the theme, and the way out. */
export function AccountMenu({ account, className }: { account: Account; className: string }) {
  return (
    <Popover.Root>
      <Popover.Trigger className={className}>
        <CircleUserRound size={18} strokeWidth={1.75} aria-hidden />
        <span>Account</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="end"
          sideOffset={8}
          collisionPadding={8}
          aria-label="Account"
          className="z-40 w-60 rounded-lg border border-line2 bg-bg p-3 text-[13px] shadow-[0_8px_30px_var(--lift)]"
        >
          <bdi className="block truncate font-medium">{account.organizationName}</bdi>
          <p className="truncate text-ink2">
            <bdi>{account.userName}</bdi> · {account.roleLabel}
          </p>
          <div className="mt-2 flex flex-col items-start gap-1 border-t pt-2">
            <ThemeToggle theme={account.theme} withLabel />
            <form method="post" action={account.signOutAddress}>
              <button type="submit" className={buttonClass({ look: 'quiet' })}>
                <LogOut size={16} strokeWidth={1.75} aria-hidden />
                Sign out
              </button>
            </form>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
