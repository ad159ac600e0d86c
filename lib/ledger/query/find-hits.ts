/** Where a text has what is searched for. Pure; the browser marks it on screen. */
import { foldText } from './fold-text.ts'
import { splitSearch } from './search-words.ts'

/** Places of a text, in code units; its end is not within. */
type Hit = { from: number; to: number }

/** Of a single letter nearly every text has one. */
const LEAST_LENGTH = 2

/**
 * Finds the words of a search in texts: without case and accents, as the search itself does, and
 * amounts whatever separates their digits. Returns the hits in a text's order; none touch.
 */
export function createHitFinder(search: string): (text: string) => Hit[] {
  const words = splitSearch(search).filter(({ sign }) => sign === undefined)
  const parts = [...new Set(words.flatMap((each) => each.parts.map(foldText)))].filter(
    ({ length }) => length >= LEAST_LENGTH,
  )
  const amounts = words.flatMap(({ word }) => (/^[+\-\u2212]?[\d.,' ]*\d$/.test(word) ? toDigits(word) : []))
  return (text) => {
    const digits = toDigits(text)
    if (digits.length >= LEAST_LENGTH && !/\p{L}/u.test(text) && amounts.includes(digits))
      return [{ from: 0, to: text.length }]
    return parts.length === 0 ? [] : findParts(text, parts)
  }
}

const toDigits = (text: string) => text.replace(/\D/g, '')

function findParts(text: string, parts: readonly string[]): Hit[] {
  const { folded, places } = foldWithPlaces(text)
  const hits: Hit[] = []
  for (const part of parts)
    for (let at = folded.indexOf(part); at >= 0; at = folded.indexOf(part, at + part.length))
      hits.push({ from: places[at] as number, to: toEnd(places, at + part.length) })
  return joinHits(hits)
}

/** A letter that becomes two is marked as a whole, with the accents that follow it. */
function toEnd(places: readonly number[], at: number): number {
  const last = places[at - 1]
  let end = at
  while (end < places.length - 1 && places[end] === last) end++
  return places[end] as number
}

/** The folded text, and for each of its code units and its end where it comes from. */
function foldWithPlaces(text: string): { folded: string; places: number[] } {
  let folded = ''
  const places: number[] = []
  let at = 0
  for (const letter of text) {
    const plain = foldText(letter)
    for (let unit = 0; unit < plain.length; unit++) places.push(at)
    folded += plain
    at += letter.length
  }
  return { folded, places: [...places, at] }
}

function joinHits(hits: Hit[]): Hit[] {
  const joined: Hit[] = []
  for (const hit of hits.sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && hit.from <= last.to) last.to = Math.max(last.to, hit.to)
    else joined.push({ ...hit })
  }
  return joined
}
