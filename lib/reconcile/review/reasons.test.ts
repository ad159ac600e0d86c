import { expect, test } from 'vitest'
import {
  BUILT_IN_REASONS,
  changeReasons,
  explainsAny,
  listOffered,
  type Reason,
  type ReasonChange,
  withBuiltIn,
} from './reasons.ts'

function change(reasons: readonly Reason[], ...asked: ReasonChange[]): Reason[] {
  return asked.reduce<Reason[]>(
    (list, each) => {
      const ended = changeReasons(list, each)
      if (typeof ended === 'string') throw new Error(ended)
      return ended.reasons
    },
    [...reasons],
  )
}
const codes = (reasons: readonly Reason[], kind: Reason['kind']) =>
  listOffered(reasons, kind, false).map(({ code }) => code)

test('an own reason has a code of its first words, which no other has and which a new name does not change', () => {
  const list = change(
    BUILT_IN_REASONS,
    { change: 'add', kind: 'accept', words: 'Rabatt später, größer' },
    { change: 'rename', kind: 'accept', code: 'own_rabatt_spater_gro_er', words: 'Bonus' },
    { change: 'add', kind: 'accept', words: 'Rabatt später, größer' },
    { change: 'add', kind: 'accept', words: '割引' },
    { change: 'add', kind: 'accept', words: '値引き' },
  )
  expect(codes(list, 'accept').slice(5)).toEqual([
    'own_rabatt_spater_gro_er',
    'own_rabatt_spater_gro_er_2',
    'own_reason',
    'own_reason_2',
  ])
  expect(list.find(({ code }) => code === 'own_rabatt_spater_gro_er')?.words).toBe('Bonus')
  for (const { code } of change(list, { change: 'add', kind: 'dispute', words: 'x'.repeat(80) }))
    expect(code.length).toBeLessThanOrEqual(40)
})

test('what the product speaks of stays, whatever it is called; others are retired and brought back in their place', () => {
  for (const code of ['as_explained', 'elsewhere'])
    expect(changeReasons(BUILT_IN_REASONS, { change: 'retire', kind: 'accept', code })).toBe('stays')
  const renamed = change(BUILT_IN_REASONS, { change: 'rename', kind: 'accept', code: 'elsewhere', words: 'In SAP' })
  expect(renamed.find(({ code }) => code === 'elsewhere')?.words).toBe('In SAP')
  const retired = change(renamed, { change: 'retire', kind: 'accept', code: 'agreed' })
  expect(codes(retired, 'accept')).toEqual(['as_explained', 'too_small', 'elsewhere', 'other'])
  expect(change(retired, { change: 'restore', kind: 'accept', code: 'agreed' })).toEqual(renamed)
})

test('a dispute always has a reason to choose: the last one is not retired', () => {
  const list = change(
    BUILT_IN_REASONS,
    ...['too_much', 'wrong_tax', 'not_ours', 'twice'].map(
      (code) => ({ change: 'retire', kind: 'dispute', code }) as const,
    ),
  )
  expect(changeReasons(list, { change: 'retire', kind: 'dispute', code: 'other' })).toBe('last')
})

test('two reasons of a kind do not read alike, also in capitals, with other blanks, or retired', () => {
  for (const words of ['Wrong tax', ' wrong  TAX ', 'Ｗrong tax'])
    expect(changeReasons(BUILT_IN_REASONS, { change: 'add', kind: 'dispute', words })).toBe('taken')
  const taken = { change: 'rename', kind: 'dispute', code: 'twice', words: 'wrong tax' } as const
  expect(changeReasons(BUILT_IN_REASONS, taken)).toBe('taken')
  const retired = change(BUILT_IN_REASONS, { change: 'retire', kind: 'dispute', code: 'wrong_tax' })
  expect(changeReasons(retired, taken)).toBe('taken-retired')
  // its own name in another case is no other reason's
  expect(changeReasons(BUILT_IN_REASONS, { ...taken, words: 'CHARGED TWICE' })).toHaveProperty('reasons')
  expect(changeReasons(BUILT_IN_REASONS, { change: 'add', kind: 'accept', words: 'Wrong tax' })).toHaveProperty(
    'reasons',
  )
})

test('a reason moves by one place among those that are offered, and no further than to an end', () => {
  const list = change(
    BUILT_IN_REASONS,
    { change: 'retire', kind: 'dispute', code: 'wrong_tax' },
    { change: 'up', kind: 'dispute', code: 'not_ours' },
    { change: 'up', kind: 'dispute', code: 'not_ours' },
    { change: 'down', kind: 'dispute', code: 'other' },
  )
  expect(codes(list, 'dispute')).toEqual(['not_ours', 'too_much', 'twice', 'other'])
  expect(codes(list, 'accept')).toEqual(codes(BUILT_IN_REASONS, 'accept'))
})

test('what is not there is not changed, and there is an end of reasons', () => {
  expect(changeReasons(BUILT_IN_REASONS, { change: 'retire', kind: 'dispute', code: 'agreed' })).toBe('gone')
  expect(changeReasons(BUILT_IN_REASONS, { change: 'up', kind: 'accept', code: 'toString' })).toBe('gone')
  const full = Array.from({ length: 35 }, (_, at) => ({ change: 'add', kind: 'accept', words: `R ${at}` }) as const)
  expect(changeReasons(change(BUILT_IN_REASONS, ...full), { change: 'add', kind: 'accept', words: 'One more' })).toBe(
    'full',
  )
})

test('money that nothing explains is not accepted as explained', () => {
  expect(explainsAny('as_explained')).toBe(false)
  expect(listOffered(BUILT_IN_REASONS, 'accept', true).map(({ code }) => code)).not.toContain('as_explained')
  expect(codes(BUILT_IN_REASONS, 'accept')).toContain('as_explained')
})

test('a stored list keeps its order and gains what a later version builds in', () => {
  const stored = BUILT_IN_REASONS.filter(({ code }) => code !== 'agreed').reverse()
  expect(withBuiltIn(stored)).toEqual([...stored, BUILT_IN_REASONS.find(({ code }) => code === 'agreed')])
})
