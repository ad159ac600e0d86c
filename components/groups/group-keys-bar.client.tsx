'use client'

import { Fragment } from 'react'
import { chipClass } from '#components/primitives/chip.ts'
import { ChevronRight, Plus } from '#components/primitives/icons.tsx'
import { Menu } from '#components/primitives/menu.client.tsx'
import { useNavigate } from '#components/query/navigate.client.tsx'

/** A key, and the lists in which another one is in its place. */
export type KeyPlace = { label: string; choices: KeyChoice[]; without: string | null }
export type KeyChoice = { label: string; href: string }

/** The grouping keys, outermost first. Each can be replaced or removed, and another added. */
export function GroupKeysBar({ places, further }: { places: KeyPlace[]; further: KeyChoice[] }) {
  const { navigate } = useNavigate()
  const toItems = (choices: KeyChoice[]) => choices.map(({ label, href }) => ({ label, choose: () => navigate(href) }))
  return (
    <fieldset className="group-keys">
      <legend className="sr-only">Grouped by</legend>
      {places.map(({ label, choices, without }, place) => {
        const name = `${place === 0 ? 'Group by' : 'then by'}: ${label}`
        return (
          <Fragment key={label}>
            {place > 0 && <ChevronRight size={13} className="text-ink3" />}
            <Menu
              label={name}
              trigger={
                <button type="button" className={chipClass({ look: 'on' })} aria-label={name}>
                  {label}
                </button>
              }
              items={[
                ...toItems(choices),
                ...(without === null ? [] : [{ label: 'Remove', choose: () => navigate(without), isApart: true }]),
              ]}
            />
          </Fragment>
        )
      })}
      {further.length > 0 && (
        <Menu
          label="Then by"
          trigger={
            <button type="button" className={chipClass({ look: 'add' })}>
              <Plus size={12} strokeWidth={2.25} className="mr-1" />
              Then by
            </button>
          }
          items={toItems(further)}
        />
      )}
    </fieldset>
  )
}
