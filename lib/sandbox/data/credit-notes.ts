import type { Entity } from './cast.ts'
import { fixed, fixedText, negateFixed } from './decimal.ts'
import type { LinesShape, StoredInvoice } from './model.ts'
import { lineOnTrip, type Service, type Trip, tripAmount } from './trips.ts'
import { buildInvoice } from './wire/invoice-builder.ts'
import { type JsonObject, scalarText } from './wire/json.ts'

/**
 * How a credit note states a refund. The wire documents no convention, so the story has all three.
 */
type RefundStyle = 'negative_quantity' | 'negative_prices' | 'positive_amounts'

export type CreditNoteSpec = {
  currency: string
  serialNumber: string
  mode: string
  issuingDate: string
  style: RefundStyle
  linesShape: LinesShape
}

export const CREDIT_NOTES: readonly CreditNoteSpec[] = [
  {
    currency: 'EUR',
    serialNumber: 'CR-01-2026-000004',
    mode: 'credit-reseller',
    issuingDate: '2026-03-06',
    style: 'negative_quantity',
    linesShape: 'flat',
  },
  {
    currency: 'GBP',
    serialNumber: 'CR-04-2026-000002',
    mode: 'credit-intermediary',
    issuingDate: '2026-05-08',
    style: 'negative_prices',
    linesShape: 'paged',
  },
  {
    currency: 'JPY',
    serialNumber: 'CR-05-2026-000001',
    mode: 'credit-gross',
    issuingDate: '2026-06-12',
    style: 'negative_quantity',
    linesShape: 'absent',
  },
  {
    currency: 'EUR',
    serialNumber: 'CR-01-2026-000009',
    mode: 'credit-reseller',
    issuingDate: '2026-07-03',
    style: 'positive_amounts',
    linesShape: 'flat',
  },
  {
    currency: 'KWD',
    serialNumber: 'CR-01-2026-000011',
    mode: 'credit-reseller',
    issuingDate: '2026-09-04',
    style: 'negative_prices',
    linesShape: 'paged',
  },
]

/** A credit note for a flight and a night of an earlier trip. */
export function buildCreditNote(spec: CreditNoteSpec, entity: Entity, trip: Trip, ids: () => string): StoredInvoice {
  const quantity = spec.style === 'negative_quantity' ? -1 : 1
  const [fare, night] = { JPY: ['41800', '13200'], KWD: ['96.250', '38.125'] }[entity.profile.currency] ?? [
    '264.35',
    '112.90',
  ]
  const line = (service: Service, description: string, amount: string | undefined, taxPercentage: string): JsonObject =>
    lineOnTrip(trip, service, {
      id: ids(),
      description,
      quantity,
      unitPrice: tripAmount(
        trip,
        spec.style === 'negative_prices' ? fixedText(negateFixed(fixed(amount ?? '0'))) : (amount ?? '0'),
      ),
      taxPercentage,
      expenseDate: spec.issuingDate,
    })
  const wires = [
    line('flight', `Refund: flight ${trip.from.iata}-${trip.to.iata}`, fare, entity.rates.flight),
    line('hotel', `Refund: hotel ${trip.to.city}, 1 night`, night, entity.rates.hotel),
  ]
  return buildInvoice({
    entity,
    serialNumber: spec.serialNumber,
    mode: spec.mode,
    status: 'paid',
    issuingDate: spec.issuingDate,
    lines: wires.map((wire) => ({ wire })),
    linesShape: spec.linesShape,
    reference: `Credit for trip ${scalarText(trip.metadata.trip_id)}`,
  })
}
