import fc from 'fast-check'
import { expect, test } from 'vitest'
import { INVOICE, toRaw } from '../test-support/test-records.ts'
import { hidePdfAddress, parseInvoice } from './wire-invoice.ts'
import { parseProfile } from './wire-profile.ts'

function requireInvoice(raw: string) {
  const parsed = parseInvoice(raw)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.invoice
}

test('reads an invoice with its tax summary', () => {
  expect(requireInvoice(toRaw(INVOICE))).toMatchObject({
    serialNumber: 'INV-01-100041',
    profileId: 'p-1',
    profileName: 'Nordlicht GmbH',
    mode: 'reseller',
    status: 'paid',
    issuingDate: '2026-03-04',
    dueDate: '2026-04-03',
    fromDate: '2026-02-01',
    toDate: '2026-02-28',
    billingPeriod: 'monthly',
    currency: 'EUR',
    total: '314.79',
    creditUsed: '0.00',
    taxesSummary: [
      { taxRegime: 'G-VAT-R', subtotal: '241.00', taxPercentage: '19.00', taxAmount: '45.79', total: '286.79' },
    ],
    reference: null,
    legalName: 'Nordlicht Reisen GmbH',
    unreadablePaths: [],
  })
})

test('A16: keeps the PDF’s address out of the record, and every other byte in', () => {
  const invoice = requireInvoice(toRaw(INVOICE))
  expect(JSON.stringify(invoice)).not.toContain('topsecret')
  expect(invoice.raw).toBe(toRaw(INVOICE, { pdf: '[not stored]' }))
  const later = requireInvoice(toRaw(INVOICE, { pdf: 'https://files.example.org/other?X-Signature=1' }))
  expect(later.contentHash).toBe(invoice.contentHash)
  for (const pdf of [null, undefined]) {
    expect(requireInvoice(toRaw(INVOICE, { pdf })).contentHash).toBe(invoice.contentHash)
  }
  expect(requireInvoice(toRaw(INVOICE, { status: 'unpaid' })).contentHash).not.toBe(invoice.contentHash)
})

test('A16: keeps the PDF’s address out of a rejection, however broken the record is', () => {
  const rejected = [
    toRaw(INVOICE, { total: 'x' }),
    toRaw(INVOICE).slice(0, -1),
    toRaw(INVOICE).replace('"pdf"', '"p\\u0064f"').replace('"314.79"', '"x"'),
    JSON.stringify([INVOICE]),
    toRaw(INVOICE).replaceAll('/', '\\/').slice(0, -1),
  ]
  for (const raw of rejected) {
    const parsed = parseInvoice(raw)
    expect(parsed.ok).toBe(false)
    expect(JSON.stringify(parsed)).not.toContain('topsecret')
  }
})

test('leaves a text without a PDF unchanged', () => {
  const raw = ` {"a" : [1.50],"pdf":null } `
  expect(hidePdfAddress(raw)).toBe(raw)
})

test('reads what it can of an odd invoice', () => {
  const odd = {
    taxes_summary: [{ subtotal: '1,5' }, 7],
    profile_id: null,
    billing_information: null,
    due_date: '',
    reference: 12,
  }
  expect(requireInvoice(toRaw(INVOICE, odd))).toMatchObject({
    taxesSummary: [{ taxRegime: null, subtotal: null, taxPercentage: null, taxAmount: null, total: null }],
    profileId: null,
    legalName: null,
    dueDate: null,
    reference: '12',
    unreadablePaths: ['taxes_summary.0.subtotal', 'taxes_summary'],
  })
})

test('F23: rejects an invoice without its key, its currency or its total', () => {
  for (const key of ['serial_number', 'currency', 'total']) {
    expect(parseInvoice(toRaw(INVOICE, { [key]: undefined }))).toMatchObject({
      ok: false,
      path: key,
      reason: `${key} is missing`,
    })
  }
})

test('never throws, on any invoice or profile', () => {
  const keys = fc.constantFrom(...Object.keys(INVOICE), '__proto__')
  fc.assert(
    fc.property(keys, fc.json(), fc.string(), (key, value, text) => {
      const raw = toRaw(INVOICE, Object.fromEntries([[key, JSON.parse(value)]]))
      for (const candidate of [raw, raw.slice(0, text.length * 20), text, value]) {
        expect(parseInvoice(candidate).ok).toBeTypeOf('boolean')
        expect(parseProfile(candidate).ok).toBeTypeOf('boolean')
      }
    }),
    { numRuns: 500 },
  )
})

test('reads a profile, which only needs an id', () => {
  const raw =
    '{"id":17,"name":"Nordlicht","currency":"jpy","payment_method_type":"wallet","billing_information":{"legal_name":"N"}}'
  expect(parseProfile(raw)).toMatchObject({
    ok: true,
    profile: {
      id: '17',
      name: 'Nordlicht',
      currency: 'JPY',
      paymentMethodType: 'wallet',
      billingPeriod: null,
      legalName: 'N',
      unreadablePaths: [],
      raw,
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  })
  expect(parseProfile('{"id":"p"}').ok).toBe(true)
  expect(parseProfile('{"name":"p"}')).toMatchObject({ ok: false, reason: 'id is missing' })
})
