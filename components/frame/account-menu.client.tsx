'use client'

import { useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { LogOut, Person } from '#components/primitives/icons.tsx'
import { Popover } from '#components/primitives/popover.client.tsx'
import type { Account } from './account-foot.tsx'
import { ThemeToggle } from './theme-toggle.client.tsx'

/** On a phone: the signed-in user, the theme and sign-out. */
export function AccountMenu({ account, className }: { account: Account; className: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      role="dialog"
      label="Account"
      width={240}
      side="above"
      trigger={
        <button type="button" className={className}>
          <Person size={18} strokeWidth={1.75} />
          <span>Account</span>
        </button>
      }
    >
      <div className="p-3 text-[13px]">
        <bdi className="block truncate font-medium">{account.organizationName}</bdi>
        <p className="truncate text-ink2">
          <bdi>{account.userName}</bdi> · {account.roleLabel}
        </p>
        <div className="mt-2 flex flex-col items-start gap-1 border-t pt-2">
          <ThemeToggle theme={account.theme} withLabel />
          <form method="post" action={account.signOutAddress}>
            <button type="submit" className={buttonClass({ look: 'quiet' })}>
              <LogOut size={16} strokeWidth={1.75} />
              Sign out
            </button>
          </form>
        </div>
      </div>
    </Popover>
  )
}
