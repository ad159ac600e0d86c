'use client'

import { ChevronRight, Plus } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Fragment, type ReactNode } from 'react'
import type { GroupQuery } from '../../lib/ledger/group-query.ts'
import { GROUP_KEYS, type GroupKey } from '../../lib/reconcile/group-keys.ts'
import { chipClass } from '../primitives/chip.ts'
import { toListAddress } from '../query/list-address.ts'
import { useNavigate } from '../query/navigate.client.tsx'
import { KEY_LABELS } from './group-labels.ts'

const ITEM = 'flex h-8 items-center rounded-md px-2 text-[13px] outline-none data-highlighted:bg-hover'

/** What the lines are grouped by, outermost first: each key can be exchanged or taken out, another can follow. */
export function GroupKeysBar({ query }: { query: GroupQuery }) {
  const { navigate } = useNavigate()
  const unused = GROUP_KEYS.filter((key) => !query.by.includes(key))
  const change = (by: GroupKey[]) => navigate(toListAddress({ list: 'groups', query: { ...query, by, page: 1 } }))

  /** Another key takes the place; a key that stood elsewhere changes places with the one that stood here. */
  const put = (place: number, key: GroupKey) => {
    const by = [...query.by]
    const old = by[place]
    const elsewhere = by.indexOf(key)
    if (elsewhere !== -1 && old !== undefined) by[elsewhere] = old
    by[place] = key
    change(by)
  }

  return (
    <fieldset className="mr-4 flex items-center gap-1.5 max-md:mr-0 max-md:w-full">
      <legend className="sr-only">Grouped by</legend>
      {query.by.map((key, place) => (
        <Fragment key={key}>
          {place > 0 && <ChevronRight size={13} aria-hidden className="text-ink3" />}
          <Menu
            label={place === 0 ? `Group by: ${KEY_LABELS[key]}` : `then by: ${KEY_LABELS[key]}`}
            text={KEY_LABELS[key]}
          >
            {GROUP_KEYS.filter((other) => other !== key).map((other) => (
              <DropdownMenu.Item key={other} className={ITEM} onSelect={() => put(place, other)}>
                {KEY_LABELS[other]}
              </DropdownMenu.Item>
            ))}
            {query.by.length > 1 && (
              <>
                <DropdownMenu.Separator className="my-1 border-t" />
                <DropdownMenu.Item
                  className={`${ITEM} text-ink2`}
                  onSelect={() => change(query.by.filter((other) => other !== key))}
                >
                  Remove
                </DropdownMenu.Item>
              </>
            )}
          </Menu>
        </Fragment>
      ))}
      {unused.length > 0 && (
        <Menu label="Then by" text="Then by" isAdding>
          {unused.map((key) => (
            <DropdownMenu.Item key={key} className={ITEM} onSelect={() => change([...query.by, key])}>
              {KEY_LABELS[key]}
            </DropdownMenu.Item>
          ))}
        </Menu>
      )}
    </fieldset>
  )
}

type MenuProps = { label: string; text: string; isAdding?: boolean; children: ReactNode }

function Menu({ label, text, isAdding = false, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={chipClass({ look: isAdding ? 'add' : 'on' })} aria-label={label}>
        {isAdding && <Plus size={12} strokeWidth={2.25} aria-hidden className="mr-1" />}
        {text}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="z-40 min-w-36 rounded-lg border border-line2 bg-bg p-1 shadow-[0_8px_30px_var(--lift)]"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
