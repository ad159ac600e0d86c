import { expect, test } from 'vitest'
import { type CloseFacts, type EndedSignature, nextStepOf, type Signature, standOfClose } from './close-state.ts'
import { firstDayOf, writeScope } from './scope.ts'

const signature = (step: Signature['step']): Signature => ({
  id: step,
  step,
  personId: 'ana',
  name: 'Ana',
  at: '2026-03-04T10:00:00Z',
})
const ended = (step: Signature['step'], cause: EndedSignature['cause']): EndedSignature => ({
  ...signature(step),
  endedAt: '2026-03-05T10:00:00Z',
  cause,
  moved: [],
})
const facts = (change: Partial<CloseFacts>): CloseFacts => ({
  undecided: 0,
  worst: 'ties_out',
  prepared: null,
  approved: null,
  isLocked: false,
  lastEnded: null,
  ...change,
})
const [prepared, approved] = [signature('prepared'), signature('approved')]

test.each([
  ['open', facts({ undecided: 2, worst: 'unexplained' })],
  ['ready', facts({})],
  ['prepared', facts({ prepared, undecided: 1 })],
  ['approved', facts({ prepared, approved })],
  ['locked', facts({ prepared, approved, isLocked: true })],
  ['changed', facts({ isLocked: true, lastEnded: ended('approved', 'changed') })],
] as const)('a scope is %s by what is decided and what stands', (state, given) => {
  expect(standOfClose(given)).toMatchObject({ state, undecided: given.undecided, worst: given.worst })
})

test('what fell under a signature is said until that step is signed again; what somebody took back is not', () => {
  expect(standOfClose(facts({ lastEnded: ended('approved', 'gone') })).fallen).toMatchObject({ cause: 'gone' })
  expect(standOfClose(facts({ prepared, lastEnded: ended('approved', 'gone') })).fallen).not.toBeNull()
  expect(standOfClose(facts({ prepared, approved, lastEnded: ended('approved', 'gone') })).fallen).toBeNull()
  for (const cause of ['withdrawn', 'superseded'] as const)
    expect(standOfClose(facts({ lastEnded: ended('approved', cause) })).fallen).toBeNull()
})

test('each state has its next step, and only a month is locked', () => {
  expect(
    (['open', 'ready', 'prepared', 'approved', 'locked', 'changed'] as const).map((each) => nextStepOf(each, true)),
  ).toEqual(['prepare', 'prepare', 'approve', 'lock', null, 'reopen'])
  expect(nextStepOf('approved', false)).toBeNull()
})

test('a scope has one text, and a month is one of the calendar', () => {
  expect(writeScope({ kind: 'profile_month', connectionId: 'c', profileId: 'p 1', month: '2026-03' })).toBe(
    'profile_month c 2026-03 p 1',
  )
  expect(writeScope({ kind: 'invoice', connectionId: 'c', serialNumber: 'I 1' })).toBe('invoice c I 1')
  expect(firstDayOf('2026-03')).toBe('2026-03-01')
  for (const text of ['2026-13', '2026-3', '2026-03-01', '0000-01', 'x']) expect(firstDayOf(text)).toBeNull()
})
