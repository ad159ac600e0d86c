import { lineOnTrip, type Trip } from './trips.ts'
import { type JsonObject, type JsonValue, RawJson } from './wire/json.ts'
import type { SpecialLine } from './wire/special-line.ts'
import { withMetadata } from './wire/special-line.ts'

type Odd = (line: JsonObject) => JsonObject
type Figures = {
  quantity?: number
  unitPrice?: string
  nonTaxableUnitPrice?: string
  taxPercentage?: string
  style?: 'short' | 'long'
}

function odd(name: string, currency: string, change: Odd, figures: Figures = {}): SpecialLine {
  return {
    name,
    currency,
    make: (trip, id) => ({ wire: change(hotelLine(trip, id, name, figures)) }),
  }
}

function hotelLine(trip: Trip, id: string, name: string, figures: Figures): JsonObject {
  const unitPrice = { JPY: '9800', KWD: '31.500' }[trip.entity.profile.currency] ?? '80.00'
  const description = `Hotel, 1 night (${name.replaceAll('_', ' ')})`
  return lineOnTrip(trip, 'hotel', {
    id,
    description,
    quantity: 1,
    unitPrice,
    taxPercentage: trip.entity.rates.hotel,
    ...figures,
  })
}

const metadata =
  (change: { [key: string]: JsonValue | undefined }): Odd =>
  (line) =>
    withMetadata(line, change)

const withoutKeys =
  (...keys: string[]): Odd =>
  (line) =>
    Object.fromEntries(Object.entries(line).filter(([key]) => !keys.includes(key)))

/** Each odd shape seen on the wire, once; the formulas hold for every one of these lines. */
export const ODD_LINES: readonly SpecialLine[] = [
  odd('trip_id_number', 'EUR', metadata({ trip_id: 4711042, trip_name: 'Trip with a numeric id' })),
  odd('trip_id_same_as_text', 'EUR', metadata({ trip_id: '4711042', trip_name: 'Trip with a numeric id' })),
  odd(
    'trip_id_beyond_2_53',
    'EUR',
    metadata({ trip_id: new RawJson('9007199254740993'), trip_name: 'Trip beyond 2^53' }),
  ),
  odd('trip_id_next_to_it', 'EUR', metadata({ trip_id: '9007199254740992', trip_name: 'Trip at 2^53' })),
  odd('trip_id_null', 'GBP', metadata({ trip_id: null, trip_name: null })),
  odd('zero_in_exponent_form', 'EUR', (line) => line, { style: 'long', unitPrice: '20', taxPercentage: '0' }),
  odd('zero_in_exponent_form_jpy', 'JPY', (line) => line, { style: 'long', unitPrice: '15000', taxPercentage: '10' }),
  odd('exponent_with_digits', 'EUR', (line) => ({ ...line, unit_price: '1.2E+2', total_amount: '12000E-2' }), {
    unitPrice: '120.00',
    taxPercentage: '0',
  }),
  // these two add up to a whole cent, so the invoice total stays exact
  odd('eight_decimals', 'GBP', (line) => line, { style: 'long', unitPrice: '17.12345678', taxPercentage: '0' }),
  odd('eight_decimals_rest', 'GBP', (line) => line, { style: 'long', unitPrice: '0.87654322', taxPercentage: '0' }),
  odd('thirds', 'EUR', (line) => ({ ...line, description: 'Dinner, a third each' }), {
    quantity: 3,
    unitPrice: '33.33333333',
    taxPercentage: '0',
  }),
  odd(
    'decimal_as_number',
    'EUR',
    (line) => ({ ...line, unit_price: new RawJson('40.10'), total_amount: new RawJson('42.91') }),
    { unitPrice: '40.10', taxPercentage: '7' },
  ),
  odd('fractional_rate', 'EUR', (line) => line, { unitPrice: '118.18', taxPercentage: '5.5' }),
  odd('half_cent_away', 'EUR', (line) => line, { unitPrice: '50.50', taxPercentage: '5', quantity: 1 }),
  odd('half_cent_away_refund', 'EUR', (line) => ({ ...line, description: 'Refund: hotel, half a cent' }), {
    unitPrice: '50.50',
    taxPercentage: '5',
    quantity: -1,
  }),
  odd('out_of_policy_empty', 'EUR', metadata({ out_of_policy: '' })),
  odd('cost_center_empty', 'EUR', metadata({ cost_center: '' })),
  odd('cost_center_null', 'GBP', metadata({ cost_center: null })),
  odd('vendor_null', 'EUR', metadata({ vendor: null })),
  odd('vendor_code_null', 'EUR', metadata({ vendor: { code: null, name: 'Pension Elbe' } })),
  odd('booker_null', 'GBP', metadata({ booker: null, approvers: [] })),
  odd('travelers_empty', 'JPY', metadata({ travelers: [] })),
  odd('dates_null', 'EUR', metadata({ start_date: null, end_date: null })),
  odd('trip_ends_in_2030', 'EUR', metadata({ end_date: '2030-06-30' })),
  odd(
    'keys_missing',
    'EUR',
    metadata({ related_vertical: undefined, custom_fields: undefined, approvers: undefined, labels: undefined }),
  ),
  odd('metadata_nearly_empty', 'GBP', (line) => ({ ...line, metadata: { trip_name: 'Imported from an old system' } })),
  odd('keys_unknown', 'EUR', (line) => ({
    ...withMetadata(line, {
      carbon: { kg: new RawJson('118.40000000000000001'), method: null },
      ['__proto__']: { polluted: true },
    }),
    allocation: [{ percent: '100', code: 'A' }],
  })),
  odd('regime_unknown', 'EUR', (line) => ({ ...line, tax_regime: 'MARGIN-EU-2027' })),
  odd('service_unknown', 'EUR', metadata({ service: 'ferry', related_vertical: 'ferry', service_location: null })),
  odd(
    'custom_fields_odd',
    'EUR',
    metadata({ custom_fields: [{ name: 'Project', value: null }, { id: 7, options: ['a', 'b'] }, {}] }),
  ),
  odd(
    'city_upper_case',
    'KWD',
    metadata({
      service_location: {
        hotel_location: {
          name: null,
          city: 'KUWAIT CITY',
          country: 'KUWAIT',
          country_code: 'KW',
          latitude: '',
          longitude: null,
        },
      },
    }),
  ),
  odd('line_without_id', 'EUR', withoutKeys('id')),
  odd('extra_for_flight', 'EUR', metadata({ service: 'extra', related_vertical: 'flight', service_location: null })),
  odd('free_of_charge', 'JPY', (line) => line, { unitPrice: '0', taxPercentage: '10' }),
]

/**
 * Rows that no careful reader can parse: kept raw and shown as rejected, without affecting their
 * neighbors.
 */
export const POISON_LINES: readonly SpecialLine[] = [
  odd('poison_comma_price', 'EUR', (line) => ({ ...line, unit_price: '12,30' }), {
    unitPrice: '12.30',
    taxPercentage: '0',
  }),
  odd('poison_impossible_day', 'EUR', (line) => ({ ...line, expense_date: '2026-02-30' })),
]
