import { expect, test } from 'vitest'
import { toDayStart, toLastSlot } from './period.ts'

const at = (text: string) => Date.parse(text)
const slot = (rhythm: 'daily' | 'weekly', zone: string, now: string) => {
  const { day, at: due } = toLastSlot(rhythm, zone, at(now))
  return [day, new Date(due).toISOString()]
}

test.each([
  ['UTC', '2026-11-26T07:00:00Z', '2026-11-26', '2026-11-26T07:00:00.000Z'],
  ['UTC', '2026-11-26T06:59:59Z', '2026-11-25', '2026-11-25T07:00:00.000Z'],
  ['Europe/Berlin', '2026-07-02T05:00:00Z', '2026-07-02', '2026-07-02T05:00:00.000Z'],
  ['Asia/Tokyo', '2026-11-25T22:00:00Z', '2026-11-26', '2026-11-25T22:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-26T02:00:00Z', '2026-11-26', '2026-11-26T01:15:00.000Z'],
  ['Pacific/Apia', '2026-11-25T18:30:00Z', '2026-11-26', '2026-11-25T18:00:00.000Z'],
])('a daily digest is due at seven in the morning in %s at %s', (zone, now, day, due) => {
  expect(slot('daily', zone, now)).toEqual([day, due])
})

test.each([
  ['2026-11-30T07:00:00Z', '2026-11-30'],
  ['2026-11-30T06:00:00Z', '2026-11-23'],
  ['2026-12-06T23:00:00Z', '2026-11-30'],
])('a weekly digest is due on Monday: at %s the last one was of %s', (now, day) => {
  expect(slot('weekly', 'UTC', now)).toEqual([day, `${day}T07:00:00.000Z`])
})

test('seven o’clock stays seven o’clock when clocks change', () => {
  expect(slot('daily', 'Europe/Berlin', '2026-03-28T12:00:00Z')[1]).toBe('2026-03-28T06:00:00.000Z')
  expect(slot('daily', 'Europe/Berlin', '2026-03-29T12:00:00Z')[1]).toBe('2026-03-29T05:00:00.000Z')
  expect(slot('daily', 'America/New_York', '2026-11-01T18:00:00Z')[1]).toBe('2026-11-01T12:00:00.000Z')
})

test('a day begins when it does, also where midnight is left out or comes twice', () => {
  const start = (zone: string, now: string) => new Date(toDayStart(zone, at(now))).toISOString()
  expect(start('UTC', '2026-11-26T07:00:00Z')).toBe('2026-11-26T00:00:00.000Z')
  // in Chile clocks jump from midnight to one o'clock
  expect(start('America/Santiago', '2026-09-06T12:00:00Z')).toBe('2026-09-06T04:00:00.000Z')
  // and in Cuba they show midnight twice
  expect(start('America/Havana', '2026-11-01T12:00:00Z')).toBe('2026-11-01T04:00:00.000Z')
})
