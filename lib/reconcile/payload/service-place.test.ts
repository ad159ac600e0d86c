import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toServicePlace } from './service-place.ts'

const line = (service_location: unknown) => JSON.stringify({ metadata: { service_location } })

test('reads a route from airports and from stations', () => {
  const flight = line({ origin: { code: 'FRA', city: 'Frankfurt' }, destination: { code: 'LIS', city: 'Lisbon' } })
  expect(toServicePlace(flight)).toEqual({ name: 'Route', text: 'FRA Frankfurt → LIS Lisbon' })
  const train = line({ origin: { name: 'Oslo S' }, destination: null })
  expect(toServicePlace(train)).toEqual({ name: 'Route', text: 'Oslo S → unknown' })
})

test("reads the place of a hotel and of a car's pickup", () => {
  expect(toServicePlace(line({ hotel_location: { city: 'Lisbon', country: 'Portugal' } }))?.text).toBe(
    'Lisbon, Portugal',
  )
  expect(toServicePlace(line({ pick_up_location: { city: 'Osaka' } }))?.text).toBe('Osaka')
})

test('finds no place in anything else, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(toServicePlace(text)).toBeNull()
    }),
  )
  expect(toServicePlace(line(null))).toBeNull()
  expect(toServicePlace(line({ hotel_location: {} }))).toBeNull()
})
