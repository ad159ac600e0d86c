import { expect, test } from 'vitest'
import { describeAnswer, listReasons } from './answer-words.ts'
import { findAnswers } from './find-answers.ts'
import { makeCorrection, makeCredit, makeDispute } from './test-support/test-disputes.ts'

const D = makeDispute('d', '41.30')
const REFERENCE = { reference: D.invoiceSerialNumber }

function describeFirst(...[disputes, candidates]: Parameters<typeof findAnswers>) {
  const [answer] = findAnswers(disputes, candidates)
  if (answer === undefined) throw new RangeError('nothing answers it')
  return describeAnswer(answer)
}

test('each kind of answer has its words', () => {
  const words = [
    describeFirst([D], [makeCredit('a', '-41.30', REFERENCE)]),
    describeFirst([D], [makeCorrection('a', D, '124.60', '83.30')]),
    describeFirst([D], [makeCredit('a', '-41'), makeCredit('b', '-0.3')]),
    describeFirst([D], [makeCredit('a', '-35.30', REFERENCE)]),
    describeFirst([D], [makeCorrection('a', D, '124.60', '74.60')]),
    describeFirst([D], [makeCredit('a', '-41.30'), makeCredit('b', '-41.30')]),
    describeFirst([D, makeDispute('e', '41.30')], [makeCredit('a', '-41.30')]),
    describeFirst([D], [makeCredit('a', '-40', REFERENCE), makeCredit('b', '-30', REFERENCE)]),
  ].map(({ label, sentence }) => [label, sentence])
  expect(words).toEqual([
    ['answers it exactly', 'Credit line CR-01-2026-000013 −41.30 answers it exactly'],
    ['answers it exactly', 'New version of the line (−41.30) answers it exactly'],
    ['answer it exactly', '2 later lines (−41.00 −0.30) answer it exactly together'],
    ['partial, 6.00 EUR left', 'Credit line CR-01-2026-000013 −35.30 answers it in part'],
    ['8.70 EUR more than expected', 'New version of the line (−50.00) gives back more than expected'],
    ['2 answers fit', '2 answers fit equally well; please choose'],
    ['may answer 1 other dispute, too', 'One answer fits, and may belong to 1 other dispute; please choose'],
    ['2 lines name it', '2 lines name it, and none comes to it exactly; please choose'],
  ])
})

test('reasons are said once, the strongest first, and doubts last', () => {
  const bearings = { vendorName: 'Hotel Lehel', travelerNames: ['Ana Ruiz'] }
  const dispute = makeDispute('d', '41.30', bearings)
  expect(describeFirst([dispute], [makeCredit('a', '-41'), makeCredit('b', '-0.3', bearings)]).reasons).toEqual([
    'same trip',
    'same vendor and traveler',
  ])
  expect(describeFirst([dispute], [makeCredit('a', '-41.30', { ...bearings, tripId: 'T-2' })]).reasons).toEqual([
    'same vendor and traveler',
    'but another trip or traveler',
  ])
})

test('each alternative of a tie has its own reasons', () => {
  const [answer] = findAnswers(
    [D],
    [makeCredit('a', '-41.30'), makeCredit('b', '-41.30', { description: 'Late check-out' })],
  )
  const alternatives = answer?.kind === 'tie' ? answer.alternatives : []
  expect(alternatives.map(({ terms }) => listReasons(terms))).toEqual([
    ['same trip'],
    ['same trip', 'same description'],
  ])
})

test('too many candidates to try are said to be too many', () => {
  const many = Array.from({ length: 60 }, (_, at) => makeCredit(`c${at}`, `-${(at + 3) ** 3}.${at + 10}`))
  expect(describeFirst([makeDispute('d', '99999999.99')], many)).toEqual({
    label: 'too many to tell',
    sentence: '60 later lines may answer it: too many sums to try them all',
    reasons: [],
  })
})
