import { toBridgeOfLines } from '#components/history/moments/bridge-links.ts'
import type { MenuItem } from '#components/primitives/menu-box.client.tsx'
import { toTripAddress } from '#components/query/address.ts'
import { toGroupName } from './group-labels.ts'
import type { TreeRow } from './group-tree.ts'
import { type GroupedLines, toGroupAddress } from './lines-address.ts'

/** What can be done with a row of the tree of groups. */
export function listGroupVerbs(
  row: TreeRow,
  lines: GroupedLines,
  { act, isOpen }: { act: () => void; isOpen: boolean },
): MenuItem[] {
  if (row.kind !== 'group') return [{ label: row.kind === 'line' ? 'Open the line' : 'Load the rest', choose: act }]
  const { name } = toGroupName(row.group)
  const { key, value } = row.group.values[0] ?? { key: null, value: null }
  const address = toGroupAddress(lines, row.path)
  const bridge = toBridgeOfLines(address.split('?')[1] ?? '')
  return [
    { label: isOpen ? 'Collapse' : 'Expand', choose: act },
    {
      label: 'Open its lines',
      href: address,
    },
    ...(key === 'trip' && value !== null ? [{ label: 'Open the trip', href: toTripAddress(value) }] : []),
    ...(bridge === null ? [] : [{ label: 'Bridge…', href: bridge }]),
    { label: 'Copy its name', choose: () => void navigator.clipboard.writeText(name) },
  ]
}
