import { expect, test } from 'vitest'
import {
  isDone,
  needsReason,
  outcomeOf,
  REVIEW_CHOICES,
  REVIEW_VERBS,
  STATE_AFTER,
  statesWith,
} from './review-state.ts'

test('a verb that led to a state has nothing more to do there', () => {
  for (const verb of REVIEW_VERBS) {
    const after = STATE_AFTER[verb]
    if (after !== null) expect(outcomeOf(verb, after)).toBe('already')
  }
})

test('every state has one outcome of every verb, and open lines have nothing to take back', () => {
  for (const verb of REVIEW_VERBS) {
    const all = (['changes', 'already', 'cannot'] as const).flatMap((outcome) => statesWith(verb, outcome))
    expect([...all].sort()).toEqual([...REVIEW_CHOICES].sort())
  }
  expect(outcomeOf('withdraw', 'open')).toBe('already')
})

test('a disputed line is not accepted over the dispute, and a settled one is not disputed anew', () => {
  expect(outcomeOf('accept', 'disputed')).toBe('cannot')
  expect(outcomeOf('dispute', 'settled')).toBe('cannot')
})

test('what was suspended is not done, and can be decided again', () => {
  expect(isDone('suspended')).toBe(false)
  expect(outcomeOf('accept', 'suspended')).toBe('changes')
  expect(REVIEW_CHOICES.filter(isDone)).toEqual(['accepted', 'settled'])
})

test('accepting what is unexplained asks for a reason, accepting what is explained does not', () => {
  expect(needsReason('accept', ['explained', 'unexplained'])).toBe(true)
  expect(needsReason('accept', ['explained', 'note'])).toBe(false)
  expect(needsReason('dispute', ['explained'])).toBe(true)
  expect(needsReason('undo', ['unexplained'])).toBe(false)
})
