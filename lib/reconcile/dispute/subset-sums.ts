/** Which of some amounts come exactly to another. Whole numbers: nothing is ever near enough. */

/** The most parts of one sum. */
export const MOST_TERMS = 12
/** The most ways that are kept of one half: 26 parts are always searched to the end. */
const MOST_WAYS = 8_192

type Way = { sum: bigint; terms: number; part: number; before: Way | null }

/**
 * Up to two different sets of parts, by their places in the list, that come exactly to `target`:
 * none, the only one, or two of several. Null if there are too many ways to try; what is tried is
 * bounded, whatever the amounts are.
 *
 * It meets in the middle: every sum of one half of the parts is looked up in those of the other, so
 * 26 parts take twice 2^13 steps and not 2^26.
 * @param parts Above zero.
 * @param target Above zero.
 */
export function findSubsetSums(parts: readonly bigint[], target: bigint): number[][] | null {
  // the largest first, every other one in each half: fewer sums stay below the target
  const places = parts
    .map((_, place) => place)
    .filter((place) => (parts[place] ?? 0n) <= target)
    .sort((a, b) => compare(parts[b] ?? 0n, parts[a] ?? 0n) || a - b)
  const even = listWays(
    places.filter((_, at) => at % 2 === 0),
    parts,
    target,
  )
  const odd =
    even &&
    listWays(
      places.filter((_, at) => at % 2 === 1),
      parts,
      target,
    )
  if (even === null || odd === null) return null
  const found: number[][] = []
  for (const ways of even.values())
    for (const way of ways)
      for (const other of odd.get(target - way.sum) ?? []) {
        if (way.terms + other.terms > MOST_TERMS) continue
        found.push([...listParts(way), ...listParts(other)].sort((a, b) => a - b))
        if (found.length === 2) return found
      }
  return found
}

/** Every way to take some of these parts, by sum; null for too many. */
function listWays(places: readonly number[], parts: readonly bigint[], target: bigint): Map<bigint, Way[]> | null {
  const none: Way = { sum: 0n, terms: 0, part: -1, before: null }
  const all = [none]
  const bySum = new Map([[0n, [none]]])
  for (const part of places) {
    // only the ways without it: a part is taken once
    const { length } = all
    for (let at = 0; at < length; at += 1) {
      const before = all[at] as Way
      const sum = before.sum + (parts[part] ?? 0n)
      const terms = before.terms + 1
      if (sum > target || terms > MOST_TERMS) continue
      const same = bySum.get(sum)
      // two of the same sum and length are enough to tell that there is more than one
      if (same !== undefined && countWith(same, terms) === 2) continue
      if (all.length === MOST_WAYS) return null
      const way: Way = { sum, terms, part, before }
      all.push(way)
      if (same === undefined) bySum.set(sum, [way])
      else same.push(way)
    }
  }
  return bySum
}

function countWith(ways: readonly Way[], terms: number): number {
  let count = 0
  for (const way of ways) if (way.terms === terms) count += 1
  return count
}

function listParts(way: Way): number[] {
  return way.before === null ? [] : [...listParts(way.before), way.part]
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
