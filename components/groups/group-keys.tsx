import { toListAddress } from '#components/query/list-address.ts'
import type { GroupQuery } from '#lib/ledger/query/group-query.ts'
import { MAX_KEYS } from '#lib/ledger/query/list-query.ts'
import { GROUP_KEYS, type GroupKey } from '#lib/reconcile/group-keys.ts'
import { GroupKeysBar } from './group-keys-bar.client.tsx'
import { keyLabel } from './group-labels.ts'

/** The bar of grouping keys, with the addresses that its choices lead to. */
export function GroupKeys({ query }: { query: GroupQuery }) {
  const { by } = query
  const toAddress = (keys: GroupKey[]) => toListAddress({ list: 'groups', query: { ...query, by: keys, page: 1 } })
  const toChoice = (key: GroupKey, keys: GroupKey[]) => ({ label: keyLabel(key), href: toAddress(keys) })
  return (
    <GroupKeysBar
      places={by.map((key, place) => ({
        label: keyLabel(key),
        choices: GROUP_KEYS.filter((other) => other !== key).map((other) => toChoice(other, put(by, place, other))),
        without: by.length > 1 ? toAddress(by.filter((other) => other !== key)) : null,
      }))}
      further={
        by.length < MAX_KEYS
          ? GROUP_KEYS.filter((key) => !by.includes(key)).map((key) => toChoice(key, [...by, key]))
          : []
      }
    />
  )
}

/** Puts a key in a place. A key that was elsewhere swaps with the one that was here. */
function put(by: GroupKey[], place: number, key: GroupKey): GroupKey[] {
  const old = by[place]
  return by.map((each, at) => (at === place ? key : each === key && old !== undefined ? old : each))
}
