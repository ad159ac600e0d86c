'use client'

import { Fragment } from 'react'
import { chipClass } from '#components/primitives/chip.ts'
import { ChevronRight, Plus } from '#components/primitives/icons.tsx'
import { Menu } from '#components/primitives/menu.client.tsx'
import { useNavigate } from '#components/query/navigate.client.tsx'

/** A choice, and the list that it leads to. */
type BarChoice = { label: string; href: string; isApart?: true }

/**
 * A menu of the bar. `name` says what it is about, and what is chosen, to those who do not see the
 * others.
 */
export type BarMenu = {
  name: string
  text: string
  look: 'on' | 'add' | 'plain'
  isInside?: true
  choices: BarChoice[]
}

/** What lines are grouped by, outermost first, and what is shown of the groups. */
export function GroupKeysBar({ menus }: { menus: BarMenu[] }) {
  const { navigate } = useNavigate()
  return (
    <fieldset className="group-keys">
      <legend className="sr-only">Grouped by</legend>
      {menus.map(({ name, text, look, isInside, choices }) => (
        <Fragment key={name}>
          {isInside && <ChevronRight size={13} className="text-ink3" />}
          <Menu
            label={name}
            trigger={
              <button type="button" className={chipClass({ look })} aria-label={name === text ? undefined : name}>
                {look === 'add' && <Plus size={12} className="mr-1" />}
                {text}
              </button>
            }
            items={choices.map(({ label, href, isApart = false }) => ({
              label,
              choose: () => navigate(href),
              isApart,
            }))}
          />
        </Fragment>
      ))}
    </fieldset>
  )
}
