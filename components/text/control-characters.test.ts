import { expect, test } from 'vitest'
import { splitControlCharacters } from './control-characters.ts'

test('names invisible characters and keeps the text byte for byte', () => {
  const text = 'a\u202Eb\nc\u200B\u0007'
  const pieces = splitControlCharacters(text)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  expect(pieces.map((piece) => piece.controlName)).toEqual([null, 'U+202E', null, 'U+200B', 'U+0007'])
})

test('leaves ordinary text in one piece', () => {
  expect(splitControlCharacters('Zürich\n\tשלום')).toHaveLength(1)
})
