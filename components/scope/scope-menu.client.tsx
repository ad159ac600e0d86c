'use client'

import { chipClass } from '#components/primitives/chip.ts'
import { Menu } from '#components/primitives/menu.client.tsx'

type ScopeMenuProps = { label: string; chosen: string; isOn: boolean; items: { label: string; href: string }[] }

/** One of several accounts, profiles or currencies, or all. A long name ends in an ellipsis. */
export function ScopeMenu({ label, chosen, isOn, items }: ScopeMenuProps) {
  return (
    <Menu
      label={label}
      width={260}
      items={items}
      trigger={
        <button
          type="button"
          className={`${chipClass({ look: isOn ? 'on' : 'plain' })} scope-choice`}
          aria-label={`${label}: ${chosen}`}
          title={chosen}
        >
          <bdi>{chosen}</bdi>
        </button>
      }
    />
  )
}
