import { expect, test } from 'vitest'
import { describeEntry } from './entry-words.ts'

const toWords = (action: string, after: object | string | null, subjectName: string | null = 'lines') =>
  describeEntry({
    action,
    subjectName,
    after: typeof after === 'object' && after !== null ? JSON.stringify(after) : after,
  } as never)

test.each([
  [
    { filters: 'period=2026-09&currency=EUR&vertical=hotel&findings=1', outcome: 'complete', rows: 24, bytes: 9 },
    'exported 24 lines (Issued Sep 1 to Sep 30, 2026, Currency EUR, Vertical hotel, Findings only): complete',
  ],
  [{ filters: '', outcome: 'broken off', rows: 1, bytes: 9 }, 'exported 1 line: broken off, not complete'],
  [{ filters: 'q=oslo', outcome: 'complete', rows: 0 }, 'exported 0 lines (search “oslo”): complete'],
])('a file is one entry that says which rows, how many, and whether it is whole: %j', (after, words) => {
  expect(toWords('export.ended', after)).toEqual({ words, subject: null })
})

test('an accepted loss says what it took, per currency', () => {
  const totals = [
    { currency: 'EUR', lineCount: 200, totalAmount: '31148.86' },
    { currency: 'JPY', lineCount: 59, totalAmount: '227588' },
  ]
  expect(toWords('loss.accepted', { linesMarked: 259, invoicesMarked: 12, totals }, 'Acme')).toEqual({
    words: 'accepted the removal of 259 lines and 12 invoices: EUR 31,148.86 · JPY 227,588',
    subject: 'Acme',
  })
})

test.each(['x', 'null', [null, 7]])(
  'an accepted loss says its counts alone where its totals are no list: %j',
  (totals) => {
    expect(toWords('loss.accepted', { linesMarked: 1, invoicesMarked: 0, totals }, 'Acme').words).toBe(
      'accepted the removal of 1 line and 0 invoices',
    )
  },
)

test.each([null, 'no JSON', '{"totals":"x"}', '[1]', { filters: 7 }])(
  'an entry that somebody else wrote says what its action is called: %j',
  (after) => {
    expect(toWords('loss.accepted', after, 'Acme')).toEqual({ words: 'accepted the removal of lines', subject: 'Acme' })
    expect(() => toWords('export.ended', after)).not.toThrow()
    expect(toWords('someday.done', after, null)).toEqual({ words: 'someday.done', subject: null })
  },
)
