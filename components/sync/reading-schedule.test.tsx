import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { makeConnection } from '#components/connections/test-support/test-connection.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { ReadingSchedule } from './reading-schedule.tsx'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString()

function textOf(connection: Partial<ConnectionSummary>): string {
  const html = renderToStaticMarkup(
    <ReadingSchedule connection={makeConnection(connection)} now={NOW} canSchedule={false} />,
  )
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

test('says when recent lines and everything were read last and will be next, and which change waits for them', () => {
  const text = textOf({
    lineCount: 250_000,
    lastGoodSyncAt: at(-0.5),
    nextSyncAt: at(0.5),
    lookedBackAt: at(-20),
    nextLookBackAt: at(4),
    verifiedAt: at(-48),
    nextVerificationAt: at(120),
  })
  expect(text).toContain(
    'New and changed invoices, with their lines every hour last 30 minutes ago · next in 30 minutes',
  )
  expect(text).toMatch(/All lines of the last 35 days, .* every day last 20 hours ago · next in 4 hours/)
  expect(text).toMatch(/All invoices and lines every week last .* · next in 5 days/)
  expect(text).toContain('such as another cost center of a trip, shows once recent lines are read again')
})

test('a reading that is due by then takes place with the next sync', () => {
  const connection = { lineCount: 250_000, nextSyncAt: at(0.5), lookedBackAt: at(-25), nextLookBackAt: at(-1) }
  expect(textOf(connection)).toMatch(/every day last .* · next in 30 minutes/)
  expect(textOf({ ...connection, nextLookBackAt: at(0.9) })).toMatch(/every day last .* · next in 30 minutes/)
})

test('an account that is read whole each time is said to be', () => {
  expect(textOf({ lineCount: 1000 })).toContain('every sync reads all of it')
  expect(textOf({ lineCount: 1001 })).not.toContain('every sync reads all of it')
})
