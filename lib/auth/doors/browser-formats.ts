import { type BoundedMap, createBoundedMap } from '#lib/bounded-map.ts'
import { processWide } from '#lib/process-wide.ts'
import { isTimeZone, readLanguage } from '#lib/reconcile/own-formats/browser-formats.ts'
import type { BrowserFormats } from '#lib/reconcile/own-formats/format-choices.ts'

/** Some hundred kB. What is forgotten is looked up once more. */
const MOST_KNOWN = 1_000
/** The first language decides; a browser that lists a hundred others is no other browser. */
const READ_CHARACTERS = 64

/**
 * What a browser says of its person's formats. Many say the same, and looking a language up takes
 * as long as a statement of the database.
 */
export function toBrowserFormats(acceptLanguage: string | null, zone = ''): BrowserFormats {
  const language = (acceptLanguage ?? '').slice(0, READ_CHARACTERS)
  const name = `${language} ${zone.slice(0, READ_CHARACTERS)}`
  const known = processWide<BoundedMap<BrowserFormats>>('tieoutBrowserFormats', () => createBoundedMap(MOST_KNOWN))
  const found = known.get(name)
  if (found !== undefined) return found
  const said = readLanguage(language)
  const made = { number: said?.number ?? null, date: said?.date ?? null, timeZone: isTimeZone(zone) ? zone : null }
  known.set(name, made)
  return made
}
