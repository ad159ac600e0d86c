import { expect, it } from 'vitest'
import { computeTieOuts } from '../tie-outs.ts'
import { type Account, createAccounts, groundTruthOf } from './account.ts'
import { fixed, fixedText, subtractFixed } from './decimal.ts'
import { MERIDIAN_LESSONS, NORDLICHT_LESSONS, TURNED_REFUND } from './lessons.ts'
import { toWireInvoice, toWireLine } from './wire/invoice-wire.ts'
import { isJsonObject, type JsonObject, scalarText, toJson } from './wire/json.ts'

const SEEDS = [20_260, 1, 2, 3, 4, 5]
const accountsOf = (seed: number) => createAccounts('company', seed) as [Account, Account]

function linesOf(account: Account): JsonObject[] {
  return account.story.flatMap((invoice) => invoice.lines.map(({ wire }) => toWireLine(invoice, wire)))
}

const metadataOf = ({ metadata }: JsonObject) => (isJsonObject(metadata) ? metadata : {})

it('is the same for the same seed and different for another', () => {
  const write = (seed: number) =>
    accountsOf(seed).map((account) => account.story.map((invoice) => toJson(toWireInvoice(invoice, 0))))
  expect(write(1)).toEqual(write(1))
  expect(write(1)).not.toEqual(write(2))
})

it('has a year of invoices in every currency of the first account, and the current month in each', () => {
  const accounts = accountsOf(20_260)
  expect(accounts.map(({ story }) => story.length)).toEqual([66, 14])
  const issued = (currency: string) =>
    accounts
      .flatMap(({ story }) => story)
      .flatMap(({ header }) => (header.currency === currency ? String(header.issuing_date).slice(0, 7) : []))
  for (const currency of ['EUR', 'GBP', 'JPY', 'KWD']) expect(new Set(issued(currency)).size, currency).toBe(12)
  for (const currency of ['EUR', 'GBP', 'JPY', 'KWD', 'USD']) expect(issued(currency)).toContain('2026-11')
})

it.each(SEEDS)(
  'plants every lesson once, with the differences written by hand, and no other fault (seed %i)',
  (seed) => {
    const lessons = [[...NORDLICHT_LESSONS, TURNED_REFUND], MERIDIAN_LESSONS]
    accountsOf(seed).forEach((account, index) => {
      const found = groundTruthOf(account).findings.map(({ plant, currency, codes, difference, taxDifference }) => ({
        plant,
        currency,
        codes,
        differences: [difference, taxDifference].map((text) => Number(text)),
      }))
      const taught = (lessons[index] ?? []).map(({ fault: { name, currency, codes, difference, taxDifference } }) => ({
        plant: name,
        currency,
        codes,
        differences: [difference, taxDifference].map((text) => Number(text)),
      }))
      const byName = (a: { plant: string | null }, b: { plant: string | null }) =>
        String(a.plant) < String(b.plant) ? -1 : 1
      expect(found.sort(byName)).toEqual(taught.sort(byName))
    })
  },
)

it.each(SEEDS)('ties out per currency but for what is planted (seed %i)', (seed) => {
  const planted = accountsOf(seed).flatMap((account) =>
    computeTieOuts(account).map(({ currency, notImported, creditUsed, explained, unexplained }) =>
      [account.id, currency, notImported, creditUsed, explained, unexplained].join(' '),
    ),
  )
  expect(planted).toEqual([
    // a line whose price has a decimal comma; two credits; a tax of 14.8645 rounded with the total
    'nordlicht EUR 158.90 180.00 -0.0045 0.00',
    // a credit that was not taken off
    'nordlicht GBP 0.00 45.00 45.00 0.00',
    // a fee that is on no line
    'nordlicht JPY 0 0 0 5500',
    'nordlicht KWD 0.000 12.500 0.000 0.000',
    'meridian EUR 0.00 0.00 0.00 0.00',
    'meridian USD 0.00 0.00 0.00 0.00',
  ])
})

it.each(SEEDS)('bills nothing twice (seed %i)', (seed) => {
  for (const account of accountsOf(seed)) {
    const bills = linesOf(account).map((line) =>
      toJson([
        ...['description', 'expense_date', 'quantity', 'unit_price', 'total_amount'].map(
          (field) => line[field] ?? null,
        ),
        metadataOf(line).travelers ?? null,
      ]),
    )
    expect(bills.filter((bill, at) => bills.indexOf(bill) < at)).toEqual([])
  }
})

it.each(SEEDS)('gives back what it billed on the same trip before, but for one planted refund (seed %i)', (seed) => {
  const accounts = accountsOf(seed)
  const sizeOf = (line: JsonObject) => fixed(String(scalarText(line.total_amount)).replace('-', ''))
  const strays = accounts.flatMap((account) => {
    const lines = linesOf(account)
    const refunds = lines.filter((line) => String(line.description).startsWith('Refund: '))
    // negative figures are those of refunds, and each original is given back once
    expect(lines.filter((line) => String(scalarText(line.total_amount)).startsWith('-'))).toEqual(refunds)
    expect(
      new Set(refunds.map((line) => toJson([line.description ?? null, metadataOf(line).trip_id ?? null]))).size,
    ).toBe(refunds.length)
    return refunds.filter(
      (refund) =>
        !lines.some(
          (line) =>
            refund.description === `Refund: ${line.description}` &&
            metadataOf(line).trip_id === metadataOf(refund).trip_id &&
            String(line.issuing_date) < String(refund.issuing_date) &&
            !fixedText(subtractFixed(sizeOf(line), sizeOf(refund))).startsWith('-'),
        ),
    )
  })
  const notes = accounts.flatMap((account) => groundTruthOf(account).notes)
  expect(strays.map(({ description }) => description)).toEqual(['Refund: Flight HAM-OSL-HAM, economy'])
  expect(notes.map(({ code, description }) => [code, description])).toEqual([
    ['refund_without_original', 'Refund: Flight HAM-OSL-HAM, economy'],
  ])
})

it('has no text that is not a name, a place or a thing that was booked', () => {
  for (const line of accountsOf(20_260).flatMap(linesOf)) {
    const { trip_name, cost_center } = metadataOf(line)
    for (const text of [line.description, trip_name, cost_center])
      expect(String(text)).toMatch(/^[\p{L}\d][\p{L}\d .,:&'()-]+$/u)
  }
})
