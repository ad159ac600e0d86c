/** Names that nobody can tell apart on screen, and the words that say how each differs. */
import { groupBy } from './group-by.ts'

/** Characters that leave no ink and no room: joiners, direction marks, soft hyphens, controls. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu
const BLANK = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
/** Tab and line ends are controls, too, and count as blanks. */
const BLANKS = new RegExp(`${BLANK}+`, 'gu')
const LEADING = new RegExp(`^${BLANK}+`, 'u')
const TRAILING = new RegExp(`${BLANK}+$`, 'u')

/** What an odd blank or mark is called. */
const CHARACTER_NAMES: Record<string, string> = {
  ' ': 'blank',
  '\t': 'tab',
  '\n': 'line break',
  '\r': 'line break',
  '\u00a0': 'no-break blank',
  '\u2007': 'no-break blank',
  '\u202f': 'narrow no-break blank',
  '\u2009': 'thin blank',
  '\u3000': 'wide blank',
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero-width blank',
  '\ufeff': 'zero-width blank',
  '\u2060': 'zero-width blank',
  '\u200c': 'zero-width mark',
  '\u200d': 'zero-width mark',
  '\u200e': 'direction mark',
  '\u200f': 'direction mark',
}

/**
 * A name as people see it: NFKC, invisible marks removed, blanks joined to one and trimmed. Equal
 * for names that look alike; upper and lower case stay apart. Folding twice changes nothing.
 */
export function foldName(name: string): string {
  const composed = name.normalize('NFKC').replace(BLANKS, ' ').replace(INVISIBLE, '')
  return composed.normalize('NFKC').replace(BLANKS, ' ').trim()
}

/**
 * How each of the names differs that looks like another one of them: `with a trailing blank`,
 * `written with combining accents`. Names that look like no other are not in the answer, nor is the
 * one of some that is written plainly. No two names that look alike get the same words.
 */
export function describeLookAlikes(names: Iterable<string>): Map<string, string> {
  const byLook = groupBy([...new Set(names)], foldName)
  const words = new Map<string, string>()
  for (const [plain, alike] of byLook) {
    if (alike.length < 2) continue
    const odd = alike.filter((name) => name !== plain)
    const byWords = groupBy(odd, describeName)
    for (const [said, own] of byWords)
      for (const name of own) words.set(name, own.length === 1 && said !== '' ? said : `written ${escapeName(name)}`)
  }
  return words
}

/** What is odd about a name, in words; empty if none of them says it. */
function describeName(name: string): string {
  const seen = name.replace(LEADING, '').replace(TRAILING, '')
  const lead = LEADING.exec(name)?.[0] ?? ''
  const trail = TRAILING.exec(name)?.[0] ?? ''
  const inner = [...seen.matchAll(BLANKS)].map(([run]) => run).filter((run) => run !== ' ')
  const marks = [...seen.replace(BLANKS, ' ').matchAll(INVISIBLE)].map(([mark]) => mark)
  const letters = seen.replace(BLANKS, ' ').replace(INVISIBLE, '')
  return join([
    describeBlanks(lead, 'leading '),
    ...inner.map((run) => describeBlanks(run, 'inner ')),
    ...marks.map((mark) => `with a ${CHARACTER_NAMES[mark] ?? 'hidden mark'}`),
    describeBlanks(trail, 'trailing '),
    describeLetters(letters),
  ])
}

function describeBlanks(run: string, place: string): string {
  if (run === '') return ''
  const kinds = [...new Set([...run].map((blank) => CHARACTER_NAMES[blank] ?? 'odd blank'))]
  const [kind] = kinds
  if (run.length > 1) return `with ${run.length} ${place}${kinds.length === 1 ? kind : 'mixed blank'}s`
  return place === 'inner ' ? `with a ${kind}` : `with a ${place}${kind}`
}

function describeLetters(letters: string): string {
  const composed = letters.normalize('NFC')
  if (composed.normalize('NFKC') !== composed) return 'written with letters of another form'
  if (composed === letters) return ''
  return composed.length < letters.length ? 'written with combining accents' : 'written with letters of another form'
}

/** Phrases once each, `, ` between them. */
function join(phrases: readonly string[]): string {
  return [...new Set(phrases.filter((phrase) => phrase !== ''))].join(', ')
}

/** A name in which every character shows: no two names have the same. */
function escapeName(name: string): string {
  const toCode = (each: string) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`
  return [...name].map((each) => (each === ' ' ? '\u2423' : /^[!-[\]-~]$/.test(each) ? each : toCode(each))).join('')
}
