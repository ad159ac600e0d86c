import { expect, test } from 'vitest'
import { day } from '../test-support/seed.ts'
import { splitSpan } from './split-span.ts'

const split = (from: string | null, to: string | null) =>
  splitSpan({ from: from === null ? null : day(from), to: to === null ? null : day(to) })

test.each<[span: [string | null, string | null], whole: [string | null, string | null], ends: string[]]>([
  [
    ['2026-03-05', '2026-05-17'],
    ['2026-03-01', '2026-05-20'],
    ['- 2026-03-01 2026-03-04', '- 2026-05-18 2026-05-20'],
  ],
  [
    ['2026-03-18', '2026-05-13'],
    ['2026-03-21', '2026-05-10'],
    ['+ 2026-03-18 2026-03-20', '+ 2026-05-11 2026-05-13'],
  ],
  [['2026-12-26', '2027-01-31'], ['2026-12-21', '2027-01-31'], ['- 2026-12-21 2026-12-25']],
  [
    ['2026-12-31', '2027-01-30'],
    ['2027-01-01', '2027-01-31'],
    ['+ 2026-12-31 2026-12-31', '- 2027-01-31 2027-01-31'],
  ],
  [
    ['2024-02-22', '2024-02-28'],
    ['2024-02-21', '2024-02-29'],
    ['- 2024-02-21 2024-02-21', '- 2024-02-29 2024-02-29'],
  ],
  [['2026-01-01', null], ['2026-01-01', null], []],
  [['2026-01-21', '2026-02-28'], ['2026-01-21', '2026-02-28'], []],
  [[null, '0099-01-02'], [null, '0098-12-31'], ['+ 0099-01-01 0099-01-02']],
])('%s are sums of ten days and the days that these lack or have too many', (span, [from, to], ends) => {
  const found = split(...span)
  expect(found?.whole).toEqual({ from, to })
  expect(found?.ends.map((end) => `${end.sign === 1 ? '+' : '-'} ${end.from} ${end.to}`)).toEqual(ends)
})

test.each<[string, string | null, string | null]>([
  ['a day', '2026-03-05', '2026-03-05'],
  ['less than half of two sums', '2026-03-08', '2026-03-13'],
  ['an empty span', '2026-05-01', '2026-03-31'],
  ['a span from the last day of the calendar on', '9999-12-31', null],
  ['a span up to its first', null, '0001-01-01'],
])('%s has no sum of ten days to gain from', (_name, from, to) => {
  expect(split(from, to)).toBeNull()
})
