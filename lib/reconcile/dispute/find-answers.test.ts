import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import type { Day } from '../day.ts'
import type { Answer, Candidate, OpenDispute } from './answer.ts'
import { findAnswers } from './find-answers.ts'
import { makeCorrection, makeCredit, makeDispute } from './test-support/test-disputes.ts'

/** `exact a`, `sum a+b`, `tie a|b+c ~other`: an answer in short. */
function inShort(answer: Answer | undefined): string {
  if (answer === undefined) return 'none'
  const name = (fit: { terms: { candidateId: string }[] }) => fit.terms.map((term) => term.candidateId).join('+')
  if ('fit' in answer) return `${answer.kind} ${name(answer.fit)}`
  const shared = answer.kind === 'tie' && answer.sharedWith.length > 0 ? ` ~${answer.sharedWith.join()}` : ''
  return `${answer.kind} ${answer.alternatives.map(name).join('|')}${shared}`
}

const D = makeDispute('d', '41.30')
const answerTo = (candidates: Candidate[], dispute: OpenDispute = D) => inShort(findAnswers([dispute], candidates)[0])

test('a credit of exactly the amount is proposed with its arithmetic and its evidence', () => {
  const credit = makeCredit('a', '-41.30', { description: 'Refund: Late check-out' })
  expect(findAnswers([D], [credit])).toEqual([
    {
      disputeId: 'd',
      currency: 'EUR',
      kind: 'exact',
      fit: {
        expected: '41.30',
        terms: [
          {
            candidateId: 'a',
            kind: 'credit',
            lineId: 'line-of-a',
            invoiceSerialNumber: 'CR-01-2026-000013',
            amount: '41.30',
            evidence: ['same_trip', 'description_named'],
            strength: 'linked',
          },
        ],
        left: '0.00',
      },
    },
  ])
})

test.each<[string, Candidate[], string]>([
  ['is a charge', [makeCredit('a', '41.30')], 'none'],
  ['is a cent less', [makeCredit('a', '-41.29')], 'none'],
  ['is of another scale', [makeCredit('a', '-41.3000')], 'exact a'],
  ['is of another currency', [makeCredit('a', '-41.30', { currency: 'USD' })], 'none'],
  ['is of another account', [makeCredit('a', '-41.30', { connectionId: 'x' as ConnectionId })], 'none'],
  ['came on the day of the dispute', [makeCredit('a', '-41.30', { seenOn: D.disputedOn })], 'none'],
  ['has nothing in common', [makeCredit('a', '-41.30', { tripId: null })], 'none'],
  ['is the disputed line itself', [makeCredit('a', '-41.30', { lineId: D.lineId })], 'none'],
  ['is the only sum', [makeCredit('a', '-20'), makeCredit('b', '-21.3'), makeCredit('c', '-9.99')], 'sum a+b'],
  ['is one of two', [makeCredit('a', '-41.30'), makeCredit('b', '-41.30')], 'tie a|b'],
  ['is beside a sum', [makeCredit('a', '-41.30'), makeCredit('b', '-41'), makeCredit('c', '-0.3')], 'tie a|b+c'],
  ['is one of two sums', [makeCredit('a', '-40'), makeCredit('b', '-1.3'), makeCredit('c', '-1.30')], 'tie a+b|a+c'],
])('of a credit that %s', (_, candidates, expected) => {
  const short = answerTo(candidates)
  const sorted = short.replace(/(\S+)\|(\S+)$/, (_all, one: string, other: string) => [one, other].sort().join('|'))
  expect(sorted).toBe(expected)
})

const NO_TRIP = { tripId: null }
const LODGED = makeDispute('d', '41.30', {
  service: 'hotel',
  vendorName: 'Hotel Lehel',
  travelerNames: ['Ana Ruiz', 'K. Vogt'],
})

test.each<[string, Partial<Candidate>, string]>([
  ['the id of the line', { ...NO_TRIP, description: 'Credit for line-of-d' }, 'line_named'],
  ['the invoice in its reference', { ...NO_TRIP, reference: 'For INV-01-2026-000158.' }, 'invoice_named'],
  ['the invoice in its description', { ...NO_TRIP, description: 'inv-01-2026-000158: refund' }, 'invoice_named'],
  ['the same invoice', { ...NO_TRIP, invoiceSerialNumber: D.invoiceSerialNumber }, 'invoice_named'],
  ['the trip', {}, 'same_trip'],
  ['what the line is for', { ...NO_TRIP, description: 'Refund: late  check-out' }, 'description_named'],
  [
    'vendor and traveler',
    { ...NO_TRIP, vendorName: 'HOTEL LEHEL', travelerNames: ['ana ruiz'] },
    'same_vendor_and_traveler',
  ],
  ['the service', { ...NO_TRIP, service: 'hotel' }, 'same_service'],
])('a credit is linked by %s', (_, more, evidence) => {
  const [answer] = findAnswers([LODGED], [makeCredit('a', '-41.30', more)])
  expect(inShort(answer)).toBe('exact a')
  expect(answer).toMatchObject({ fit: { terms: [{ evidence: [evidence] }] } })
})

test.each<[string, Partial<Candidate>]>([
  ['a longer number', { ...NO_TRIP, reference: 'INV-01-2026-0001580' }],
  ['a number with more behind it', { ...NO_TRIP, reference: 'INV-01-2026-000158-2' }],
  ['the vendor without the traveler', { ...NO_TRIP, vendorName: 'Hotel Lehel' }],
  ['another invoice, on the same trip', { description: 'Refund of INV-01-2026-000777' }],
  ['another trip, with the same service', { tripId: 'T-2', service: 'hotel' }],
  ['other travelers, with the same service', { ...NO_TRIP, travelerNames: ['Bo Lee'], service: 'hotel' }],
])('a credit that names %s is no candidate', (_, more) => {
  expect(answerTo([makeCredit('a', '-41.30', more)], LODGED)).toBe('none')
})

test('a credit of its own invoice’s number is not taken for one that names another', () => {
  const number = 'INV-01-2026-000201'
  expect(answerTo([makeCredit('a', '-41.30', { invoiceSerialNumber: number, description: `On ${number}` })])).toBe(
    'exact a',
  )
})

test('a credit that names the invoice is the only answer beside one that does not', () => {
  const named = makeCredit('a', '-41.30', { reference: 'INV-01-2026-000158' })
  const other = makeCredit('b', '-41.30')
  expect(answerTo([other, named])).toBe('exact a')
  expect(answerTo([named, { ...named, id: 'c', lineId: 'line-of-c' }, other])).toBe('tie a|c')
})

test('what is closer without naming anything leaves a tie', () => {
  const onTrip = makeCredit('a', '-41.30', { service: 'hotel' })
  const ofService = makeCredit('b', '-41.30', { ...NO_TRIP, service: 'hotel' })
  expect(answerTo([ofService, onTrip], LODGED)).toBe('tie a|b')
})

test('a credit of another trip is proposed only where no other fits, and says so', () => {
  const bearings = { vendorName: 'Hotel Lehel', travelerNames: ['Ana Ruiz'] }
  const other = makeCredit('b', '-41.30', { ...bearings, tripId: 'T-2' })
  expect(answerTo([other, makeCredit('a', '-41.30')], LODGED)).toBe('exact a')
  const [alone] = findAnswers([LODGED], [other])
  expect(alone).toMatchObject({ kind: 'exact', fit: { terms: [{ strength: 'doubtful' }] } })
})

test('a new version of the line answers it by what it fell', () => {
  expect(answerTo([makeCorrection('a', D, '124.60', '83.30')])).toBe('exact a')
  expect(answerTo([makeCorrection('a', D, '124.60', '103.30')])).toBe('partial a')
  expect(answerTo([makeCorrection('a', D, '124.60', '103.30'), makeCredit('b', '-20.00')])).toBe('sum a+b')
  expect(answerTo([makeCorrection('a', D, '124.60', '130.00')])).toBe('none')
  expect(answerTo([makeCorrection('a', makeDispute('other', '41.30'), '124.60', '83.30')])).toBe('none')
})

test('a refund that was too small is answered by a new version that refunds more', () => {
  const refund = makeDispute('d', '20.00')
  expect(answerTo([makeCorrection('a', refund, '-99.00', '-119.00')], refund)).toBe('exact a')
  expect(answerTo([makeCorrection('a', refund, '-119.00', '-99.00')], refund)).toBe('none')
})

test('a credit that names the invoice and does not suffice is partial, with what is left', () => {
  const part = makeCredit('a', '-35.30', { reference: 'INV-01-2026-000158' })
  expect(findAnswers([D], [part])).toMatchObject([{ kind: 'partial', fit: { left: '6.00' } }])
  const more = { ...part, id: 'b', lineId: 'line-of-b', totalAmount: '-5.00' } as Candidate
  expect(findAnswers([D], [part, more])).toMatchObject([{ kind: 'partial', fit: { left: '1.00' } }])
  const tooMuch = { ...more, totalAmount: '-30.00' } as Candidate
  expect(answerTo([part, tooMuch])).toBe('tie a|b')
  expect(answerTo([makeCredit('a', '-500.00', { reference: 'INV-01-2026-000158' })])).toBe('none')
})

test('a line that fell by more than expected is said to be over', () => {
  const answer = findAnswers([D], [makeCorrection('a', D, '124.60', '74.60')])[0]
  expect(answer).toMatchObject({ kind: 'over', fit: { left: '-8.70' } })
})

test('a credit that answers another dispute already is no candidate', () => {
  expect(findAnswers([D], [makeCredit('a', '-41.30')], new Set(['a']))).toEqual([])
})

test('a credit that fits two disputes is a tie in both, until one is confirmed', () => {
  const E = makeDispute('e', '41.30', { description: 'Minibar' })
  const both = findAnswers([D, E], [makeCredit('a', '-41.30')])
  expect(both.map(inShort)).toEqual(['tie a ~e', 'tie a ~d'])
  const two = findAnswers([D, E], [makeCredit('a', '-41.30'), makeCredit('b', '-41.30')])
  expect(two.map(inShort)).toEqual(['tie a|b ~e', 'tie a|b ~d'])
  expect(findAnswers([E], [makeCredit('a', '-41.30'), makeCredit('b', '-41.30')], new Set(['a'])).map(inShort)).toEqual(
    ['exact b'],
  )
})

test('a credit that is a part of one answer and the whole of another is a tie in both', () => {
  const E = makeDispute('e', '20.00')
  const found = findAnswers([D, E], [makeCredit('a', '-20.00'), makeCredit('b', '-21.30')])
  expect(found.map(inShort)).toEqual(['tie a+b ~e', 'tie a ~d'])
})

test('a credit that names one of two disputes is no candidate for the other', () => {
  const E = makeDispute('e', '41.30', { invoiceSerialNumber: 'INV-01-2026-000159' })
  const credits = [makeCredit('a', '-41.30', { reference: 'INV-01-2026-000159' }), makeCredit('b', '-41.30')]
  expect(findAnswers([D, E], credits).map(inShort)).toEqual(['exact b', 'exact a'])
  const F = makeDispute('f', '41.30', { tripId: 'T-2', travelerNames: ['Ana Ruiz'], vendorName: 'Hotel Lehel' })
  expect(findAnswers([LODGED, F], [makeCredit('a', '-41.30', LODGED_BEARINGS)]).map(inShort)).toEqual(['exact a'])
})
const LODGED_BEARINGS = { travelerNames: ['Ana Ruiz'], vendorName: 'Hotel Lehel' }

test('a part that answers another dispute exactly is not part of this one', () => {
  const E = makeDispute('e', '10.00', { lineId: 'line-of-e' })
  const part = makeCredit('a', '-10.00', { reference: 'INV-01-2026-000158' })
  expect(findAnswers([D, E], [part]).map(inShort)).toEqual(['exact a'])
  expect(findAnswers([D, makeDispute('e', '50.00')], [part]).map(inShort)).toEqual(['tie a ~e', 'tie a ~d'])
})

test('among too many candidates nothing is called the only answer', () => {
  const many = Array.from({ length: 60 }, (_, at) => makeCredit(`c${at}`, `-${(at + 3) ** 3}.${at + 10}`))
  const dispute = makeDispute('d', '99999999.99')
  expect(findAnswers([dispute], many)).toMatchObject([{ kind: 'too_many', candidateCount: 60, alternatives: [] }])
  const one = makeCredit('one', '-99999999.99')
  expect(answerTo([...many, one], dispute)).toBe('too_many one')
  expect(answerTo([...many, one, { ...one, id: 'two', lineId: 'line-of-two' }], dispute)).toBe('tie one|two')
})

test('the order of candidates and of disputes changes nothing', () => {
  const disputes = [D, makeDispute('e', '20.00'), makeDispute('f', '7.00', { tripId: 'T-3' })]
  const credits = ['-20.00', '-21.30', '-41.30', '-7.00'].map((total, at) =>
    makeCredit(`c${at}`, total, at === 3 ? { tripId: 'T-3' } : { seenOn: `2026-11-1${at}` as Day }),
  )
  const forth = findAnswers(disputes, credits)
  const back = findAnswers(disputes.toReversed(), credits.toReversed()).toReversed()
  expect(back).toEqual(forth)
})

/** Every set of these amounts that comes to the target. */
function listSets(amounts: readonly number[], target: number): number[][] {
  const places = amounts.map((_, place) => place)
  const sets = Array.from({ length: 2 ** amounts.length }, (_, set) => places.filter((place) => (set >> place) & 1))
  return sets.filter((set) => set.reduce((sum, place) => sum + (amounts[place] ?? 0), 0) === target)
}

test('whatever came, an only answer is the only one that fits with evidence as good, and others are ties', () => {
  const bearings = { vendorName: 'Hotel Lehel', travelerNames: ['Ana Ruiz'] }
  const evidence = [{ reference: LODGED.invoiceSerialNumber }, {}, { ...bearings, tripId: 'T-2' }]
  const later = fc.record({ units: fc.integer({ min: 1, max: 30 }), rank: fc.nat({ max: 2 }) })
  fc.assert(
    fc.property(fc.array(later, { maxLength: 8 }), fc.integer({ min: 1, max: 60 }), (all, target) => {
      const credits = all.map(({ units, rank }, at) =>
        makeCredit(`c${at}`, `-0.${String(units).padStart(2, '0')}`, evidence[rank]),
      )
      const [answer] = findAnswers(
        [{ ...LODGED, expectedBack: `0.${String(target).padStart(2, '0')}` as never }],
        credits,
      )
      // the first strength at which anything fits decides
      const sets = [0, 1, 2].map((most) =>
        listSets(
          all.map(({ units, rank }) => (rank <= most ? units : 1_000)),
          target,
        ),
      )
      const fitting = sets.find(({ length }) => length > 0) ?? []
      const names = fitting.map((set) =>
        set
          .map((place) => `c${place}`)
          .sort()
          .join(),
      )
      if (answer?.kind === 'exact' || answer?.kind === 'sum') {
        expect(names).toEqual([
          answer.fit.terms
            .map(({ candidateId }) => candidateId)
            .sort()
            .join(),
        ])
      } else if (names.length > 0) {
        expect(answer?.kind).toBe('tie')
        expect(names.length).toBeGreaterThan(1)
      } else expect(answer === undefined || /[1-9]/.test('fit' in answer ? answer.fit.left : '1')).toBe(true)
    }),
  )
})
