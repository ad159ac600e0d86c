import { expect, test } from 'vitest'
import { describeRest, describeWait } from './describe-rest.ts'

test.each([
  [0, 'a few seconds'],
  [7, 'about 5 seconds'],
  [44, 'about 40 seconds'],
  [53, 'about 50 seconds'],
  [54, 'about a minute'],
  [131, 'about 2 minutes'],
  [1_400, 'about 25 minutes'],
  [3_300, 'about an hour'],
  [5_000, 'about an hour and a half'],
  [40_000, 'about 11 hours'],
  [200_000, 'about 2 days'],
])('states an estimate of %i seconds no more exactly than it is known', (seconds, text) => {
  expect(describeRest(seconds)).toBe(text)
})

test('states a short wait to the second, and never as already over', () => {
  expect(describeWait(1)).toBe('in 1 second')
  expect(describeWait(40_000)).toBe('in 40 seconds')
  expect(describeWait(200_000)).toBe('in 3 minutes')
  expect(describeWait(4 * 3_600_000)).toBe('in 4 hours')
  expect(describeWait(-5)).toBe('soon')
})
