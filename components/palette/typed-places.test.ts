import { expect, test } from 'vitest'
import { listTypedPlaces } from './typed-places.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')

test('groups by a key are in the scope of the frame, largest first', () => {
  const here = { path: '/checks', search: new URLSearchParams() }
  const places = listTypedPlaces(here, 'http://x/groups?period=2026-03&currency=EUR&vertical=hotel', NOW)
  expect(places.find(({ label }) => label === 'Groups by cost center')?.href).toBe(
    '/groups?by=cost_center&sort=-total&currency=EUR&period=2026-03',
  )
})

test('a period keeps the page and its filters, and leads to the overview from where there is none', () => {
  const label = 'Mar 2026'
  const find = (path: string, search: string) =>
    listTypedPlaces({ path, search: new URLSearchParams(search) }, 'http://x/groups', NOW).find(
      (place) => place.label === label,
    )?.href
  expect(find('/lines', 'period=2026-Q3&vertical=hotel&page=4')).toBe('/lines?vertical=hotel&period=2026-03')
  expect(find('/people', '')).toBe('/?period=2026-03')
})
