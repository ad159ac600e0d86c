import { expect, test } from 'vitest'
import { decimal } from '../../test-support/seed.ts'
import { createRandom } from '../../test-support/seed-varied-lines.ts'
import { ALL_WORD_BITS, toWordBits, WORD_BITS_VERSION } from './word-bits.ts'

const random = createRandom(3)
const toBits = (literal: string) => Buffer.from(literal.slice(1), 'hex')
const has = (whole: string, part: string) => {
  const held = toBits(whole)
  return toBits(part).every((byte, at) => ((held[at] as number) & byte) === byte)
}
const ofText = (text: string) => toWordBits([text], []).trigrams
const ofAmount = (text: string) => toWordBits([], [decimal(text)]).amounts
const countBits = (literal: string) =>
  toBits(literal).reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)

const TEXTS = [
  'hotel adler, 1 night',
  'ärger im großen café',
  'πλοίο της αγάπης',
  '🚆 zug 🚄 nach 東京都港区',
  '\u001f\u001f|%_\\',
]

test('a text has every bit of each of its parts, in any script', () => {
  for (const text of TEXTS) {
    const points = [...text]
    for (let nth = 0; nth < 200; nth++) {
      const from = random(points.length)
      const part = points.slice(from, from + 1 + random(points.length)).join('')
      expect(has(ofText(text), ofText(part)), `${text}: ${part}`).toBe(true)
    }
  }
  expect(has(toWordBits(TEXTS, []).trigrams, ofText(TEXTS[2] as string))).toBe(true)
})

test('a text that a line does not have is told from those that it has', () => {
  const whole = toWordBits(TEXTS, []).trigrams
  expect(['lisbon 1234', 'zzyzx', 'vendor 77', '大阪府大阪市'].filter((text) => has(whole, ofText(text)))).toEqual([])
  const amounts = toWordBits(
    [],
    ['119.00', '0.07', '1234.5', '990'].map((text) => decimal(text)),
  ).amounts
  expect(['118.00', '0.70', '12345', '99'].filter((text) => has(amounts, ofAmount(text)))).toEqual([])
})

test('a text of less than three characters asks for nothing', () => {
  expect(['', 'a', 'ab', '🚆'].map((text) => countBits(ofText(text)))).toEqual([0, 0, 0, 0])
  expect(countBits(ofText('abc'))).toBe(1)
})

test('half a surrogate pair is what the database makes of it', () => {
  expect(ofText('ab\ud83d')).toBe(ofText('ab\ufffd'))
})

test.each([
  ['119.00', ['119', '119.0', '-119', '-119.0000']],
  ['0.50', ['0.5', '-0.50000']],
  ['100', ['100.00', '-100']],
  ['0', ['0.00', '0.000']],
])('an amount sets the same bits with either sign and any zeros at its end: %s', (amount, others) => {
  expect(countBits(ofAmount(amount))).toBeGreaterThan(1)
  for (const other of others) expect(ofAmount(other)).toBe(ofAmount(amount))
  expect(ofAmount(amount)).not.toBe(ofAmount('120'))
})

test('all bits have those of everything', () => {
  expect(has(ALL_WORD_BITS.trigrams, toWordBits(TEXTS, []).trigrams)).toBe(true)
  expect(has(ALL_WORD_BITS.amounts, ofAmount('119.00'))).toBe(true)
})

test('each version of the function sets the bits that it always has', () => {
  const positions = (literal: string) =>
    [...toBits(literal)].flatMap((byte, at) =>
      [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => (byte & (0x80 >> bit) ? at * 8 + bit : [])),
    )
  expect({
    version: WORD_BITS_VERSION,
    trigrams: positions(ofText('été 🚆')),
    amounts: positions(ofAmount('119.00')),
  }).toEqual({ version: 2, trigrams: [1340, 1894, 3143, 3560], amounts: [1152, 1489, 1776, 1990] })
})
