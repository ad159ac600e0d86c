/** A line as the lines list returns it, with an ordinary oddity or two. */
export const LINE = {
  id: 'line-1',
  expense_date: '2026-03-04',
  description: 'FLIGHT for Trip ID 10223',
  quantity: 2,
  unit_price: '120.50000000',
  non_taxable_unit_price: '14.00000000',
  tax_percentage: '19.00',
  tax_amount: '45.79',
  tax_regime: 'G-VAT-R',
  total_amount: '314.79',
  metadata: {
    trip_id: '10223',
    trip_name: 'Meeting in Lisbon',
    service: 'flight',
    related_vertical: 'flight',
    travelers: [
      { name: 'J. Doe', email: 'j.doe@example.org', external_id: '17' },
      { name: 'M. Lint', email: 'm.lint@example.org', external_id: null },
    ],
    start_date: '2026-03-04',
    end_date: '2026-03-06',
    cost_center: 'DACH Sales',
    credit_card_last_4_digits: '1111',
    labels: ['Q1', 'Sales'],
    custom_fields: [{ name: 'Project', value: 'Atlas' }],
    vendor: { code: 'LH', name: 'Lufthansa' },
    out_of_policy: false,
    approvers: [],
    booker: { name: 'J. Doe', email: 'j.doe@example.org', external_id: '17' },
    service_location: null,
    include_breakfast: null,
  },
  invoice_serial_number: 'INV-01-100041',
  profile_id: 'p-1',
  profile_name: 'Nordlicht GmbH',
  invoice_mode: 'reseller',
  invoice_status: 'paid',
  issuing_date: '2026-03-04',
  due_date: '2026-04-03',
  currency: 'EUR',
}

export const INVOICE = {
  serial_number: 'INV-01-100041',
  profile_id: 'p-1',
  profile_name: 'Nordlicht GmbH',
  billing_information: { legal_name: 'Nordlicht Reisen GmbH', vat_number: null, city: 'HAMBURG' },
  mode: 'reseller',
  status: 'paid',
  issuing_date: '2026-03-04',
  billing_period: 'monthly',
  from_date: '2026-02-01',
  to_date: '2026-02-28',
  due_date: '2026-04-03',
  currency: 'EUR',
  total: '314.79',
  credit_used_for_customer_payment: '0.00',
  taxes_summary: [
    { tax_regime: 'G-VAT-R', subtotal: '241.00', tax_percentage: '19.00', tax_amount: '45.79', total: '286.79' },
  ],
  reference: '',
  pdf: 'https://files.example.org/INV-01-100041.pdf?X-Signature=topsecret',
  lines: { total: 1, data: [], next: '/invoices/lines?serial_number=INV-01-100041' },
}

/** A record as text, with some top-level members replaced; `undefined` removes a member. */
export function toRaw(record: object, change: object = {}): string {
  return JSON.stringify({ ...record, ...change })
}

/** The line as text with some metadata replaced. */
export function withMetadata(change: object): string {
  return toRaw(LINE, { metadata: { ...LINE.metadata, ...change } })
}
