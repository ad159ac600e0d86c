import { addDays } from './calendar.ts'
import { type Entity, MERIDIAN_ENTITIES, NORDLICHT_ENTITIES } from './cast.ts'
import { fixed, fixedText, negateFixed } from './decimal.ts'
import { type Lesson, MERIDIAN_LESSONS, NORDLICHT_LESSONS, TURNED_ORIGINAL, TURNED_REFUND } from './lessons.ts'
import type { LinesShape, PlantedTotal, StoredInvoice, StoredLine } from './model.ts'
import { makeFaultyLine } from './planted-faults.ts'
import { type Choices, createChoices } from './prng.ts'
import { inOrder, issuingDates, LAST_DAY } from './story.ts'
import { inventTrip, lineOnTrip, linesOfTrip, type Trip } from './trips.ts'
import { buildInvoice } from './wire/invoice-builder.ts'
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from './wire/json.ts'
import { withMetadata } from './wire/special-line.ts'

/*
 * A company as its accountant knows it: a year of trips, and in the current quarter some more of
 * them. All of it is right but for what is planted here and in the lessons.
 */

const SHAPES: readonly LinesShape[] = ['absent', 'paged', 'flat']
const QUARTER = '2026-10-01'
/** Degrees of longitude beyond which a flight is a long one. */
const LONG_HAUL = 30

type Issued = { entity: Entity; invoice: StoredInvoice; trips: Trip[] }
/** An invoice of a currency by its day of issue. */
type Find = (currency: string, issued: string) => Issued

/**
 * The first customer account: four legal entities in EUR, GBP, JPY and KWD, about sixty invoices.
 */
export function createNordlichtCompany(seed: number): StoredInvoice[] {
  const choices = createChoices(seed)
  const issued = NORDLICHT_ENTITIES.flatMap((entity, index) =>
    issueInvoices(choices, entity, { firstTripId: 3_410_000 + index * 1000, serialFrom: 110 + index * 200, from: 0 }),
  )
  const find = byDay(issued)
  const credits = CREDIT_NOTES.map((note) => writeCreditNote(choices, find(note.currency, note.of), note))
  refundInside(choices, find('EUR', '2026-11-20'), find('EUR', '2026-10-31'), 'train')
  refundInside(choices, find('GBP', '2026-11-20'), find('GBP', '2026-09-30'), 'hotel')
  addStrayRefund(choices, find('EUR', '2026-11-15'))
  credits.push(writeTurnedCreditNote(choices, find))

  teach(choices, find, NORDLICHT_LESSONS)
  // one line that no careful reader can parse: the price has a decimal comma
  const { trip, invoice } = tripOf(find('EUR', '2026-10-15'))
  const spec = { id: choices.uuid(), quantity: 1, unitPrice: '148.50', taxPercentage: '7' }
  const line = lineOnTrip(trip, 'hotel', { ...spec, description: 'Guesthouse, 1 night' })
  invoice.lines.push({ wire: { ...line, unit_price: '148,50' } })

  spendCredit(find('EUR', '2026-07-31'), '60.00')
  spendCredit(find('EUR', '2026-10-31'), '120.00')
  spendCredit(find('KWD', '2026-09-30'), '12.500')
  spendCredit(find('GBP', '2026-10-31'), '45.00', {
    plant: 'credit_not_deducted',
    amount: '45.00',
    reason: 'credit_not_deducted',
  })
  // a fee that is on no line
  find('JPY', '2026-10-31').invoice.planted = { plant: 'fee_on_no_line', amount: '5500', reason: null }

  return inOrder([...issued.map((each) => each.invoice), ...credits])
}

/** The second customer account: smaller, EUR and USD, since May. */
export function createMeridianCompany(seed: number): StoredInvoice[] {
  const choices = createChoices(seed + 1)
  const issued = MERIDIAN_ENTITIES.flatMap((entity, index) =>
    issueInvoices(choices, entity, { firstTripId: 5_200_000 + index * 1000, serialFrom: 20 + index * 100, from: 5 }),
  )
  const find = byDay(issued)
  refundInside(choices, find('USD', '2026-11-20'), find('USD', '2026-10-31'), 'hotel')
  teach(choices, find, MERIDIAN_LESSONS)
  return inOrder(issued.map((each) => each.invoice))
}

function byDay(issued: readonly Issued[]): Find {
  return (currency, day) => {
    const found = issued.find(
      ({ entity, invoice }) => entity.profile.currency === currency && invoice.header.issuing_date === day,
    )
    if (!found) throw new RangeError(`no invoice in ${currency} of ${day}`)
    return found
  }
}

/**
 * An invoice's last trip with a night away, which has the hand-written lines; its first may be
 * refunded.
 */
function tripOf({ trips, invoice }: Issued, which: 'first' | 'last' = 'last'): { trip: Trip; invoice: StoredInvoice } {
  const away = trips.filter(({ from, to }) => from !== to)
  const trip = away.at(which === 'first' ? 0 : -1) ?? trips[0]
  if (!trip) throw new RangeError(`no trip on ${invoice.serialNumber}`)
  return { trip, invoice }
}

type Schedule = { firstTripId: number; serialFrom: number; from: number }

/** The invoices of the entity's billing periods, and one of what was billed since the last. */
function issueInvoices(choices: Choices, entity: Entity, schedule: Schedule): Issued[] {
  let tripId = schedule.firstTripId
  const isBiweekly = entity.profile.billingPeriod === 'biweekly'
  const days = [...issuingDates(entity, { from: schedule.from, months: 12 }), LAST_DAY]
  return days.map((issuingDate, index) => {
    const fromDate = addDays(days[index - 1] ?? addDays(issuingDate, isBiweekly ? -15 : -30), 1)
    const more = issuingDate >= QUARTER ? 2 : 0
    const trips: Trip[] = []
    for (let count = choices.int(1 + more, (isBiweekly ? 3 : 2) + more); count > 0; count -= 1) {
      tripId += choices.int(1, 9)
      // what is booked is billed, also when the trip is still to come
      const billedOn = addDays(issuingDate, isBiweekly ? 5 : choices.int(-8, 5))
      trips.push(inventTrip(choices, entity, String(tripId), billedOn))
    }
    const prefix = entity.serialPrefixes[index % entity.serialPrefixes.length] ?? 'INV-01'
    const invoice = buildInvoice({
      entity,
      serialNumber: `${prefix}-${issuingDate.slice(0, 4)}-${String(schedule.serialFrom + index * 3).padStart(6, '0')}`,
      mode: prefix === 'INV-02' ? entity.modes.behalf : entity.modes.own,
      status: issuingDate < '2026-10-20' ? 'paid' : issuingDate < '2026-11-15' ? 'unpaid' : 'open',
      issuingDate,
      fromDate,
      lines: trips.flatMap((trip) => linesOfTrip(choices, trip, habitsOf(trip)).map((wire) => ({ wire }))),
      linesShape: SHAPES[index % SHAPES.length] ?? 'absent',
    })
    return { entity, invoice, trips }
  })
}

function habitsOf({ from, to, nights }: Trip) {
  const isLong = Math.abs(Number(from.longitude) - Number(to.longitude)) > LONG_HAUL
  const fares = isLong ? ([52_000, 138_000] as const) : ([9_000, 46_000] as const)
  return { style: 'short', fares, carDays: nights === 1 ? '1 day' : `${nights} days` } as const
}

function teach(choices: Choices, find: Find, lessons: readonly Lesson[]): void {
  for (const { issued, fault } of lessons) {
    const { trip, invoice } = tripOf(find(fault.currency, issued))
    invoice.lines.push(makeFaultyLine(fault, trip, choices.uuid()))
  }
}

function spendCredit({ invoice }: Issued, amount: string, planted?: PlantedTotal): void {
  invoice.header.credit_used_for_customer_payment = amount
  if (planted) invoice.planted = planted
}

type RefundStyle = 'negative_quantity' | 'negative_prices'

const NEGATED = {
  negative_quantity: ['tax_amount', 'total_amount'],
  negative_prices: ['unit_price', 'non_taxable_unit_price', 'tax_amount', 'total_amount'],
} as const

/** The whole of a line given back, posted on a later day. */
function refundOf(line: JsonObject, id: string, day: string, style: RefundStyle): JsonObject {
  const negate = (value: JsonValue | undefined) => {
    const negative = fixedText(negateFixed(fixed(scalarText(value) ?? '')))
    return style === 'negative_quantity' && typeof value === 'number' ? Number(negative) : negative
  }
  const figures = style === 'negative_quantity' ? { quantity: negate(line.quantity) } : {}
  return {
    ...line,
    ...figures,
    ...Object.fromEntries(NEGATED[style].map((field) => [field, negate(line[field])])),
    id,
    expense_date: day,
    description: `Refund: ${scalarText(line.description)}`,
  }
}

/** The lines of an invoice's journeys and nights, or of one trip's. */
function linesToRefund({ invoice }: Issued, tripId?: string): { wire: JsonObject; vertical: string }[] {
  return invoice.lines.flatMap(({ wire }) => {
    const metadata = isJsonObject(wire.metadata) ? wire.metadata : {}
    const vertical = scalarText(metadata.related_vertical) ?? ''
    if (tripId !== undefined && metadata.trip_id !== tripId) return []
    return ['flight', 'train', 'hotel'].includes(vertical) ? { wire, vertical } : []
  })
}

/** A later invoice gives back a line of an earlier one, of this vertical if it has one. */
function refundInside(choices: Choices, { invoice }: Issued, original: Issued, vertical: string): void {
  const lines = linesToRefund(original)
  const line = lines.find((each) => each.vertical === vertical) ?? lines[0]
  if (!line) throw new RangeError(`nothing to refund on ${original.invoice.serialNumber}`)
  const day = addDays(String(invoice.header.issuing_date), -6)
  invoice.lines.push({ wire: refundOf(line.wire, choices.uuid(), day, 'negative_quantity') })
}

/** A refund of a trip from before the account's first invoice: nothing stored is its original. */
function addStrayRefund(choices: Choices, target: Issued): void {
  const { trip, invoice } = tripOf(target)
  const wire = lineOnTrip(trip, 'flight', {
    id: choices.uuid(),
    description: 'Refund: Flight HAM-OSL-HAM, economy',
    quantity: -1,
    unitPrice: '186.40',
    taxPercentage: '19',
    expenseDate: '2026-11-06',
  })
  const [start, end] = ['2025-10-13', '2025-10-15']
  const trips = { trip_id: '3398812', trip_name: 'Customer workshop Oslo, Oct 2025', start_date: start, end_date: end }
  invoice.lines.push({ wire: withMetadata(wire, trips), note: 'refund_without_original' })
}

type CreditNote = {
  currency: string
  /** The day of issue of the invoice whose lines it gives back. */
  of: string
  issued: string
  serialNumber: string
  mode: string
  style: RefundStyle
  linesShape: LinesShape
}

const CREDIT_NOTES: readonly CreditNote[] = [
  {
    currency: 'EUR',
    of: '2026-02-15',
    issued: '2026-03-06',
    serialNumber: 'CR-01-2026-000004',
    mode: 'credit-reseller',
    style: 'negative_quantity',
    linesShape: 'flat',
  },
  {
    currency: 'GBP',
    of: '2026-04-30',
    issued: '2026-05-08',
    serialNumber: 'CR-04-2026-000002',
    mode: 'credit-reseller',
    style: 'negative_prices',
    linesShape: 'paged',
  },
  {
    currency: 'JPY',
    of: '2026-05-31',
    issued: '2026-06-12',
    serialNumber: 'CR-05-2026-000001',
    mode: 'credit-gross',
    style: 'negative_quantity',
    linesShape: 'absent',
  },
  {
    currency: 'KWD',
    of: '2026-08-31',
    issued: '2026-09-04',
    serialNumber: 'CR-01-2026-000011',
    mode: 'credit-reseller',
    style: 'negative_prices',
    linesShape: 'paged',
  },
  {
    currency: 'EUR',
    of: '2026-10-15',
    issued: '2026-11-06',
    serialNumber: 'CR-01-2026-000012',
    mode: 'credit-reseller',
    style: 'negative_quantity',
    linesShape: 'flat',
  },
]

/** A credit note for the journey and the nights of a trip that was called off. */
function writeCreditNote(choices: Choices, original: Issued, note: CreditNote): StoredInvoice {
  const { trip } = tripOf(original, 'first')
  const lines = linesToRefund(original, trip.id).map(({ wire }) => ({
    wire: refundOf(wire, choices.uuid(), note.issued, note.style),
  }))
  return toCreditNote(original, note, lines, trip.id)
}

/** The credit note that turns the sign of its figures, and not of its price. */
function writeTurnedCreditNote(choices: Choices, find: Find): StoredInvoice {
  const { fault, issued } = TURNED_REFUND
  const original = find(fault.currency, TURNED_ORIGINAL.issued)
  const { trip, invoice } = tripOf(original, 'first')
  const { service, ...figures } = TURNED_ORIGINAL.base
  invoice.lines.push({ wire: lineOnTrip(trip, service, { id: choices.uuid(), ...figures }) })
  const { wire, plant } = makeFaultyLine(fault, trip, choices.uuid())
  const mode = 'credit-reseller'
  const note = { issued, serialNumber: 'CR-01-2026-000013', mode, linesShape: 'paged' } as const
  return toCreditNote(original, note, [{ wire: { ...wire, expense_date: issued }, plant }], trip.id)
}

function toCreditNote(
  { entity }: Issued,
  { issued, serialNumber, mode, linesShape }: Pick<CreditNote, 'issued' | 'serialNumber' | 'mode' | 'linesShape'>,
  lines: StoredLine[],
  tripId: string,
): StoredInvoice {
  const reference = `Credit for trip ${tripId}`
  const issuingDate = issued
  return buildInvoice({ entity, serialNumber, mode, status: 'paid', issuingDate, lines, linesShape, reference })
}
