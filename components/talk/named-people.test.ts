import { expect, test } from 'vitest'
import { findBegunName, findByBeginning, findMentions, splitByNames } from './named-people.ts'

const ANA = { id: 'a', name: 'Ana' }
const RUIZ = { id: 'r', name: 'Ana Ruiz' }
const BEN = { id: 'b', name: 'Ben Okafor' }
const OTHER_BEN = { id: 'o', name: 'Ben Okafor' }

test('a text is split where it names people, the longer of two names first, and only by whole names', () => {
  expect(splitByNames('@Ana Ruiz and @Ana, not @Anabel or me@Ana.example', [ANA, RUIZ])).toEqual([
    { text: '@Ana Ruiz', person: RUIZ },
    { text: ' and ', person: null },
    { text: '@Ana', person: ANA },
    { text: ', not @Anabel or me', person: null },
    { text: '@Ana', person: ANA },
    { text: '.example', person: null },
  ])
  expect(splitByNames('nobody', [ANA])).toEqual([{ text: 'nobody', person: null }])
  expect(splitByNames('', [ANA])).toEqual([])
})

test('whoever the text still names is mentioned; of two with one name, who was chosen', () => {
  const people = [ANA, RUIZ, BEN, OTHER_BEN]
  expect(findMentions('Ask @Ana Ruiz', people, ['a'])).toEqual(['r'])
  expect(findMentions('Ask @Ben Okafor', people, ['o'])).toEqual(['o'])
  expect(findMentions('Ask @Ben Okafor', people, [])).toEqual([])
  expect(findMentions('Ask nobody', people, ['a', 'b'])).toEqual([])
})

test('a name is begun by an @ at the start of a word, before the caret and on its line', () => {
  expect(findBegunName('Ask @Be now', 7)).toEqual({ at: 4, begun: 'Be' })
  expect(findBegunName('@', 1)).toEqual({ at: 0, begun: '' })
  expect(findBegunName('Ask @Ben Ok', 11)).toEqual({ at: 4, begun: 'Ben Ok' })
  expect(findBegunName('me@example', 10)).toBeNull()
  expect(findBegunName('@Ben\nnext', 9)).toBeNull()
})

test('people are found by the beginning of any of their names, whatever its accents and capitals', () => {
  const people = [RUIZ, BEN, { id: 'z', name: 'Zoë Árvay' }]
  expect(findByBeginning(people, 'ru')).toEqual([RUIZ])
  expect(findByBeginning(people, 'ben ok')).toEqual([BEN])
  expect(findByBeginning(people, 'ARV').map(({ id }) => id)).toEqual(['z'])
  expect(findByBeginning(people, '')).toHaveLength(3)
})
