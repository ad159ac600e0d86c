import { expect, it } from 'vitest'
import { type Account, createAccounts, groundTruthOf } from './account.ts'
import { PLANTED_FAULTS } from './planted-faults.ts'
import { toWireInvoice, toWireLine } from './wire/invoice-wire.ts'
import { isJsonObject, type JsonObject, scalarText, toJson } from './wire/json.ts'

const accounts = createAccounts('hostile', 20_260)
const nordlicht = accounts[0] as Account

function allLines(list: readonly Account[]): { account: Account; currency: string; wire: JsonObject }[] {
  return list.flatMap((account) =>
    account.story.flatMap((invoice) =>
      invoice.lines.map(({ wire }) => ({
        account,
        currency: String(invoice.header.currency),
        wire: toWireLine(invoice, wire),
      })),
    ),
  )
}

// A second proof, deliberately unlike the first: counts everything in units of 10^-24.
const PLACES = 24
function scaled(text: string): bigint | null {
  const match = /^(-?)(\d+)\.?(\d*)(?:E([+-]\d+|\d+))?$/.exec(text)
  if (!match) return null
  const shift = PLACES - (match[3] ?? '').length + Number(match[4] ?? '0')
  return BigInt(`${match[1]}${match[2]}${match[3]}`) * 10n ** BigInt(shift)
}

function nearest(value: bigint, digits: number): bigint {
  const step = 10n ** BigInt(PLACES - digits)
  const half = value < 0n ? -step / 2n : step / 2n
  return ((value + half) / step) * step
}

function secondProof(wire: JsonObject, currency: string): string[] {
  const read = (field: string) => scaled(scalarText(wire[field]) ?? '') ?? 0n
  const digits = { JPY: 0, KWD: 3 }[currency] ?? 2
  const quantity = BigInt(String(wire.quantity))
  const stated = scalarText(wire.total_amount) ?? ''
  const places = Math.max(digits, /E/.test(stated) ? digits : (stated.split('.')[1] ?? '').length)
  const total = nearest(quantity * (read('unit_price') + read('non_taxable_unit_price')) + read('tax_amount'), places)
  const tax = nearest((read('tax_percentage') * quantity * read('unit_price')) / 10n ** BigInt(PLACES) / 100n, digits)
  return [...(total === read('total_amount') ? [] : ['total']), ...(tax === read('tax_amount') ? [] : ['tax'])]
}

it('is the same for the same seed and different for another', () => {
  const write = (seed: number) =>
    createAccounts('hostile', seed).map((account) => account.story.map((invoice) => toJson(toWireInvoice(invoice, 0))))
  expect(write(1)).toEqual(write(1))
  expect(write(1)).not.toEqual(write(2))
})

it('has about sixty invoices of several hundred lines, and a smaller second account', () => {
  const [first, second] = accounts.map((account) => account.story)
  expect(first?.length).toBe(61)
  expect(second?.length).toBe(12)
  expect(allLines([nordlicht]).length).toBeGreaterThan(400)
})

it.each([20_260, 1, 2, 3, 4, 5])(
  'plants exactly the listed faults, and every other readable line is right (seed %i)',
  (seed) => {
    const list = createAccounts('hostile', seed)
    const truth = list.flatMap((account) => groundTruthOf(account).findings)
    const rejected = list.flatMap((account) => groundTruthOf(account).rejected)
    const expected = new Map(truth.map((finding) => [finding.lineId, finding.codes]))
    const unreadable = new Set(rejected.map((row) => row.lineId))
    for (const { wire, currency } of allLines(list)) {
      const id = scalarText(wire.id)
      if (!unreadable.has(id)) expect([id, secondProof(wire, currency)]).toEqual([id, expected.get(id) ?? []])
    }
    expect(truth).toHaveLength(PLANTED_FAULTS.length + 1)
    expect(rejected.map((row) => `${row.field} ${row.text}`).sort()).toEqual([
      'expense_date 2026-02-30',
      'unit_price 12,30',
    ])
  },
)

it('has the differences written down by hand', () => {
  const { findings } = groundTruthOf(nordlicht)
  const numeric = (text: string) => scaled(text)
  for (const fault of PLANTED_FAULTS) {
    const found = findings.find((finding) => finding.plant === fault.name)
    expect([fault.name, found?.currency, found?.codes]).toEqual([fault.name, fault.currency, fault.codes])
    expect([fault.name, numeric(found?.difference ?? '')]).toEqual([fault.name, numeric(fault.difference)])
    expect([fault.name, numeric(found?.taxDifference ?? '')]).toEqual([fault.name, numeric(fault.taxDifference)])
  }
})

it('remarks on the credit note with a positive total and the line without an id', () => {
  expect(
    groundTruthOf(nordlicht)
      .notes.map(({ code }) => code)
      .sort(),
  ).toEqual(['credit_sign', 'no_id'])
})

it('has invoice totals that equal the sum of the lines less the credit used, to the cent', () => {
  for (const invoice of nordlicht.story) {
    const wire = toWireInvoice(invoice, 0)
    const sum = invoice.lines.reduce((all, line) => all + (scaled(scalarText(line.wire.total_amount) ?? '') ?? 0n), 0n)
    const credit = scaled(scalarText(wire.credit_used_for_customer_payment) ?? '0') ?? 0n
    const digits = { JPY: 0, KWD: 3 }[String(wire.currency)] ?? 2
    expect(scaled(String(wire.total))).toBe(nearest(sum - credit, digits))
    const groups = (wire.taxes_summary as JsonObject[]).reduce(
      (all, group) => all + (scaled(String(group.total)) ?? 0n),
      0n,
    )
    expect(groups).toBe(sum)
  }
})

it('carries every oddity seen on the wire', () => {
  const lines = allLines([nordlicht]).map(({ wire }) => ({
    wire,
    metadata: isJsonObject(wire.metadata) ? wire.metadata : {},
  }))
  const some = (test: (metadata: JsonObject, wire: JsonObject) => boolean) =>
    lines.some(({ wire, metadata }) => test(metadata, wire))
  expect(some((metadata) => metadata.out_of_policy === '')).toBe(true)
  expect(some((metadata) => metadata.cost_center === '')).toBe(true)
  expect(some((metadata) => metadata.vendor === null && metadata.service === 'hotel')).toBe(true)
  expect(some((metadata) => metadata.booker === null)).toBe(true)
  expect(some((metadata) => Array.isArray(metadata.travelers) && metadata.travelers.length === 0)).toBe(true)
  expect(some((metadata) => metadata.end_date === '2030-06-30')).toBe(true)
  expect(some((metadata) => metadata.service === 'pro_v2' && metadata.related_vertical === undefined)).toBe(true)
  expect(some((metadata) => metadata.trip_id === null)).toBe(true)
  expect(some((_metadata, wire) => !('id' in wire))).toBe(true)
  expect(some((_metadata, wire) => Number(wire.quantity) < 0)).toBe(true)
  expect(some((_metadata, wire) => String(wire.unit_price).startsWith('-'))).toBe(true)
  expect(some((_metadata, wire) => scalarText(wire.description)?.includes('\r\n') === true)).toBe(true)
  expect(some((metadata) => String(metadata.trip_name).startsWith('=HYPERLINK'))).toBe(true)
})
