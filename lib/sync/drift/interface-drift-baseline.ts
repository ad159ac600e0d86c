import type { SyncList } from '../model.ts'

export type ValueKind = 'text' | 'number' | 'boolean' | 'null' | 'object' | 'list'

/**
 * A known member. `kinds` are the contract's; `seen` are recorded deviations, so no longer news.
 */
export type KnownPath = {
  path: string
  kinds: ValueKind[]
  seen: ValueKind[]
  /** The known values of an enumeration; null where any value is fine. */
  values: readonly string[] | null
  /** The source: the partner's contract, or recorded payloads. */
  source: 'contract' | 'recorded'
}

const STATUSES = ['draft', 'open', 'paid', 'unpaid']
const MODES = [
  'reseller',
  'intermediary',
  'gross',
  'credit-reseller',
  'credit-intermediary',
  'credit-gross',
  'Mixed',
  'passthrough',
  'us-reseller',
]
const REGIMES = ['STAR', 'G-VAT-R', 'GROSS', 'US-G-VAT-R-0']
const SERVICES = ['flight', 'hotel', 'train', 'car', 'seat', 'meeting_room', 'extra', 'pro_v2']
const VERTICALS = ['flight', 'hotel', 'train', 'car', 'insurance', 'other']
const BILLING_PERIODS = ['instant', 'weekly', 'biweekly', 'monthly']

/** Kinds before the bar are the contract's, those after it were recorded; spaces separate them. */
function known(
  source: KnownPath['source'],
  path: string,
  kinds: string,
  values: readonly string[] | null = null,
): KnownPath {
  const [own = '', seen = ''] = kinds.split('|').map((side) => side.trim())
  const list = (text: string) => text.split(' ').filter((kind) => kind !== '') as ValueKind[]
  return { path, kinds: list(own), seen: list(seen), values, source }
}

const contract = (path: string, kinds: string, values?: readonly string[]) => known('contract', path, kinds, values)
const recorded = (path: string, kinds: string, values?: readonly string[]) => known('recorded', path, kinds, values)

/**
 * Members of `metadata` are all optional, so null is as good as absent (contract, "metadata
 * object").
 */
const PERSON = ['name', 'email', 'external_id']
const PLACE = ['name', 'city', 'country', 'country_code', 'latitude', 'longitude']
const places = (inner: string, more: string[] = []) => [
  contract(`metadata.service_location.${inner}`, 'object'),
  ...[...PLACE, ...more].map((key) => contract(`metadata.service_location.${inner}.${key}`, 'text')),
]

const LINE_PATHS: KnownPath[] = [
  contract('id', 'text'),
  contract('expense_date', 'text'),
  contract('description', 'text'),
  contract('quantity', 'number | text'),
  ...['unit_price', 'non_taxable_unit_price', 'tax_percentage', 'tax_amount', 'total_amount'].map((path) =>
    contract(path, 'text | number'),
  ),
  contract('tax_regime', 'text', REGIMES),
  contract('metadata', 'object'),
  contract('metadata.trip_id', 'text null | number'),
  contract('metadata.trip_name', 'text null'),
  contract('metadata.service', 'text null', SERVICES),
  contract('metadata.related_vertical', 'text null', VERTICALS),
  contract('metadata.travelers', 'list null'),
  contract('metadata.travelers[]', 'object'),
  ...PERSON.map((key) => contract(`metadata.travelers[].${key}`, 'text | null')),
  contract('metadata.start_date', 'text null'),
  contract('metadata.end_date', 'text null'),
  contract('metadata.cost_center', 'text null'),
  contract('metadata.credit_card_last_4_digits', 'text null'),
  contract('metadata.labels', 'list null'),
  contract('metadata.labels[]', 'text'),
  contract('metadata.custom_fields', 'list null'),
  contract('metadata.custom_fields[]', 'object'),
  recorded('metadata.custom_fields[].name', 'text'),
  recorded('metadata.custom_fields[].value', 'text null number boolean'),
  contract('metadata.vendor', 'object null'),
  contract('metadata.vendor.code', 'text | null'),
  contract('metadata.vendor.name', 'text | null'),
  contract('metadata.out_of_policy', 'boolean null | text'),
  contract('metadata.approvers', 'list null'),
  contract('metadata.approvers[]', 'object'),
  ...PERSON.map((key) => contract(`metadata.approvers[].${key}`, 'text | null')),
  contract('metadata.booker', 'object null'),
  ...PERSON.map((key) => contract(`metadata.booker.${key}`, 'text | null')),
  contract('metadata.service_location', 'object null'),
  ...places('origin', ['code']),
  ...places('destination', ['code']),
  ...places('hotel_location'),
  ...places('pick_up_location'),
  contract('metadata.include_breakfast', 'boolean null'),
  contract('invoice_serial_number', 'text'),
  contract('profile_id', 'text'),
  contract('profile_name', 'text'),
  contract('invoice_mode', 'text', MODES),
  contract('invoice_status', 'text', STATUSES),
  contract('issuing_date', 'text'),
  contract('due_date', 'text'),
  contract('currency', 'text'),
]

const BILLING_PATHS = [
  recorded('billing_information', 'object null'),
  ...['legal_name', 'address_line_1', 'address_line_2', 'city', 'postal_code', 'country_name'].map((key) =>
    recorded(`billing_information.${key}`, 'text null'),
  ),
  recorded('billing_information.vat_number', 'text null'),
]

const INVOICE_PATHS: KnownPath[] = [
  ...['serial_number', 'profile_id', 'profile_name', 'issuing_date', 'due_date', 'currency', 'total'].map((path) =>
    recorded(path, 'text'),
  ),
  ...BILLING_PATHS,
  recorded('mode', 'text', MODES),
  recorded('status', 'text', STATUSES),
  recorded('billing_period', 'text null', BILLING_PERIODS),
  recorded('from_date', 'text null'),
  recorded('to_date', 'text null'),
  recorded('credit_used_for_customer_payment', 'text null'),
  recorded('taxes_summary', 'list'),
  recorded('taxes_summary[]', 'object'),
  recorded('taxes_summary[].tax_regime', 'text null', REGIMES),
  ...['subtotal', 'tax_percentage', 'tax_amount', 'total'].map((key) => recorded(`taxes_summary[].${key}`, 'text')),
  recorded('reference', 'text null'),
  recorded('bank_account', 'object null'),
  recorded('pdf', 'text null'),
  recorded('lines', 'object list'),
]

const PROFILE_PATHS: KnownPath[] = [
  recorded('id', 'text'),
  recorded('name', 'text'),
  recorded('payment_method_type', 'text null'),
  recorded('billing_period', 'text null', BILLING_PERIODS),
  recorded('currency', 'text'),
  ...BILLING_PATHS,
]

/** What the three lists are known to hold: the contract, and recordings where it is silent. */
export const INTERFACE_BASELINE: Record<SyncList, readonly KnownPath[]> = {
  profiles: PROFILE_PATHS,
  invoices: INVOICE_PATHS,
  lines: LINE_PATHS,
}

/**
 * Objects that are not compared inside: the first is another list in small, the second is private.
 */
export const UNREAD_PATHS: Record<SyncList, readonly string[]> = {
  profiles: [],
  invoices: ['lines', 'bank_account'],
  lines: [],
}
