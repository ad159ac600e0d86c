import type { TripPart } from '#lib/reconcile/trip/trip-cost.ts'

/** What a part of a trip's cost is called. */
export const TRIP_PART_WORDS: Record<TripPart, string> = {
  booking: 'Bookings',
  extra: 'Extras',
  fee: 'Fees',
  refund: 'Refunds',
}
