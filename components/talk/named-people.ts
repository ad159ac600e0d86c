/** Whom a text names: people stand in it by `@` and their name, and ids go beside it. */

type Named = { id: string; name: string }

/** A piece of a text: as it is, or where it names one of the people. */
type Piece<Person> = { text: string; person: Person | null }

const GOES_ON = /^[\p{L}\p{N}\p{M}]/u

/** A text in pieces. Of two names that begin alike the longer one counts, and only a whole one. */
export function splitByNames<Person extends Named>(text: string, people: readonly Person[]): Piece<Person>[] {
  const byLength = [...people].sort((a, b) => b.name.length - a.name.length)
  const pieces: Piece<Person>[] = []
  let from = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const rest = text.slice(at + 1)
    const person = byLength.find(({ name }) => rest.startsWith(name) && !GOES_ON.test(rest.slice(name.length)))
    if (person === undefined) continue
    const end = at + 1 + person.name.length
    if (at > from) pieces.push({ text: text.slice(from, at), person: null })
    pieces.push({ text: text.slice(at, end), person })
    from = end
    at = end - 1
  }
  if (from < text.length) pieces.push({ text: text.slice(from), person: null })
  return pieces
}

/**
 * The ids of those whom a text names. Where several have one name, those who were chosen from the
 * list: a name alone does not say which.
 */
export function findMentions(text: string, people: readonly Named[], chosen: readonly string[]): string[] {
  const names = new Set(splitByNames(text, people).map(({ person }) => person?.name))
  return people
    .filter(({ id, name }) => {
      if (!names.has(name)) return false
      return chosen.includes(id) || people.filter((each) => each.name === name).length === 1
    })
    .map(({ id }) => id)
}

/** The beginning of a name that is being typed behind an `@`, before the caret; null for none. */
export function findBegunName(text: string, caret: number): { at: number; begun: string } | null {
  const found = /(?:^|[\s([{"'„“‚‘])@([^\n@]{0,60})$/u.exec(text.slice(0, caret))
  const begun = found?.[1]
  return begun === undefined ? null : { at: caret - begun.length - 1, begun }
}

/** People with a word that begins like the last part of what is typed; all for none. */
export function findByBeginning<Person extends Named>(people: readonly Person[], begun: string): Person[] {
  const wanted = fold(begun)
  return people.filter(({ name }) => {
    const folded = fold(name)
    return folded.startsWith(wanted) || folded.includes(` ${wanted}`)
  })
}

function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
