import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHitFinder } from './find-hits.ts'
import { foldText } from './fold-text.ts'

const mark = (search: string, text: string) => {
  let marked = ''
  let at = 0
  for (const { from, to } of createHitFinder(search)(text)) {
    marked += `${text.slice(at, from)}[${text.slice(from, to)}]`
    at = to
  }
  return marked + text.slice(at)
}

test.each([
  ['zur', 'Hotel Z\u00fcrich', 'Hotel [Z\u00fcr]ich'],
  ['malmo', 'Malmo\u0308 C', '[Malmo\u0308] C'],
  ['strasse', 'Gro\u00dfe Stra\u00dfe 5', 'Gro\u00dfe [Stra\u00dfe] 5'],
  ['stras', 'Stra\u00dfe', '[Stra\u00df]e'],
  ['night hotel', 'Hotel, 1 night', '[Hotel], 1 [night]'],
  ['"1 night"', 'Hotel, 1 night', 'Hotel, [1 night]'],
  ['hot ote', 'Hotel', '[Hote]l'],
  ['a', 'Paris', 'Paris'],
  ['314,80', '\u20ac314.80', '[\u20ac314.80]'],
  ['1234.5', '1,234.5', '[1,234.5]'],
  ['314,80', 'No. 31480', 'No. 31480'],
  ['>300', 'more than >300', 'more than >300'],
  ['', 'Paris', 'Paris'],
  ['\ud83c\udfe8', 'K\u00f6ln \ud83c\udfe8', 'K\u00f6ln [\ud83c\udfe8]'],
])('of the search %j it marks in %j: %s', (search, text, marked) => expect(mark(search, text)).toBe(marked))

test('every hit folds to text that has the word, in order and apart', () => {
  const unit = fc.constantFrom(...'abcE\u00e9\u00df \u0301', '\ud83d\ude86', '\u0130', '\ufb01')
  fc.assert(
    fc.property(fc.string({ unit, minLength: 2, maxLength: 4 }), fc.string({ unit, maxLength: 20 }), (word, text) => {
      const hits = createHitFinder(`"${word}"`)(text)
      const wanted = foldText(word)
      let end = -1
      for (const { from, to } of hits) {
        expect(from).toBeGreaterThan(end)
        end = to
        expect(foldText(text.slice(from, to))).toContain(wanted)
      }
      if (wanted.length >= 2 && foldText(text).includes(wanted)) expect(hits.length).toBeGreaterThan(0)
    }),
    { seed: 29, numRuns: 3000 },
  )
})
