import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashText } from '#lib/hash-text.ts'
import { LINE, toRaw, withMetadata } from '../test-support/test-records.ts'
import { parseLine } from './wire-line.ts'

function requireLine(raw: string) {
  const parsed = parseLine(raw)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.line
}

function requireRejection(raw: string) {
  const parsed = parseLine(raw)
  if (parsed.ok) throw new Error('The line was read')
  return parsed
}

test('reads a line with everything finance staff see', () => {
  const raw = toRaw(LINE)
  expect(requireLine(raw)).toEqual({
    id: 'line-1',
    idWasMissing: false,
    invoiceSerialNumber: 'INV-01-100041',
    profileId: 'p-1',
    profileName: 'Nordlicht GmbH',
    invoiceMode: 'reseller',
    invoiceStatus: 'paid',
    issuingDate: '2026-03-04',
    dueDate: '2026-04-03',
    currency: 'EUR',
    expenseDate: '2026-03-04',
    description: 'FLIGHT for Trip ID 10223',
    quantity: '2',
    unitPrice: '120.50000000',
    nonTaxableUnitPrice: '14.00000000',
    taxPercentage: '19.00',
    taxAmount: '45.79',
    totalAmount: '314.79',
    taxRegime: 'G-VAT-R',
    tripId: '10223',
    tripName: 'Meeting in Lisbon',
    service: 'flight',
    relatedVertical: 'flight',
    costCenter: 'DACH Sales',
    startDate: '2026-03-04',
    endDate: '2026-03-06',
    creditCardLast4: '1111',
    labels: ['Q1', 'Sales'],
    outOfPolicy: false,
    vendorCode: 'LH',
    vendorName: 'Lufthansa',
    travelerNames: ['J. Doe', 'M. Lint'],
    bookerName: 'J. Doe',
    includeBreakfast: null,
    country: null,
    customFields: ['Project: Atlas'],
    unreadablePaths: [],
    raw,
    contentHash: hashText(raw),
    textHash: hashText(raw),
  })
})

test.each<[what: string, location: unknown, country: string | null]>([
  ['a journey is where it ends', { origin: { country_code: 'DE' }, destination: { country_code: 'pt' } }, 'PT'],
  ['a hotel is where it stands', { hotel_location: { country_code: 'JP', city: 'Tokyo' } }, 'JP'],
  ['a car is where it is picked up', { pick_up_location: { country_code: 'FR' } }, 'FR'],
  ['of a journey that says only where it begins, there', { origin: { country_code: 'DE' }, destination: {} }, 'DE'],
  ['a name is no code', { hotel_location: { country: 'Japan', country_code: '=JP()' } }, null],
  ['nothing says so', null, null],
  ['an odd shape', ['DE'], null],
])('reads the country of a service: %s', (_, location, country) => {
  const line = requireLine(withMetadata({ service_location: location }))
  expect([line.country, line.unreadablePaths]).toEqual([country, []])
})

test('reads the customer’s own fields, and leaves out what has no name or no value of its own', () => {
  const fields = [
    { name: 'Project', value: 'P-210' },
    { name: 'Units', value: 7 },
    { name: 'Empty', value: null },
    {},
    null,
    'x',
  ]
  const more = [
    { name: 'List', value: ['a'] },
    { id: 7, options: ['a'] },
  ]
  const line = requireLine(withMetadata({ custom_fields: [...fields, ...more] }))
  expect([line.customFields, line.unreadablePaths]).toEqual([['Project: P-210', 'Units: 7'], []])
})

describe('odd data as recorded', () => {
  test('F24: keeps the digits of a trip id beyond 2^53, as a number or as a text', () => {
    const raw = withMetadata({ trip_id: 'N' }).replace('"N"', '9007199254740993')
    expect(requireLine(raw).tripId).toBe('9007199254740993')
    expect(requireLine(withMetadata({ trip_id: '9007199254740993' })).tripId).toBe('9007199254740993')
    expect(requireLine(raw).raw).toBe(raw)
  })

  test('F24: keeps the written digits of decimals that come as numbers', () => {
    const raw = toRaw(LINE).replace('"120.50000000"', '20.10').replace('"45.79"', '0E-8')
    expect(requireLine(raw)).toMatchObject({ unitPrice: '20.10', taxAmount: '0.00000000', quantity: '2' })
    expect(requireLine(toRaw(LINE, { quantity: '3' })).quantity).toBe('3')
  })

  test('takes nothing for unknown, and an empty out_of_policy for neither yes nor no', () => {
    const raw = withMetadata({
      out_of_policy: '',
      cost_center: '',
      vendor: null,
      booker: null,
      travelers: [],
      end_date: null,
    })
    expect(requireLine(raw)).toMatchObject({
      outOfPolicy: null,
      costCenter: null,
      vendorCode: null,
      vendorName: null,
      bookerName: null,
      travelerNames: [],
      endDate: null,
      unreadablePaths: [],
    })
    expect(requireLine(withMetadata({ vendor: { code: null, name: 'Hotel' } }))).toMatchObject({
      vendorCode: null,
      vendorName: 'Hotel',
    })
  })

  test('reads old payloads without metadata, labels, regime or description', () => {
    const raw = toRaw(LINE, {
      metadata: undefined,
      tax_regime: undefined,
      description: undefined,
      profile_id: undefined,
    })
    expect(requireLine(raw)).toMatchObject({
      tripId: null,
      labels: [],
      taxRegime: null,
      description: '',
      unreadablePaths: [],
    })
  })

  test('keeps unknown values of open sets unchanged', () => {
    const raw = toRaw(LINE, { invoice_mode: 'Mixed', invoice_status: 'on-hold', tax_regime: 'US-G-VAT-R-0' })
    expect(requireLine(raw)).toMatchObject({
      invoiceMode: 'Mixed',
      invoiceStatus: 'on-hold',
      taxRegime: 'US-G-VAT-R-0',
    })
    expect(requireLine(withMetadata({ service: 'pro_v2', related_vertical: 'space' }))).toMatchObject({
      service: 'pro_v2',
      relatedVertical: 'space',
    })
  })

  test('reads what it can of a changed shape and names the rest', () => {
    const raw = withMetadata({
      cost_center: { id: 7 },
      labels: ['a', {}, 5],
      end_date: '2026-02-30',
      vendor: 'LH',
      out_of_policy: 'yes',
    })
    expect(requireLine(raw)).toMatchObject({
      costCenter: null,
      labels: ['a', '5'],
      endDate: null,
      vendorName: null,
      outOfPolicy: null,
    })
    expect(requireLine(raw).unreadablePaths.sort()).toEqual(
      [
        'metadata.cost_center',
        'metadata.end_date',
        'metadata.labels',
        'metadata.out_of_policy',
        'metadata.vendor',
      ].sort(),
    )
    expect(requireLine(toRaw(LINE, { metadata: [] })).unreadablePaths).toEqual(['metadata'])
  })

  test('writes a currency in capitals', () => {
    expect(requireLine(toRaw(LINE, { currency: 'eur' })).currency).toBe('EUR')
  })
})

describe('a line without an id', () => {
  const withoutId = (change: object = {}) => toRaw(LINE, { id: undefined, ...change })

  test('gets the same id each time it is read, also when its invoice is paid or its trip relabeled', () => {
    const line = requireLine(withoutId())
    expect(line).toMatchObject({ id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), idWasMissing: true })
    const relabeled = { ...LINE.metadata, labels: [], cost_center: 'HR' }
    expect(requireLine(withoutId({ invoice_status: 'unpaid', due_date: null, metadata: relabeled })).id).toBe(line.id)
    expect(requireLine(withoutId({ invoice_status: 'unpaid' })).contentHash).not.toBe(line.contentHash)
  })

  test('gets another id when a figure, the trip or the invoice differs', () => {
    const ids = [{}, { total_amount: '314.80' }, { invoice_serial_number: 'INV-01-2' }, { metadata: { trip_id: '1' } }]
    expect(new Set(ids.map((change) => requireLine(withoutId(change)).id)).size).toBe(4)
  })
})

describe('F23: rejects a record alone, with a reason, an id and its raw text', () => {
  test.each([
    [
      'a day that does not exist',
      { expense_date: '2026-02-30' },
      'expense_date',
      'expense_date is not a day of the form YYYY-MM-DD: "2026-02-30"',
    ],
    ['a decimal comma', { unit_price: '12,30' }, 'unit_price', 'unit_price is not a decimal number: "12,30"'],
    ['NaN', { total_amount: 'NaN' }, 'total_amount', 'total_amount is not a decimal number: "NaN"'],
    [
      '400 digits',
      { tax_amount: '1'.repeat(400) },
      'tax_amount',
      `tax_amount is not a decimal number: "${'1'.repeat(60)}…"`,
    ],
    ['a missing total', { total_amount: undefined }, 'total_amount', 'total_amount is missing'],
    ['an amount that is null', { unit_price: null }, 'unit_price', 'unit_price is null'],
    ['an amount that is an object', { unit_price: {} }, 'unit_price', 'unit_price is not a decimal number: an object'],
    ['no currency', { currency: '' }, 'currency', 'currency is empty'],
    [
      'a currency in words',
      { currency: 'Euro' },
      'currency',
      'currency is not a currency code of three letters: "Euro"',
    ],
    [
      'NUL in a text',
      { description: 'a\u0000b' },
      'description',
      'description holds a character that cannot be stored',
    ],
    [
      'a lone surrogate',
      { profile_name: '\ud800' },
      'profile_name',
      'profile_name holds a character that cannot be stored',
    ],
    ['an endless key', { profile_id: 'x'.repeat(501) }, 'profile_id', 'profile_id is longer than 500 characters'],
    [
      'more keys than an entry of an index takes',
      { profile_id: '旅'.repeat(400), tax_regime: '費'.repeat(420) },
      'tax_regime',
      'tax_regime is too long: the keys of the line have more than 2000 bytes together',
    ],
  ])('%s', (_name, change, path, reason) => {
    const raw = toRaw(LINE, change)
    expect(requireRejection(raw)).toEqual({ ok: false, recordId: 'line-1', path, reason, raw })
  })

  test.each([
    ['null', null, 'id is null'],
    ['a list', [], 'id is not an id of at most 255 characters: a list'],
    ['a truth value', true, 'id is not an id of at most 255 characters: true'],
    ['empty', '', 'id is empty'],
  ])('an id that is %s', (_name, id, reason) => {
    expect(requireRejection(toRaw(LINE, { id }))).toMatchObject({ path: 'id', reason })
  })

  test('a backslash before u0000 is only a backslash', () => {
    expect(requireLine(toRaw(LINE, { description: 'a\\u0000b' })).description).toBe('a\\u0000b')
    expect(requireLine(toRaw(LINE, { description: '✈️ Zürich' })).description).toBe('✈️ Zürich')
  })

  test('every part of a rejection can be stored', () => {
    const rejection = requireRejection(`{"id":"\u0000","x":"\ud800"`)
    expect(rejection.raw).toBe('{"id":"\\u0000","x":"\\ud800"')
    expect(requireRejection(toRaw(LINE, { id: 'a\u0000' })).recordId).toBe('a\\u0000')
    expect(requireRejection(toRaw(LINE, { '\u0000': 1 })).path).toBe('\\u0000')
  })
})

describe('parsing never throws and never loses a digit', () => {
  const isOutcome = (raw: string) => {
    const parsed = parseLine(raw)
    expect(parsed.ok ? parsed.line.raw : parsed.raw.length >= raw.length).toBe(parsed.ok ? raw : true)
  }

  test('on any JSON, any text and any bytes', () => {
    fc.assert(fc.property(fc.json(), isOutcome))
    fc.assert(fc.property(fc.string({ unit: 'binary' }), isOutcome))
    fc.assert(fc.property(fc.uint8Array(), (bytes) => isOutcome(Buffer.from(bytes).toString('latin1'))))
  })

  test('on a line with any member, and any member of its metadata, replaced by anything', () => {
    const keys = fc.constantFrom(...Object.keys(LINE), '__proto__', 'constructor')
    const metadataKeys = fc.constantFrom(...Object.keys(LINE.metadata), '__proto__', 'toString')
    fc.assert(
      fc.property(keys, metadataKeys, fc.json(), fc.json(), (key, metadataKey, value, metadataValue) => {
        isOutcome(toRaw(LINE, Object.fromEntries([[key, JSON.parse(value)]])))
        isOutcome(withMetadata(Object.fromEntries([[metadataKey, JSON.parse(metadataValue)]])))
      }),
      { numRuns: 2000 },
    )
  })

  test('on a line cut, or with characters inserted, anywhere', () => {
    const raw = toRaw(LINE)
    fc.assert(
      fc.property(
        fc.nat({ max: raw.length }),
        fc.nat({ max: 8 }),
        fc.string({ unit: 'binary', maxLength: 4 }),
        (at, removed, added) => isOutcome(raw.slice(0, at) + added + raw.slice(at + removed)),
      ),
      { numRuns: 2000 },
    )
  })

  test('every digit of a figure arrives, as a text or as a number', () => {
    const figure = fc.tuple(fc.stringMatching(/^-?[1-9]\d{0,29}$/), fc.stringMatching(/^(\.\d{1,29})?$/))
    fc.assert(
      fc.property(figure, fc.boolean(), ([integer, fraction], isNumber) => {
        const digits = integer + fraction
        const raw = toRaw(LINE, { total_amount: 'F', id: 'F' }).replaceAll('"F"', isNumber ? digits : `"${digits}"`)
        expect(requireLine(raw)).toMatchObject({ totalAmount: digits, id: digits })
      }),
    )
  })
})
