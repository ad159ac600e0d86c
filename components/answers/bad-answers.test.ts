import { expect, test } from 'vitest'
import type { RunId } from '#lib/ids.ts'
import type { BadAnswer } from '#lib/sync/model.ts'
import { sayFailure } from './failure-words.ts'
import { foldRepeats } from './group-by-run.ts'

const answer = (id: string, more: Partial<BadAnswer> = {}): BadAnswer => ({
  id,
  runId: '12345678-aaaa-bbbb-cccc-000000000000' as RunId,
  list: 'lines',
  offset: 0,
  seenAt: '2026-11-25T09:00:00.000Z',
  kind: 'throttled',
  httpStatus: 503,
  reason: 'HTTP 503',
  beginning: null,
  ...more,
})

test.each([
  ['throttled', 503, 'Platform unavailable (503)'],
  ['throttled', 429, 'Asked to wait (429)'],
  ['unavailable', 500, 'Platform unavailable (500)'],
  ['timeout', null, 'No response in time'],
  ['something new', 418, 'something new (418)'],
])('says of %s with HTTP %s whose trouble it is', (kind, httpStatus, words) => {
  expect(sayFailure({ kind, httpStatus })).toBe(words)
})

test('answers that only say the same again are one, with their number', () => {
  const all = [answer('1'), answer('2'), answer('3', { offset: 50 }), answer('4')]
  expect(foldRepeats(all).map(({ answer: { id }, count }) => [id, count])).toEqual([
    ['1', 2],
    ['3', 1],
    ['4', 1],
  ])
})
