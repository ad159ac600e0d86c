/** The keys to group lines by, alone or nested, as the URL and the CSV spell them. */
export const GROUP_KEYS = [
  'trip',
  'cost_center',
  'vertical',
  'service',
  'traveler',
  'booker',
  'vendor',
  'profile',
  'connection',
  'invoice',
  'month',
  'month_issued',
  'tax_regime',
  'tax_percentage',
  'out_of_policy',
  'label',
  'country',
  'custom_field',
  'finding',
] as const

export type GroupKey = (typeof GROUP_KEYS)[number]

/**
 * Keys of which a line can have several values: it is then in several groups, and once in their
 * total.
 */
export const SHARED_KEYS = ['traveler', 'label', 'custom_field', 'finding'] as const satisfies GroupKey[]
