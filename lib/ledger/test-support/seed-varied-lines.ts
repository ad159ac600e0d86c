/**
 * Lines of every kind for tests, the same each time, and sums of them that share no code with the
 * product.
 */

import { hashText } from '#lib/hash-text.ts'
import { toKeptReasons } from '#lib/reconcile/reason.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { type LineState, stateOf } from '#lib/reconcile/verdict.ts'
import type { LineTotal } from '../model.ts'
import { day, decimal, makeLine } from './seed.ts'

const CURRENCIES = ['EUR', 'GBP', 'JPY', 'KWD'] as const
const DIGITS = { EUR: 2, GBP: 2, JPY: 0, KWD: 3 } as const
const VERTICALS = ['flight', 'hotel', 'train', null] as const
const COST_CENTERS = ['4100', '4200', 'Ventes; Été', null] as const

/** A small generator of numbers below `limit`; seeded, so a failing test fails again. */
export function createRandom(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/**
 * `count` lines in four currencies, including refunds, unknown keys, renamed trips, wrong totals
 * and wrong taxes.
 */
export function makeVariedLines(count: number, seed = 7): ProvedLine[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, at) => {
    const currency = CURRENCIES[random(CURRENCIES.length)] ?? 'EUR'
    const unit = 10 ** DIGITS[currency]
    const write = (minor: number) => decimal((minor / unit).toFixed(DIGITS[currency]))
    const sign = random(5) === 0 ? -1 : 1
    const quantity = 1 + random(3)
    const price = sign * random(90_000)
    const rate = [0, 7, 19][random(3)] ?? 0
    const tax = sign * Math.round((quantity * Math.abs(price) * rate) / 100)
    const wrongTotal = random(25) === 0 ? 1 : 0
    const wrongTax = random(40) === 0 ? 1 : 0
    const trip = random(9)
    const issued = random(12)
    return makeLine({
      currency,
      quantity: decimal(String(quantity)),
      unitPrice: write(price),
      nonTaxableUnitPrice: write(0),
      taxPercentage: decimal(`${rate}.00`),
      taxAmount: write(tax + wrongTax),
      totalAmount: write(quantity * price + tax + wrongTax + wrongTotal),
      expenseDate: day(`2026-0${1 + random(3)}-${String(1 + random(28)).padStart(2, '0')}`),
      issuingDate: issued === 0 ? null : day(`2026-${String(issued).padStart(2, '0')}-01`),
      invoiceSerialNumber: `INV-01-${String(random(12)).padStart(4, '0')}`,
      invoiceMode: [null, 'reseller', 'credit-reseller'][random(3)] ?? null,
      invoiceStatus: [null, 'paid', 'unpaid'][random(3)] ?? null,
      profileId: `profile-${random(2)}`,
      service: ['flight', 'extra', null][random(3)] ?? null,
      tripId: trip === 0 ? null : String(10_000 + trip),
      tripName: trip === 0 ? null : random(6) === 0 ? `Trip ${trip} renamed` : `Trip ${trip}`,
      relatedVertical: VERTICALS[random(VERTICALS.length)] ?? null,
      costCenter: COST_CENTERS[random(COST_CENTERS.length)] ?? null,
      description: `Item ${random(100)} 50%_off\\`,
      travelerNames: [['Tove Lind'], [], ['Ana Sá', 'Bo Berg']][random(3)] ?? [],
      vendorName: random(2) === 0 ? null : `Vendor ${random(20)}`,
      bookerName: [null, 'Bo Berg', 'Ana Sá'][at % 3] ?? null,
      labels: [['offsite'], [], ['offsite', 'Q1 Sales'], ['Q1 Sales', 'Q1 Sales']][at % 4] ?? [],
      outOfPolicy: [false, true, null][at % 3] ?? null,
      country: ['PT', 'DE', null][at % 3] ?? null,
      customFields:
        [['Project: P-1'], [], ['Project: P-1', 'Event: Fair'], ['Event: Fair', 'Event: Fair']][(at >> 2) % 4] ?? [],
      taxRegime: [null, 'G-VAT-R', 'G-REAV', 'G-VAT-R'][at % 4] ?? null,
    })
  })
}

const SCALE = 10

/** An exact sum in whole numbers, without trailing zeros: compares values of any scale. */
export function sumExactly(amounts: Iterable<string>): string {
  let sum = 0n
  for (const amount of amounts) {
    const [whole = '', fraction = ''] = amount.replace('-', '').split('.')
    const units = BigInt(whole + fraction.padEnd(SCALE, '0'))
    sum += amount.startsWith('-') ? -units : units
  }
  const digits = (sum < 0n ? -sum : sum).toString().padStart(SCALE + 1, '0')
  const text = `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/\.?0+$/, '')
  return sum < 0n ? `-${text}` : text
}

/** An amount as `sumExactly` writes it. */
export const toPlainValue = (amount: string) => sumExactly([amount])

/** How many lines are in which state, one by one. */
export function countStates(lines: readonly ProvedLine[]): Record<LineState, number> {
  const counts = { unexplained: 0, explained: 0, note: 0 }
  for (const { currency, proof, explanations } of lines) {
    const kept = toKeptReasons(explanations)
    const state = stateOf({
      line: {
        currency,
        difference: proof.difference,
        taxDifference: proof.taxDifference,
        findingCodes: proof.findings.map(({ code }) => code),
        explainedCodes: kept?.explained ?? null,
        reasonCodes: kept?.reasons ?? null,
      },
    })
    if (state in counts) counts[state as LineState]++
  }
  return counts
}

/** The totals of lines as an accountant would add them up by hand, amounts as in `sumExactly`. */
export function expectTotals(lines: readonly ProvedLine[]): LineTotal[] {
  return [...new Set(lines.map(({ currency }) => currency))].sort().map((currency) => {
    const own = lines.filter((line) => line.currency === currency)
    return {
      currency,
      lineCount: own.length,
      totalAmount: sumExactly(own.map((line) => line.totalAmount)) as LineTotal['totalAmount'],
      findingCount: own.reduce((count, line) => count + line.proof.findings.length, 0),
      lineStates: countStates(own),
    }
  })
}

/** Varied lines under the ids 0, 1, …; with another seed, the same lines as they changed. */
export function makeSentLines(count: number, seed: number): ProvedLine[] {
  return makeVariedLines(count, seed).map((line, at) => {
    const raw = JSON.stringify({ seed, at })
    return { ...line, id: `${at}`, raw, contentHash: raw, textHash: hashText(raw) }
  })
}
