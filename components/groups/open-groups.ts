/** The groups that are open, as the address keeps them: a link or Back shows them open again. */
export const OPEN_PARAMETER = 'open'

/**
 * Servers refuse addresses of many thousand characters: groups beyond this stay open, but only on
 * screen.
 */
const MOST_CHARACTERS = 3000

/** The ids of open groups that fit in an address, in the order in which they were opened. */
export function toKeptIds(ids: Iterable<string>): string[] {
  const kept: string[] = []
  let length = 0
  for (const id of ids) {
    length += encodeURIComponent(id).length + OPEN_PARAMETER.length + 2
    if (length > MOST_CHARACTERS) break
    kept.push(id)
  }
  return kept
}
