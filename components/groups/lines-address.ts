/** Addresses of the lines that a figure of groups is made of. Pure. */
import { toAddress } from '#components/query/address.ts'
import type { GroupPath } from './group-tree.ts'

/** What all lines of the groups have in their address, and the parameters that the keys are. */
export type GroupedLines = { search: string; names: readonly string[] }

/**
 * The lines of a group inside groups, `values` outermost first, null for those that do not say.
 * `further` are other parameters that the lines have.
 */
export function toLinesAddress(
  { search, names }: GroupedLines,
  values: readonly (string | null)[],
  further: readonly [name: string, value: string | null][] = [],
): string {
  const params = new URLSearchParams(search)
  const own = values.map((value, at) => [names[at] ?? '', value] as const)
  for (const [name, value] of [...own, ...further]) {
    params.delete(name)
    params.append(name, value ?? '')
  }
  return toAddress('/lines', params.toString())
}

/** The lines of a group of the tree. */
export function toGroupAddress(
  lines: GroupedLines,
  path: GroupPath,
  further?: readonly [name: string, value: string | null][],
): string {
  return toLinesAddress(
    lines,
    path.map(({ values }) => values[0]?.value ?? null),
    further,
  )
}
