import { expect, test } from 'vitest'
import { toBridgeOfChanges, toBridgeOfLines, toBridgeOfTrip } from './bridge-links.ts'

test.each([
  ['', '/changes/bridge'],
  ['period=all&cost_center=4100', '/changes/bridge?cost_center=4100'],
  ['cost_center=&period=2026-Q3', '/changes/bridge?cost_center=&period=2026-Q3'],
  ['period=2026-Q3&date=expense&trip=T1', '/changes/bridge?trip=T1&period=2026-Q3&date=expense'],
  ['from=2026-07-01&to=2026-07-14', '/changes/bridge?period=2026-07-01..2026-07-14&date=expense'],
  ['from=2026-07-01&date=issued&profile=p', '/changes/bridge?profile=p&period=2026-07-01..'],
])('the lines of %j have the bridge %s', (search, address) => {
  expect(toBridgeOfLines(search)).toBe(address)
})

test('lines that a bridge cannot be of have none', () => {
  expect(toBridgeOfLines('cost_center=4100&vendor=Adler')).toBeNull()
  expect(toBridgeOfLines('month=2026-07')).toBeNull()
})

test('a trip and the list of changes lead to theirs', () => {
  expect(toBridgeOfTrip('a&b')).toBe('/changes/bridge?trip=a%26b')
  expect(toBridgeOfChanges({ connections: ['c'], scope: 'currency=EUR&period=2026-07' })).toBe(
    '/changes/bridge?connection=c&period=2026-07',
  )
})
