import { toListAddress } from '#components/query/list-address.ts'
import type { GroupQuery } from '#lib/ledger/query/group-query.ts'
import { MAX_KEYS } from '#lib/ledger/query/list-query.ts'
import { MAX_ROW_KEYS } from '#lib/ledger/query/matrix-query.ts'
import { GROUP_KEYS, type GroupKey } from '#lib/reconcile/group-keys.ts'
import { COMPARISONS } from '#lib/reconcile/matrix/compared-span.ts'
import { MEASURES } from '#lib/reconcile/matrix/measures.ts'
import { type BarMenu, GroupKeysBar } from './group-keys-bar.client.tsx'
import { keyLabel } from './group-labels.ts'
import { COMPARISON_LABELS, MEASURE_LABELS } from './matrix-words.ts'

/** The bar of grouping keys, with the addresses that its choices lead to. */
export function GroupKeys({ query }: { query: GroupQuery }) {
  return <GroupKeysBar menus={[...listRowMenus(query), ...listMatrixMenus(query)]} />
}

const toAddress = (query: GroupQuery, change: Partial<GroupQuery>) =>
  toListAddress({ list: 'groups', query: { ...query, page: 1, ...change } })

function listRowMenus(query: GroupQuery): BarMenu[] {
  const { by, across } = query
  const isFree = (key: GroupKey) => key !== across
  const toChoice = (key: GroupKey, keys: GroupKey[]) => ({ label: keyLabel(key), href: toAddress(query, { by: keys }) })
  const ofKeys = by.map((key, place): BarMenu => {
    const others = GROUP_KEYS.filter((other) => other !== key && isFree(other))
    const without = by.filter((other) => other !== key)
    return {
      name: `${place === 0 ? 'Group by' : 'then by'}: ${keyLabel(key)}`,
      text: keyLabel(key),
      look: 'on',
      ...(place > 0 ? { isInside: true } : {}),
      choices: [
        ...others.map((other) => toChoice(other, put(by, place, other))),
        ...(without.length === 0
          ? []
          : [{ label: 'Remove', href: toAddress(query, { by: without }), isApart: true as const }]),
      ],
    }
  })
  if (by.length >= (across === null ? MAX_KEYS : MAX_ROW_KEYS)) return ofKeys
  const further = GROUP_KEYS.filter((key) => !by.includes(key) && isFree(key))
  const choices = further.map((key) => toChoice(key, [...by, key]))
  return [...ofKeys, { name: 'Then by', text: 'Then by', look: 'add', choices }]
}

/** Puts a key in a place. A key that was elsewhere swaps with the one that was here. */
function put(by: GroupKey[], place: number, key: GroupKey): GroupKey[] {
  const old = by[place]
  return by.map((each, at) => (at === place ? key : each === key && old !== undefined ? old : each))
}

function listMatrixMenus(query: GroupQuery): BarMenu[] {
  const { across, measure, against, from, to } = query
  const by = query.by.slice(0, MAX_ROW_KEYS)
  const choices = GROUP_KEYS.filter((key) => !by.includes(key) && key !== across).map((key) => ({
    label: keyLabel(key),
    href: toAddress(query, { by, across: key }),
  }))
  if (across === null) return [{ name: 'Columns', text: 'Columns', look: 'add', choices }]
  const without = toAddress(query, { across: null, measure: 'total', shownCurrency: null, against: 'none' })
  return [
    {
      name: `Columns: ${keyLabel(across)}`,
      text: `Columns: ${keyLabel(across)}`,
      look: 'on',
      choices: [...choices, { label: 'Remove', href: without, isApart: true }],
    },
    {
      name: `Measure: ${MEASURE_LABELS[measure]}`,
      text: `Measure: ${MEASURE_LABELS[measure]}`,
      look: 'plain',
      choices: MEASURES.map((each) => ({ label: MEASURE_LABELS[each], href: toAddress(query, { measure: each }) })),
    },
    // an open span has nothing before it
    ...(from === null || to === null
      ? []
      : [
          {
            name: `Compared with: ${COMPARISON_LABELS[against]}`,
            text: `Compared with: ${COMPARISON_LABELS[against]}`,
            look: 'plain' as const,
            choices: COMPARISONS.map((each) => ({
              label: COMPARISON_LABELS[each],
              href: toAddress(query, { against: each }),
            })),
          },
        ]),
  ]
}
