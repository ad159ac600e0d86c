type Person = { id: string; name: string }

/** So many names stand in the line; one more takes no more room than “and 1 others”. */
const MOST_NAMED = 3

/**
 * Whom “Seen by …” names: others before the reader, who is “you” and last; the latest first. Null
 * when nobody has.
 */
export function toSeenWords(
  seen: readonly Person[],
  me: string,
): { names: { id: string; text: string }[]; further: number } | null {
  if (seen.length === 0) return null
  const others = seen.filter(({ id }) => id !== me).map(({ id, name }) => ({ id, text: name }))
  const all = [...others, ...seen.filter(({ id }) => id === me).map(({ id }) => ({ id, text: 'you' }))]
  if (all.length <= MOST_NAMED) return { names: all, further: 0 }
  return { names: all.slice(0, MOST_NAMED - 1), further: all.length - MOST_NAMED + 1 }
}
