import { expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import { parseLineQuery, toSearchParams } from '#lib/ledger/query/line-query.ts'
import { toGroupSubject, toPeriodSubject } from './page-subjects.ts'

const read = (search: string) => parseLineQuery(toSearchParams(new URLSearchParams(search)))
const ONE = [{ id: 'a' as ConnectionId }]
const TWO = [...ONE, { id: 'b' as ConnectionId }]

test.each([
  ['cost_center=5100', 'cost_center=5100'],
  ['vertical=hotel&sort=total_amount&page=3', 'vertical=hotel'],
  ['service=booking_fee&from=2026-01-01&to=2026-03-31&date=issued&connection=a&currency=EUR', 'service=booking_fee'],
  ['tax_regime=standard&profile=p&month=2026-01', 'tax_regime=standard'],
  ['cost_center=', null],
  ['cost_center=5100&cost_center=5200', null],
  ['cost_center=5100&vertical=hotel', null],
  ['cost_center=5100&findings=1', null],
  ['cost_center=5100&q=taxi', null],
  ['vendor=Hilton', null],
  ['', null],
])('the lines of %j are those of the group %j', (search, key) => {
  expect(toGroupSubject(read(search))?.subject.key ?? null).toBe(key)
})

const MARCH = 'from=2026-03-01&to=2026-03-31&date=issued'

test.each([
  [MARCH, ONE, 'a', '2026-03'],
  [`${MARCH}&connection=b`, TWO, 'b', '2026-03'],
  [`${MARCH}&connection=b&profile=p~1`, TWO, 'b', '2026-03~p~1'],
  [MARCH, TWO, null, null],
  [`${MARCH}&connection=a&connection=b`, TWO, null, null],
  [`${MARCH}&connection=c`, TWO, null, null],
  [`${MARCH}&profile=p&profile=q`, ONE, null, null],
  [`${MARCH}&profile=`, ONE, null, null],
  [`${MARCH}&currency=EUR`, ONE, null, null],
  ['from=2026-03-01&to=2026-03-31', ONE, null, null],
  ['from=2026-03-01&to=2026-04-30&date=issued', ONE, null, null],
  ['date=issued', ONE, null, null],
])('the scope %j of these accounts is the period %s %s', (search, accounts, connectionId, key) => {
  const subject = toPeriodSubject(read(search), accounts)
  expect([subject?.connectionId ?? null, subject?.key ?? null]).toEqual([connectionId, key])
})
