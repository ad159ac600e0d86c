import { expect, test } from 'vitest'
import { toInstant, toWallText } from './wall-time.ts'

test.each([
  ['2026-11-14T09:12', 'UTC', '2026-11-14T09:12:00.000Z'],
  ['2026-11-14T09:12:30', 'Europe/Berlin', '2026-11-14T08:12:30.000Z'],
  ['2026-07-14', 'Europe/Berlin', '2026-07-13T22:00:00.000Z'],
  ['2026-11-01', 'America/St_Johns', '2026-11-01T02:30:00.000Z'],
  ['2026-11-14T09:12', 'Pacific/Kiritimati', '2026-11-13T19:12:00.000Z'],
  // shown twice, as clocks go back: the first of both
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  // skipped, as clocks go forward
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
])('a clock that shows %s in %s does so at %s', (text, timeZone, at) => {
  expect(toInstant(text, timeZone)).toBe(at)
})

test.each(['', 'now', '2026-02-30', '2026-02-30T10:00', '2026-11-14T24:00', '2026-11-14 09:12', '0000-13-01'])(
  'reads no time in %j',
  (text) => {
    expect(toInstant(text, 'Europe/Berlin')).toBeNull()
  },
)

test('every instant of two years, by steps of seven hours, comes back from what a clock shows', () => {
  for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/New_York'])
    for (let at = Date.parse('2025-11-14T09:12:00Z'); at < Date.parse('2027-11-14'); at += 7 * 3_600_000) {
      const back = toInstant(toWallText(at, timeZone), timeZone) as string
      expect(toWallText(back, timeZone)).toBe(toWallText(at, timeZone))
      expect(Math.abs(Date.parse(back) - at)).toBeLessThanOrEqual(3_600_000)
    }
})
