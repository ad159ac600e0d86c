import { expect, test } from 'vitest'
import { day } from '../../test-support/seed.ts'
import { toSearchParams } from '../search-params.ts'
import { type MomentQuery, parseMomentQuery, writeMomentQuery } from './moment-query.ts'

const BERLIN = { timeZone: 'Europe/Berlin' }
const parse = (search: string) => parseMomentQuery(toSearchParams(new URLSearchParams(search)), BERLIN)

const QUERY: MomentQuery = {
  scope: {
    connections: ['8f4f2b6e-0000-4000-8000-000000000001'],
    profiles: ['p 1', ''],
    costCenters: ['4100', ''],
    trips: ['T~1'],
    from: day('2026-07-01'),
    to: day('2026-09-30'),
    dateField: 'issued',
    foldsNames: false,
  },
  from: '2026-09-30T14:02:11.123456Z',
  to: '2026-10-01T00:00:00.000Z',
  part: 'moved',
  currency: 'EUR',
  page: 3,
}

test('an address says a whole question, and is read back as it was', () => {
  const scopes = [
    QUERY.scope,
    { ...QUERY.scope, dateField: 'expense' as const },
    { ...QUERY.scope, to: day('2026-09-14') },
    { ...QUERY.scope, to: null },
    { ...QUERY.scope, from: null },
    { ...QUERY.scope, from: null, to: null, dateField: 'expense' as const, connections: [], profiles: [], trips: [] },
  ]
  for (const scope of scopes)
    for (const change of [{}, { to: null }, { part: null, currency: null, page: 1 }, { from: null }]) {
      const query = { ...QUERY, scope, ...change }
      expect(parse(writeMomentQuery(query))).toEqual(query)
    }
  expect(writeMomentQuery({ ...QUERY, to: null })).toContain(
    'period=2026-Q3&from=2026-09-30T14%3A02%3A11.123456Z&to=now',
  )
})

test('what cannot be read counts as not given', () => {
  const none = parse('from=yesterday&to=2026-13-01T00:00:00Z&part=lost&currency=euro&page=x&period=2026-Q5&date=issued')
  expect(none).toMatchObject({ from: null, to: null, part: null, currency: null, page: 1 })
  expect(none.scope).toMatchObject({ from: null, to: null, dateField: 'expense' })
})

test('the later moment is never before the earlier one, whatever their digits', () => {
  expect(parse('from=2026-10-01T00:00:00Z&to=2026-09-30T00:00:00Z')).toMatchObject({
    from: '2026-09-30T00:00:00Z',
    to: '2026-10-01T00:00:00Z',
  })
  expect(parse('from=2026-10-01T00:00:00.000002Z&to=2026-10-01T00:00:00.000001Z').from).toBe(
    '2026-10-01T00:00:00.000001Z',
  )
  expect(parse('from=2026-10-01T00:00:00Z&to=2026-10-01T00:00:00.5Z').from).toBe('2026-10-01T00:00:00Z')
})

test('a typed time is that of the reader’s clock, and the exact moment beside it where that shows the same', () => {
  expect(parse('from=2026-09-30T16:02:11').from).toBe('2026-09-30T14:02:11.000Z')
  const kept = 'kept=2026-09-30T14:02:11.123456Z&kept=2026-10-01T00:00:00.000Z'
  expect(parse(`from=2026-09-30T16:02:11&to=&${kept}`)).toMatchObject({ from: '2026-09-30T14:02:11.123456Z', to: null })
  expect(parse(`from=2026-09-30T16:02:12&${kept}`).from).toBe('2026-09-30T14:02:12.000Z')
})
