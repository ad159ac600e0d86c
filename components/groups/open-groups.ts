/** Holds the open groups in the address: a link or Back opens them again. */
export const OPEN_PARAMETER = 'open'

/** Servers refuse very long addresses. Groups beyond this stay open on screen only. */
const MOST_CHARACTERS = 3000

/** The ids of open groups that fit in an address, in the order they were opened. */
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
