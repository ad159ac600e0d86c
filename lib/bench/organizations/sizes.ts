/** How the lines of an installation are spread over its organizations. */

/** The largest one's share of all lines. */
const LARGEST = 0.2
/** Each of the others has this much less than the one before it, as many in the field do. */
const FALL = 1.1
/** The smallest has an invoice or two. */
const LEAST = 20

/**
 * The sizes of so many organizations, the largest first: one has a fifth of all lines, the others
 * what falls with their rank. They come to exactly `lines`.
 * @throws RangeError when that would leave some of them without lines
 */
export function sizesOf(lines: number, organizations: number): number[] {
  if (organizations < 2 || lines * (1 - LARGEST) < organizations * LEAST * 2)
    throw new RangeError(`${lines} lines are too few for ${organizations} organizations.`)
  const largest = Math.round(lines * LARGEST)
  const weights = Array.from({ length: organizations - 1 }, (_, at) => (at + 2) ** -FALL)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const shared = lines - largest - LEAST * weights.length
  const others = weights.map((weight) => LEAST + Math.floor((shared * weight) / all))
  const left = lines - largest - others.reduce((sum, size) => sum + size, 0)
  return [largest, (others[0] as number) + left, ...others.slice(1)]
}
