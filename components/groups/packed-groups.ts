import { type PackedRows, packRows, unpackRows } from '#components/table/packed-rows.ts'
import type { GroupList, GroupRow } from '#lib/ledger/model.ts'
import { LINE_STATES } from '#lib/reconcile/verdict.ts'

/** A group as a row of plain members; its totals one after another, without names. */
type FlatGroup = Pick<GroupRow, 'lineCount' | 'findingCount'> & {
  value: string | null
  label: string | null
  states: number[]
  totals: (string | number)[]
}

/** A list of groups on its way to the browser. */
export type PackedGroups = Omit<GroupList, 'rows'> & { key: GroupRow['values'][0]['key']; rows: PackedRows<FlatGroup> }

export function packGroups({ rows, ...list }: GroupList, key: PackedGroups['key']): PackedGroups {
  const flat = rows.map(({ values: [group], lineCount, findingCount, lineStates, totals }) => ({
    value: group?.value ?? null,
    label: group?.label ?? null,
    lineCount,
    findingCount,
    states: LINE_STATES.map((state) => lineStates[state] ?? 0),
    totals: totals.flatMap((total) => [total.currency, total.totalAmount, total.lineCount]),
  }))
  return { ...list, key, rows: packRows(flat) }
}

export function unpackGroups({ rows, key, ...list }: PackedGroups): GroupList {
  return {
    ...list,
    rows: unpackRows(rows).map(({ value, label, states, totals, ...group }) => ({
      ...group,
      values: [{ key, value, label }],
      totals: unpackTotals(totals),
      lineStates: Object.fromEntries(LINE_STATES.map((state, at) => [state, states[at]])),
    })),
  }
}

function unpackTotals(flat: (string | number)[]): GroupRow['totals'] {
  const totals: GroupRow['totals'] = []
  for (let at = 0; at < flat.length; at += 3) {
    const [currency, totalAmount, lineCount] = flat.slice(at, at + 3)
    totals.push({ currency, totalAmount, lineCount } as GroupRow['totals'][0])
  }
  return totals
}
