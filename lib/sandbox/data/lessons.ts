import { hotel, type PlantedFault, plant } from './planted-faults.ts'

/**
 * A line of the company's invoices from which something can be learned, and the day of issue of its
 * invoice. All figures are written by hand.
 */
export type Lesson = { issued: string; fault: PlantedFault }

function lesson(
  issued: string,
  [name, currency]: readonly [string, string],
  base: PlantedFault['base'],
  stated: PlantedFault['stated'],
  differences: readonly [string, string],
): Lesson {
  return { issued, fault: plant(name, currency, base, stated, differences) }
}

/**
 * Each way of reckoning that issuers are known to use beside the contract's, once and named after
 * it; what nobody can see on one line alone is left to whoever reads it.
 */
const CONVENTION_LESSONS: readonly Lesson[] = [
  // 7% of 119.50 is 8.365; half to even 8.36
  lesson(
    '2026-11-20',
    ['tax_half_even', 'EUR'],
    hotel('Single room with breakfast, 1 night', 1, '119.50', '7'),
    { tax_amount: '8.36', total_amount: '127.86' },
    ['0', '-0.01'],
  ),
  // 10% of 12335 is 1233.5; half down 1233
  lesson(
    '2026-09-30',
    ['tax_half_down', 'JPY'],
    hotel('Business hotel, 1 night', 1, '12335', '10'),
    { tax_amount: '1233', total_amount: '13568' },
    ['0', '-1'],
  ),
  // 20% of 86.49 is 17.298; cut off 17.29
  lesson(
    '2026-09-30',
    ['tax_truncated', 'GBP'],
    hotel('Studio apartment, 1 night', 1, '86.49', '20'),
    { tax_amount: '17.29', total_amount: '103.78' },
    ['0', '-0.01'],
  ),
  // 7% of 4 x 139.19 is 38.9732; per unit it is 4 x 9.74, in every mode
  lesson(
    '2026-10-15',
    ['tax_per_unit', 'EUR'],
    hotel('Conference rate, 4 nights', 4, '139.19', '7'),
    { tax_amount: '38.96', total_amount: '595.72' },
    ['0', '-0.01'],
  ),
  // 7% of 2 x 102.50 is 14.35; per unit it is 2 x 7.175: half up and half to even 7.18
  lesson(
    '2026-09-30',
    ['tax_per_unit_half_even', 'EUR'],
    hotel('Two single rooms, trade fair rate', 2, '102.50', '7'),
    { tax_amount: '14.36', total_amount: '219.36' },
    ['0', '0.01'],
  ),
  // 7% of 2 x 114.50 is 16.03; per unit it is 2 x 8.015: half down and cut off 8.01
  lesson(
    '2026-09-15',
    ['tax_per_unit_half_down', 'EUR'],
    hotel('Two single rooms, partner rate', 2, '114.50', '7'),
    { tax_amount: '16.02', total_amount: '245.02' },
    ['0', '-0.01'],
  ),
  // 7% of 5 x 99.99 is 34.9965; per unit it is 5 x 6.9993: cut off 6.99
  lesson(
    '2026-08-31',
    ['tax_per_unit_truncated', 'EUR'],
    hotel('Five rooms, company event', 5, '99.99', '7'),
    { tax_amount: '34.95', total_amount: '534.90' },
    ['0', '-0.05'],
  ),
  // 7% of 212.35 is 14.8645, to be rounded once for the whole invoice
  lesson(
    '2026-08-15',
    ['tax_per_document', 'EUR'],
    hotel('Junior suite, 1 night', 1, '212.35', '7'),
    { tax_amount: '14.8645', total_amount: '227.2145' },
    ['0', '0.0045'],
  ),
  // 5% of 44.000 is 2.200; of 44.000 + 3.500 it is 2.375
  lesson(
    '2026-10-31',
    ['tax_on_non_taxable', 'KWD'],
    hotel('Hotel night with municipal fee', 1, '44.000', '5', '3.500'),
    { tax_amount: '2.375', total_amount: '49.875' },
    ['0', '0.175'],
  ),
  // 94.125 + 17.88 = 112.005; half to even 112.00
  lesson(
    '2026-06-30',
    ['total_half_even', 'EUR'],
    { ...hotel('Meeting room, half day, converted from SEK', 1, '94.125', '19'), service: 'meeting_room' },
    { total_amount: '112.00' },
    ['-0.01', '0'],
  ),
  // 139.195 + 9.74 = 148.935; half down 148.93
  lesson(
    '2026-06-15',
    ['total_half_down', 'EUR'],
    hotel('Hotel night, converted from SEK', 1, '139.195', '7'),
    { total_amount: '148.93' },
    ['-0.01', '0'],
  ),
  // 71.388 + 14.28 = 85.668; cut off 85.66
  lesson(
    '2026-06-30',
    ['total_truncated', 'GBP'],
    hotel('Hotel night, converted from EUR', 1, '71.388', '20'),
    { total_amount: '85.66' },
    ['-0.01', '0'],
  ),
  // 3 x 8333.4 + 2500 = 27500.2; per unit it is 3 x 8333
  lesson(
    '2026-07-31',
    ['total_per_unit', 'JPY'],
    hotel('Three hotel nights, converted from SGD', 3, '8333.4', '10'),
    { total_amount: '27499' },
    ['-1', '0'],
  ),
  // 2 x 75.375 + 10.55 = 161.30; per unit it is 2 x 75.38, half up and half to even
  lesson(
    '2026-05-31',
    ['total_per_unit_half_even', 'EUR'],
    hotel('Two hotel nights, converted from PLN', 2, '75.375', '7'),
    { total_amount: '161.31' },
    ['0.01', '0'],
  ),
  // 2 x 81.175 + 11.36 = 173.71; per unit it is 2 x 81.17, half down and cut off
  lesson(
    '2026-05-15',
    ['total_per_unit_half_down', 'EUR'],
    hotel('Two hotel nights, converted from CHF', 2, '81.175', '7'),
    { total_amount: '173.70' },
    ['-0.01', '0'],
  ),
  // 4 x 52.347 + 14.66 = 224.048; per unit it is 4 x 52.34, cut off
  lesson(
    '2026-04-30',
    ['total_per_unit_truncated', 'EUR'],
    hotel('Four hotel nights, converted from CZK', 4, '52.347', '7'),
    { total_amount: '224.02' },
    ['-0.03', '0'],
  ),
  // 60.006 + 12.008 + 4.20 = 76.214; in parts it is 60.01 + 12.01 + 4.20
  lesson(
    '2026-04-15',
    ['total_by_parts', 'EUR'],
    hotel('Hotel night with city tax, converted from DKK', 1, '60.006', '7', '12.008'),
    { total_amount: '76.22' },
    ['0.01', '0'],
  ),
  // 164.332 + 11.50 = 175.832; with the tax of 11.50324 it is 175.83524
  lesson(
    '2026-03-31',
    ['total_of_unrounded_tax', 'EUR'],
    hotel('Hotel night, converted from NOK', 1, '164.332', '7'),
    { total_amount: '175.84' },
    ['0.01', '0'],
  ),
  // a third of 200.00, rounded up to eight decimals
  lesson(
    '2026-07-15',
    ['price_divided', 'EUR'],
    hotel('Team dinner for 200.00, a third each', 3, '66.66666667', '0'),
    { total_amount: '200.00000000' },
    ['-0.00000001', '0'],
  ),
  // 107.00 holds 7.00 of tax; without it the line is 107.00 + 7.49
  lesson(
    '2026-07-31',
    ['price_with_tax', 'EUR'],
    hotel('Hotel voucher, 1 night, tax included', 1, '107.00', '7'),
    { tax_amount: '7.00', total_amount: '107.00' },
    ['-7.00', '-0.49'],
  ),
]

/** The refund of a credit note that states a price above zero and a tax and a total below it. */
export const TURNED_REFUND: Lesson = lesson(
  '2026-11-13',
  ['credit_sign', 'EUR'],
  hotel('Refund: Late check-out, two rooms', 1, '145.00', '7'),
  { tax_amount: '-10.15', total_amount: '-155.15' },
  // expected: 10.15 of tax, and 145.00 - 10.15 with the tax as stated
  ['-290.00', '-20.30'],
)

/** What `TURNED_REFUND` gives back, on an invoice before it. */
export const TURNED_ORIGINAL = { issued: '2026-10-31', base: hotel('Late check-out, two rooms', 1, '145.00', '7') }

/** Faults that no way of reckoning explains. */
const PLAIN_FAULTS: readonly Lesson[] = [
  // 7% of 210.00 is 14.70, charged at 19%
  lesson(
    '2026-11-15',
    ['other_rate', 'EUR'],
    hotel('Double room for single use, 1 night', 1, '210.00', '7'),
    { tax_amount: '39.90', total_amount: '249.90' },
    ['0', '25.20'],
  ),
  // 294.21 + 20.59 = 314.80, digits swapped
  lesson(
    '2026-10-31',
    ['digits_swapped', 'EUR'],
    hotel('Suite, 1 night', 1, '294.21', '7'),
    { total_amount: '341.80' },
    ['27.00', '0'],
  ),
  // 20% of 150.00 is 30.00; 150.00 + 31.00 = 181.00
  lesson(
    '2026-11-20',
    ['tax_and_total', 'GBP'],
    hotel('Serviced apartment, 1 night', 1, '150.00', '20'),
    { tax_amount: '31.00', total_amount: '180.00' },
    ['-1.00', '1.00'],
  ),
  // 12300 + 1230 = 13530
  lesson(
    '2026-11-20',
    ['yen_above', 'JPY'],
    hotel('Hotel near the station, 1 night', 1, '12300', '10'),
    { total_amount: '13531' },
    ['1', '0'],
  ),
]

/** Planted on the invoices of the first account. */
export const NORDLICHT_LESSONS: readonly Lesson[] = [...CONVENTION_LESSONS, ...PLAIN_FAULTS]

/** Planted on the invoices of the second account. */
export const MERIDIAN_LESSONS: readonly Lesson[] = [
  // 2 x 189.00 + 21.55 = 399.55
  lesson(
    '2026-11-20',
    ['cent_below', 'USD'],
    hotel('Conference block, 2 nights', 2, '189.00', '5.7'),
    { total_amount: '399.54' },
    ['-0.01', '0'],
  ),
]
