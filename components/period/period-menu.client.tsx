'use client'

import { chipClass } from '#components/primitives/chip.ts'
import { Menu } from '#components/primitives/menu.client.tsx'

type PeriodMenuProps = {
  label: string
  chosen: string
  items: { label: string; href: string; isApart?: boolean }[]
}

/** The chosen period, and the others to choose from. */
export function PeriodMenu({ label, chosen, items }: PeriodMenuProps) {
  return (
    <Menu
      label={label}
      width={220}
      items={items}
      trigger={
        <button
          type="button"
          data-verb="Choose the period"
          className={chipClass({ look: 'on' })}
          aria-label={`${label}: ${chosen}`}
        >
          {chosen}
        </button>
      }
    />
  )
}
