import type { StoredLine } from './model.ts'
import { lineOnTrip, type Service, type Trip } from './trips.ts'
import type { JsonObject } from './wire/json.ts'
import type { SpecialLine } from './wire/special-line.ts'

export type Base = {
  service: Service
  description: string
  quantity: number
  unitPrice: string
  nonTaxableUnitPrice?: string
  taxPercentage: string
  style?: 'short' | 'long'
}

/**
 * A line that is wrong on purpose: what it states, and what a correct proof must say. All figures
 * are written by hand.
 */
export type PlantedFault = {
  name: string
  currency: string
  base: Base
  stated: { tax_amount?: string; total_amount?: string }
  codes: readonly ('total' | 'tax')[]
  /** Stated minus expected total and tax; "0" where that figure is right. */
  difference: string
  taxDifference: string
}

export function plant(
  name: string,
  currency: string,
  base: Base,
  stated: PlantedFault['stated'],
  [difference, taxDifference]: readonly [string, string],
): PlantedFault {
  const codes: ('total' | 'tax')[] = []
  if (difference !== '0') codes.push('total')
  if (taxDifference !== '0') codes.push('tax')
  return { name, currency, base, stated, codes, difference, taxDifference }
}

export const hotel = (
  description: string,
  quantity: number,
  unitPrice: string,
  taxPercentage: string,
  nonTaxableUnitPrice?: string,
): Base => ({
  service: 'hotel',
  description,
  quantity,
  unitPrice,
  taxPercentage,
  nonTaxableUnitPrice,
})

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  // 2 x (120.50 + 14.00) + 45.79 = 314.79
  plant(
    'eur_cent_above',
    'EUR',
    hotel('Corporate rate, 2 guests', 2, '120.50', '19', '14.00'),
    { total_amount: '314.80' },
    ['0.01', '0'],
  ),
  // 1 x 89.00 + 6.23 = 95.23
  plant('eur_cent_below', 'EUR', hotel('Single room, 1 night', 1, '89.00', '7'), { total_amount: '95.22' }, [
    '-0.01',
    '0',
  ]),
  // 1 x 294.21 + 20.59 = 314.80, digits swapped
  plant('eur_digits_swapped', 'EUR', hotel('Suite, 1 night', 1, '294.21', '7'), { total_amount: '341.80' }, [
    '27.00',
    '0',
  ]),
  // 3 x 33.33333333 = 99.99999999: at two decimals 100.00 is right, 100.01 is not
  plant(
    'thirds_cent_above',
    'EUR',
    hotel('Dinner, a third each, overcharged', 3, '33.33333333', '0'),
    { total_amount: '100.01' },
    ['0.01', '0'],
  ),
  // stated, and so compared, with eight decimals
  plant(
    'eighth_decimal_off',
    'EUR',
    { ...hotel('Currency conversion, thirds', 3, '33.33333333', '0'), style: 'long' },
    { total_amount: '99.99999998' },
    ['-0.00000001', '0'],
  ),
  // 19% of 3 x 9.99 is 5.69; rounded per unit it is 3 x 1.90
  plant(
    'tax_rounded_per_unit',
    'EUR',
    { ...hotel('Seat reservation, three seats', 3, '9.99', '19'), service: 'seat' },
    { tax_amount: '5.70', total_amount: '35.67' },
    ['0', '0.01'],
  ),
  // 7% of 210.00 is 14.70, charged at 19%
  plant(
    'tax_at_other_rate',
    'EUR',
    hotel('Hotel at the wrong rate', 1, '210.00', '7'),
    { tax_amount: '39.90', total_amount: '249.90' },
    ['0', '25.20'],
  ),
  // 20% of 150.00 is 30.00; 150.00 + 31.00 = 181.00
  plant(
    'tax_and_total',
    'GBP',
    hotel('Serviced apartment', 1, '150.00', '20'),
    { tax_amount: '31.00', total_amount: '180.00' },
    ['-1.00', '1.00'],
  ),
  plant('gbp_refund_cent', 'GBP', hotel('Refund: no-show waived', -1, '64.15', '20'), { total_amount: '-76.99' }, [
    '-0.01',
    '0',
  ]),
  // 10% of 12300 is 1230
  plant('jpy_yen_above', 'JPY', hotel('Business hotel, 1 night', 1, '12300', '10'), { total_amount: '13531' }, [
    '1',
    '0',
  ]),
  // 10% of 2 x 1236 is 247; rounded per unit it is 2 x 124
  plant(
    'jpy_tax_rounded_per_unit',
    'JPY',
    { ...hotel('Reserved seat, two', 2, '1236', '10'), service: 'train' },
    { tax_amount: '248', total_amount: '2720' },
    ['0', '1'],
  ),
  // 5% of 48.750 is 2.4375, rounded 2.438
  plant('kwd_fils_below', 'KWD', hotel('Airport hotel, 1 night', 1, '48.750', '5'), { total_amount: '51.187' }, [
    '-0.001',
    '0',
  ]),
  plant(
    'kwd_tax_fils',
    'KWD',
    hotel('Airport hotel, early check-in', 1, '48.750', '5'),
    { tax_amount: '2.437', total_amount: '51.187' },
    ['0', '-0.001'],
  ),
]

/** The planted faults as lines for the invoices of their currency. */
export const PLANTED_LINES: readonly SpecialLine[] = PLANTED_FAULTS.map((fault) => ({
  name: fault.name,
  currency: fault.currency,
  make: (trip, id) => makeFaultyLine(fault, trip, id),
}))

/** A planted fault as a line on a trip. */
export function makeFaultyLine({ name, base, stated }: PlantedFault, trip: Trip, id: string): StoredLine {
  const { service, ...figures } = base
  const wire: JsonObject = { ...lineOnTrip(trip, service, { id, ...figures }), ...stated }
  return { wire, plant: name }
}
