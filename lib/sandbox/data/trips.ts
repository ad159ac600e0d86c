import { addDays } from './calendar.ts'
import type { Entity, Person } from './cast.ts'
import { PURPOSES } from './cast.ts'
import { currencyDigits } from './currency.ts'
import { type Place, serviceLocation } from './places.ts'
import type { Choices } from './prng.ts'
import type { JsonObject, JsonValue } from './wire/json.ts'
import { type AmountStyle, amountText, buildLine, type LineSpec } from './wire/line-builder.ts'

/** A trip of the story, and what its lines share. */
export type Trip = {
  id: string
  name: string
  entity: Entity
  from: Place
  to: Place
  start: string
  end: string
  nights: number
  travelers: Person[]
  metadata: JsonObject
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function person({ name, email, externalId }: Person): JsonObject {
  return { name, email, external_id: externalId }
}

/** Invents a trip that ends at least a few days before `billedOn`. */
export function inventTrip(choices: Choices, entity: Entity, id: string, billedOn: string): Trip {
  const to = choices.pick(choices.chance(55) ? entity.abroad : entity.domestic)
  const nights = choices.int(1, 4)
  const start = addDays(billedOn, -choices.int(6, 16))
  const traveler = choices.pick(entity.people)
  const companion = choices.pick(entity.people)
  const travelers = companion === traveler || choices.chance(60) ? [traveler] : [traveler, companion]
  const purpose = choices.pick(PURPOSES)
  const name = `${purpose} ${to.city}, ${MONTHS[Number(start.slice(5, 7)) - 1]} ${start.slice(0, 4)}`
  const booker = choices.pick(entity.people)
  const customFields: JsonValue[] = choices.chance(50) ? [{ name: 'Project', value: `P-${choices.int(200, 260)}` }] : []
  const metadata: JsonObject = {
    trip_id: id,
    trip_name: name,
    travelers: travelers.map(person),
    start_date: start,
    end_date: addDays(start, nights),
    cost_center: choices.pick(entity.costCenters),
    credit_card_last_4_digits:
      entity.profile.paymentMethodType === 'credit_card' ? String(choices.int(1000, 9999)) : null,
    labels: choices.chance(40) ? [choices.pick(['billable', 'internal', 'Q-review', 'client paid'])] : [],
    custom_fields: customFields,
    out_of_policy: choices.chance(15),
    approvers: [person(choices.pick(entity.people))],
    booker: person(booker),
  }
  return { id, name, entity, from: entity.home, to, start, end: addDays(start, nights), nights, travelers, metadata }
}

/** A price in the entity's currency from euro cents, with the currency's decimals. */
export function price(entity: Entity, euroCents: number): string {
  const digits = currencyDigits(entity.profile.currency)
  const minor = Math.max(1, Math.round(euroCents * entity.minorPerCent))
  const text = String(minor).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

export type Service = 'flight' | 'hotel' | 'train' | 'car' | 'seat' | 'meeting_room' | 'extra' | 'pro_v2'

/**
 * Metadata of a booked service on a trip; the booking-fee line has no vertical, vendor, dates or
 * location.
 */
function serviceMetadata(trip: Trip, service: Service): JsonObject {
  if (service === 'pro_v2') {
    const { start_date: _start, end_date: _end, ...rest } = trip.metadata
    return {
      ...rest,
      service,
      start_date: null,
      end_date: null,
      vendor: null,
      service_location: null,
      include_breakfast: null,
    }
  }
  const vertical = verticalOf(service)
  const located = vertical === 'flight' || vertical === 'hotel' || vertical === 'train' || vertical === 'car'
  return {
    ...trip.metadata,
    service,
    related_vertical: vertical,
    vendor: vendorOf(trip, vertical),
    service_location: located ? serviceLocation(vertical, trip.from, trip.to) : null,
    include_breakfast: vertical === 'hotel' ? trip.nights > 1 : null,
  }
}

function verticalOf(service: Exclude<Service, 'pro_v2'>): 'flight' | 'hotel' | 'train' | 'car' | 'insurance' | 'other' {
  if (service === 'seat') return 'flight'
  if (service === 'meeting_room') return 'other'
  return service === 'extra' ? 'insurance' : service
}

function vendorOf(trip: Trip, vertical: string): JsonObject {
  const { entity } = trip
  const index = Number(trip.id) % entity.airlines.length
  const [code, name] =
    vertical === 'flight'
      ? (entity.airlines[index] ?? entity.railway)
      : vertical === 'train'
        ? entity.railway
        : vertical === 'car'
          ? entity.carRental
          : vertical === 'hotel'
            ? [`H-${trip.to.iata}`, trip.to.hotels[trip.nights % trip.to.hotels.length] ?? 'Hotel']
            : ['PX', vertical === 'insurance' ? 'Praxis Travel Cover' : 'Kontor Rooms']
  return { code, name }
}

/** How the lines of a trip are written. */
export type LineHabits = {
  style: AmountStyle
  /** The least and the most that a flight costs, in euro cents. */
  fares: readonly [number, number]
  /** For how long a car is rented. */
  carDays: string
}

/** The lines of a trip: transport, nights, extras and the platform's booking fee. */
export function linesOfTrip(choices: Choices, trip: Trip, { style, fares, carDays }: LineHabits): JsonObject[] {
  const { entity, travelers } = trip
  const byAir = entity.abroad.includes(trip.to)
  const stays = trip.to !== trip.from
  const specs: LineSpec[] = []
  const add = (service: Service, rate: string, description: string, cents: number, more: Partial<LineSpec> = {}) => {
    const taxed = rate !== '0'
    specs.push({
      id: choices.uuid(),
      expenseDate: addDays(trip.start, -choices.int(1, 12)),
      description,
      quantity: travelers.length,
      unitPrice: price(entity, cents),
      taxPercentage: rate,
      taxRegime: taxed ? entity.regimes.taxed : entity.regimes.untaxed,
      currency: entity.profile.currency,
      style,
      metadata: serviceMetadata(trip, service),
      ...more,
    })
  }
  const { rates } = entity
  if (byAir) {
    const route = `${trip.from.iata}-${trip.to.iata}-${trip.from.iata}`
    add('flight', rates.flight, `Flight ${route}, economy`, choices.int(...fares), {
      nonTaxableUnitPrice: price(entity, choices.int(900, 7_400)),
    })
    if (choices.chance(45)) add('seat', rates.flight, `Seat reservation ${route}`, choices.int(800, 3_900))
    if (choices.chance(20)) add('extra', '0', 'Travel insurance, worldwide', choices.int(900, 2_600))
  } else if (stays) {
    add('train', rates.train, `Train ${trip.from.station} - ${trip.to.station}, return`, choices.int(3_900, 21_000))
  }
  if (stays) {
    const hotel = serviceMetadata(trip, 'hotel').vendor
    const name = hotel && typeof hotel === 'object' && 'name' in hotel ? String(hotel.name) : 'Hotel'
    const cityTax = trip.nights % 2 === 0 ? { nonTaxableUnitPrice: price(entity, 200 * trip.nights) } : {}
    add(
      'hotel',
      rates.hotel,
      `${name}, ${trip.nights} night${trip.nights > 1 ? 's' : ''}`,
      trip.nights * choices.int(7_800, 21_500),
      cityTax,
    )
  } else {
    add('meeting_room', rates.fee, `Meeting room ${trip.to.city}, full day`, choices.int(9_000, 42_000), {
      quantity: 1,
    })
  }
  if (choices.chance(25))
    add('car', rates.car, `Rental car ${trip.to.city}, ${carDays}`, trip.nights * choices.int(4_100, 8_800), {
      quantity: 1,
    })
  add('pro_v2', rates.fee, 'Booking fee', choices.int(390, 1_190), { quantity: 1 })
  return specs.map(buildLine)
}

/** A further line on a trip, exact under the formulas; special lines start from it. */
export function lineOnTrip(
  trip: Trip,
  service: Service,
  spec: Pick<LineSpec, 'id' | 'description' | 'quantity' | 'unitPrice' | 'taxPercentage'> & Partial<LineSpec>,
): JsonObject {
  const { entity } = trip
  const taxRegime = spec.taxPercentage === '0' ? entity.regimes.untaxed : entity.regimes.taxed
  return buildLine({
    expenseDate: addDays(trip.start, -3),
    taxRegime,
    currency: entity.profile.currency,
    metadata: serviceMetadata(trip, service),
    ...spec,
  })
}

/** Writes an amount with the decimals of the trip's currency. */
export function tripAmount(trip: Trip, text: string): string {
  return amountText(text, currencyDigits(trip.entity.profile.currency), 'short')
}
