import { expect, test } from 'vitest'
import { toSeenWords } from './seen-words.ts'

const people = (names: string) => [...names].map((name) => ({ id: name, name: name.toUpperCase() }))
const words = (names: string, me: string) => {
  const said = toSeenWords(people(names), me)
  return said && `${said.names.map(({ text }) => text).join(', ')} +${said.further}`
}

test.each([
  ['', 'x', null],
  ['x', 'x', 'you +0'],
  ['xa', 'x', 'A, you +0'],
  ['axb', 'x', 'A, B, you +0'],
  ['abc', 'x', 'A, B, C +0'],
  ['xabc', 'x', 'A, B +2'],
  ['abcdefx', 'x', 'A, B +5'],
])('of %j, %s reads %j: all are counted, and two or three named', (names, me, said) => {
  expect(words(names, me)).toBe(said)
})
