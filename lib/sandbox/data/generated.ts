import { addDays } from './calendar.ts'
import { type Entity, NORDLICHT_ENTITIES } from './cast.ts'
import { currencyDigits } from './currency.ts'
import type { FindingCode } from './model.ts'
import { HAMBURG, LISBON, LONDON, serviceLocation, TOKYO } from './places.ts'
import { mix } from './prng.ts'
import type { JsonObject } from './wire/json.ts'

/** Lines of one generated invoice; the last invoice of a ledger may have fewer. */
export const LINES_PER_INVOICE = 50
const FIRST_DAY = '2025-12-01'
const DAYS = 350
const LONGEST_WAIT_DAYS = 20
const PLANT_EVERY = 1009
const PLANT_AT = 500
/** Consecutive lines of one trip. */
const LINES_PER_TRIP = 4
const TRIPS_PER_INVOICE = Math.ceil(LINES_PER_INVOICE / LINES_PER_TRIP)
/**
 * What a refund gives back of its original, in percent: of a line of its own trip, of the line that
 * a credit note repeats, and of a trip's first line where that one was a refund. A trip has three
 * of the first and the last at most, so no original is refunded more than once.
 */
const REFUNDED = { ofTrip: 10, ofInvoice: 50, ofRefund: 5 }
const COST_CENTERS = 24
/** Rates in tenths of a percent. */
const RATES: Readonly<Record<string, readonly number[]>> = {
  EUR: [190, 70, 0, 55],
  GBP: [200, 0],
  JPY: [100, 80],
  KWD: [0, 50],
}
const SERVICES = ['flight', 'hotel', 'train', 'car', 'seat', 'extra', 'meeting_room', 'pro_v2'] as const
const VERTICALS: Readonly<Record<(typeof SERVICES)[number], string | null>> = {
  flight: 'flight',
  hotel: 'hotel',
  train: 'train',
  car: 'car',
  seat: 'flight',
  extra: 'insurance',
  meeting_room: 'other',
  pro_v2: null,
}

/**
 * The money of one generated line in whole minor units of its currency: exact, and cheap enough to
 * stream.
 */
type GeneratedMoney = {
  currency: string
  digits: number
  quantity: number
  unit: number
  nonTaxable: number
  rateTenths: number
  rightTax: number
  tax: number
  rightTotal: number
  total: number
  plant: string | null
  codes: readonly FindingCode[]
}

export type GeneratedLedger = {
  lineCount: number
  invoiceCount: number
  seed: number
  /** The day invoice `j` is issued, never before that of invoice `j - 1`. */
  issuingDate(j: number): string
  serialNumber(j: number): string
  profileId(j: number): string
  invoiceHeader(j: number): JsonObject
  expenseDate(i: number): string
  money(i: number): GeneratedMoney
  keys(i: number): { tripId: string; costCenter: string | null; vertical: string | null }
  wireLine(i: number): JsonObject
  /** The part of `wireLine` that an invoice's taxes are summed from. */
  wireTax(i: number): JsonObject
  lineId(i: number): string
  /** Index of a line or invoice by its wire name; -1 when there is none. */
  indexOfLine(id: string): number
  indexOfInvoice(serialNumber: string): number
  /** Indexes of the lines with a planted fault. */
  planted(): Iterable<number>
}

const NO_CODES: readonly FindingCode[] = []
const PLANTS: readonly { name: string; total: number; tax: number; codes: readonly FindingCode[] }[] = [
  { name: 'generated_total_above', total: 1, tax: 0, codes: ['total'] },
  { name: 'generated_tax_above', total: 0, tax: 1, codes: ['tax'] },
  { name: 'generated_total_below', total: -1, tax: 0, codes: ['total'] },
  { name: 'generated_tax_and_total', total: -2, tax: -1, codes: ['total', 'tax'] },
]

/**
 * A ledger of `lineCount` lines in which line `i` is computed from `i` and the seed. A page costs
 * only its own length at any offset, and nothing is held in memory.
 */
export function createGeneratedLedger(lineCount: number, seed: number): GeneratedLedger {
  const invoiceCount = Math.ceil(lineCount / LINES_PER_INVOICE)
  const days = Array.from({ length: DAYS }, (_, day) => addDays(FIRST_DAY, day))
  // a line's day is at most this long before its invoice
  const earlierDays = Array.from({ length: LONGEST_WAIT_DAYS }, (_, day) => addDays(FIRST_DAY, -1 - day))
  const dayAt = (index: number) => days[Math.max(0, index)] ?? FIRST_DAY
  const dayIndex = (j: number) => Math.floor((j * DAYS) / invoiceCount)
  const entityOf = (j: number): Entity => {
    const entity = NORDLICHT_ENTITIES[j % NORDLICHT_ENTITIES.length]
    if (!entity) throw new RangeError('no entity')
    return entity
  }
  const isCredit = (j: number) => j % 37 === 36
  const serialNumber = (j: number) => {
    const prefix = isCredit(j) ? 'CR-01' : (['INV-01', 'INV-02', 'INV-04', 'INV-05'][mix(seed, j, 11) % 4] ?? 'INV-01')
    return `${prefix}-${dayAt(dayIndex(j)).slice(0, 4)}-${String(j + 1).padStart(7, '0')}`
  }
  const tripAt = (i: number) =>
    Math.floor(i / LINES_PER_INVOICE) * TRIPS_PER_INVOICE + Math.floor((i % LINES_PER_INVOICE) / LINES_PER_TRIP)
  const firstOfTrip = (i: number) => i - ((i % LINES_PER_INVOICE) % LINES_PER_TRIP)

  /** The line that line `i` refunds, and how much of it; null for a line that charges. */
  function refundOf(i: number): { original: number; percent: number } | null {
    if (isCredit(Math.floor(i / LINES_PER_INVOICE))) {
      // an earlier invoice of the same entity, line by line
      const repeated = i - NORDLICHT_ENTITIES.length * LINES_PER_INVOICE
      if (refundOf(repeated) === null) return { original: repeated, percent: REFUNDED.ofInvoice }
      return { original: firstOfTrip(repeated), percent: REFUNDED.ofRefund }
    }
    const isRefund = i !== firstOfTrip(i) && mix(seed, i, 2) % 19 === 0
    return isRefund ? { original: firstOfTrip(i), percent: REFUNDED.ofTrip } : null
  }
  const paidBy = (i: number) => refundOf(i)?.original ?? i
  const serviceOf = (i: number) => SERVICES[mix(seed, paidBy(i), 1) % SERVICES.length] ?? 'flight'

  function money(i: number): GeneratedMoney {
    const j = Math.floor(i / LINES_PER_INVOICE)
    const currency = entityOf(j).profile.currency
    const rates = RATES[currency] ?? [0]
    const refund = refundOf(i)
    const paid = refund?.original ?? i
    const bits = mix(seed, paid, 2)
    const paidUnit = 390 + (mix(seed, paid, 3) % 89_000)
    const unit = refund === null ? paidUnit : Math.floor((paidUnit * refund.percent) / 100)
    const quantity = refund === null ? 1 + (bits % 7 === 0 ? bits % 3 : 0) : -1
    const nonTaxable = refund === null && bits % 4 === 0 ? mix(seed, i, 4) % 7_000 : 0
    const rateTenths = rates[bits % rates.length] ?? 0
    const magnitude = Math.floor((Math.abs(quantity) * unit * rateTenths * 2 + 1000) / 2000)
    const rightTax = quantity < 0 && magnitude !== 0 ? -magnitude : magnitude
    const plant = i % PLANT_EVERY === PLANT_AT ? PLANTS[Math.floor(i / PLANT_EVERY) % PLANTS.length] : undefined
    const tax = rightTax + (plant?.tax ?? 0)
    const rightTotal = quantity * (unit + nonTaxable) + tax
    const total = rightTotal + (plant?.total ?? 0)
    const fault = { plant: plant?.name ?? null, codes: plant?.codes ?? NO_CODES }
    return {
      currency,
      digits: currencyDigits(currency),
      quantity,
      unit,
      nonTaxable,
      rateTenths,
      rightTax,
      tax,
      rightTotal,
      total,
      ...fault,
    }
  }

  const tripOf = (i: number) => tripAt(paidBy(i))

  function keys(i: number): { tripId: string; costCenter: string | null; vertical: string | null } {
    const trip = tripOf(i)
    const center = mix(seed, trip, 5) % (COST_CENTERS + 1)
    return {
      tripId: String(8_000_000 + trip),
      costCenter: center === 0 ? null : `${4000 + center * 10} Department ${center}`,
      vertical: VERTICALS[serviceOf(i)],
    }
  }

  const expenseDate = (i: number) => {
    const index = dayIndex(Math.floor(i / LINES_PER_INVOICE)) - (1 + (mix(seed, i, 6) % LONGEST_WAIT_DAYS))
    return index >= 0 ? dayAt(index) : (earlierDays[-1 - index] ?? FIRST_DAY)
  }
  const lineId = (i: number) => `5eed0000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`

  const rateText = (tenths: number) =>
    tenths % 10 === 0 ? String(tenths / 10) : `${Math.floor(tenths / 10)}.${tenths % 10}`
  const regimeOf = ({ regimes }: Entity, rateTenths: number) => (rateTenths === 0 ? regimes.untaxed : regimes.taxed)

  function wireTax(i: number): JsonObject {
    const { digits, rateTenths, tax, total } = money(i)
    return {
      tax_percentage: rateText(rateTenths),
      tax_amount: minorText(tax, digits),
      tax_regime: regimeOf(entityOf(Math.floor(i / LINES_PER_INVOICE)), rateTenths),
      total_amount: minorText(total, digits),
    }
  }

  function wireLine(i: number): JsonObject {
    const j = Math.floor(i / LINES_PER_INVOICE)
    const entity = entityOf(j)
    const { digits, ...figures } = money(i)
    const { tripId, costCenter, vertical } = keys(i)
    const trip = tripOf(i)
    const day = dayIndex(j)
    const write = (minor: number) => minorText(minor, digits)
    const traveler = entity.people[mix(seed, trip, 8) % entity.people.length]
    const person = traveler ? { name: traveler.name, email: traveler.email, external_id: traveler.externalId } : null
    const to = [LISBON, LONDON, TOKYO, HAMBURG][mix(seed, trip, 9) % 4] ?? LISBON
    const located = vertical === 'flight' || vertical === 'hotel' || vertical === 'train' || vertical === 'car'
    const [code, name] = entity.airlines[trip % entity.airlines.length] ?? entity.railway
    return {
      id: lineId(i),
      expense_date: expenseDate(i),
      description: `${vertical === null ? 'Booking fee' : `${serviceOf(i)} ${to.city}`}, item ${i + 1}`,
      quantity: figures.quantity,
      unit_price: write(figures.unit),
      non_taxable_unit_price: write(figures.nonTaxable),
      tax_percentage: rateText(figures.rateTenths),
      tax_amount: write(figures.tax),
      tax_regime: regimeOf(entity, figures.rateTenths),
      total_amount: write(figures.total),
      metadata: {
        trip_id: tripId,
        trip_name: `${to.city} trip ${trip + 1}`,
        service: serviceOf(i),
        related_vertical: vertical ?? undefined,
        travelers: [person],
        start_date: vertical === null ? null : dayAt(day - 5),
        end_date: vertical === null ? null : dayAt(day - 2),
        cost_center: costCenter ?? '',
        credit_card_last_4_digits: null,
        labels: [],
        custom_fields: [],
        vendor: vertical === null ? null : { code, name },
        out_of_policy: mix(seed, trip, 10) % 8 === 0,
        approvers: [],
        booker: person,
        service_location: located ? serviceLocation(vertical, entity.home, to) : null,
        include_breakfast: null,
      },
    }
  }

  function invoiceHeader(j: number): JsonObject {
    const { profile, modes } = entityOf(j)
    const day = dayIndex(j)
    const issued = dayAt(day)
    return {
      profile_id: profile.id,
      profile_name: profile.name,
      billing_information: profile.billingInformation,
      mode: isCredit(j) ? 'credit-reseller' : modes.own,
      status: issued < '2026-09-01' ? 'paid' : 'unpaid',
      issuing_date: issued,
      billing_period: profile.billingPeriod,
      from_date: dayAt(day - 14),
      to_date: issued,
      due_date: addDays(issued, 30),
      currency: profile.currency,
      credit_used_for_customer_payment: '0.00',
      reference: null,
      bank_account: null,
    }
  }

  const inRange = (index: number, count: number) =>
    Number.isInteger(index) && index >= 0 && index < count ? index : -1
  return {
    lineCount,
    invoiceCount,
    seed,
    issuingDate: (j) => dayAt(dayIndex(j)),
    serialNumber,
    profileId: (j) => entityOf(j).profile.id,
    invoiceHeader,
    expenseDate,
    money,
    keys,
    wireLine,
    wireTax,
    lineId,
    indexOfLine: (id) => {
      const index = inRange(Number.parseInt(id.slice(-12), 16), lineCount)
      return index >= 0 && lineId(index) === id ? index : -1
    },
    indexOfInvoice: (serial) => {
      const index = inRange(Number(serial.slice(-7)) - 1, invoiceCount)
      return index >= 0 && serialNumber(index) === serial ? index : -1
    },
    planted: function* () {
      for (let i = PLANT_AT; i < lineCount; i += PLANT_EVERY) yield i
    },
  }
}

/** Writes whole minor units as a decimal with the currency's places. */
export function minorText(minor: number, digits: number): string {
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  const sign = minor < 0 ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
