'use client'

import { Fragment } from 'react'
import { chipClass } from '#components/primitives/chip.ts'
import { ChevronRight, Plus } from '#components/primitives/icons.tsx'
import { Menu } from '#components/primitives/menu.client.tsx'
import { readListQuery, toListAddress } from '#components/query/list-address.ts'
import { useNavigate } from '#components/query/navigate.client.tsx'
import { GROUP_KEYS, type GroupKey } from '#lib/reconcile/group-keys.ts'
import { KEY_LABELS } from './group-labels.ts'

/** The grouping keys, outermost first. Each can be replaced or removed, and another added. */
export function GroupKeysBar({ search }: { search: string }) {
  const { query } = readListQuery('groups', search)
  const { navigate } = useNavigate()
  const unused = GROUP_KEYS.filter((key) => !query.by.includes(key))
  const change = (by: GroupKey[]) => navigate(toListAddress({ list: 'groups', query: { ...query, by, page: 1 } }))

  /** Puts a key in a place. A key that was elsewhere swaps with the one that was here. */
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
          {place > 0 && <ChevronRight size={13} className="text-ink3" />}
          <Menu
            label={place === 0 ? `Group by: ${KEY_LABELS[key]}` : `then by: ${KEY_LABELS[key]}`}
            trigger={
              <button
                type="button"
                className={chipClass({ look: 'on' })}
                aria-label={place === 0 ? `Group by: ${KEY_LABELS[key]}` : `then by: ${KEY_LABELS[key]}`}
              >
                {KEY_LABELS[key]}
              </button>
            }
            items={[
              ...GROUP_KEYS.filter((other) => other !== key).map((other) => ({
                label: KEY_LABELS[other],
                choose: () => put(place, other),
              })),
              ...(query.by.length > 1
                ? [{ label: 'Remove', choose: () => change(query.by.filter((other) => other !== key)), isApart: true }]
                : []),
            ]}
          />
        </Fragment>
      ))}
      {unused.length > 0 && (
        <Menu
          label="Then by"
          trigger={
            <button type="button" className={chipClass({ look: 'add' })}>
              <Plus size={12} strokeWidth={2.25} className="mr-1" />
              Then by
            </button>
          }
          items={unused.map((key) => ({ label: KEY_LABELS[key], choose: () => change([...query.by, key]) }))}
        />
      )}
    </fieldset>
  )
}
