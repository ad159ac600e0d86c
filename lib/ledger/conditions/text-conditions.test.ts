/** Searches of lines and invoices, beside what a plain reading of each record says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { noteInvoiceWords } from '../kept/invoice-words/note-invoice-words.ts'
import { foldText } from '../query/fold-text.ts'
import { DEFAULT_INVOICE_QUERY } from '../query/invoice-query.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { listInvoices } from '../read/list-invoices.ts'
import { listLines } from '../read/list-lines.ts'
import { toFolded } from '../sql/folded.ts'
import { makeInvoice, seedConnection, seedInvoices, seedLines, seedOrganization } from '../test-support/seed.ts'
import { createRandom, makeVariedLines } from '../test-support/seed-varied-lines.ts'

const LINES = 400
const QUESTIONS = 300

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
const random = createRandom(48)
const pick = <T>(from: readonly T[]) => from[random(from.length)] as T

const PLACES = [
  'S\u00e3o Paulo',
  'Malmo\u0308',
  'Z\u00fcrich',
  'Stra\u00dfburg',
  '\u0141\u00f3d\u017a',
  'K\u00f6ln \ud83c\udfe8',
]
const lines: ProvedLine[] = makeVariedLines(LINES, 48).map((line, at) => ({
  ...line,
  description: `${pick(['Hotel, 1 night', 'Flight', 'Z\u00fcrcher Fr\u00fchst\u00fcck'])} ${at}`,
  tripName: pick([null, ...PLACES]),
  creditCardLast4: pick([null, '4242', '0071', '9313']),
  invoiceSerialNumber: `INV-${pick(['01', '02'])}-2026-${String(random(90)).padStart(7, '0')}`,
}))

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  connectionId = await seedConnection(database.query, owner)
  await seedLines(organizationId, connectionId, lines)
})
afterAll(() => database.drop())

const find = async (text: string) => {
  const { rows } = await listLines(organizationId, { ...DEFAULT_LINE_QUERY, text, pageSize: LINES })
  return rows.map(({ id }) => id).sort()
}

/** Without marks, small, in an own way: each mark of each letter taken off. */
const toBare = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('\u00df', 'ss')
    .replaceAll('\u0142', 'l')
const textsOf = (line: ProvedLine) =>
  [
    line.description,
    line.tripName,
    line.tripId,
    line.invoiceSerialNumber,
    line.vendorName,
    line.costCenter,
    line.id,
    ...line.travelerNames,
  ].map((text) => toBare(text ?? ''))
const hasText = (line: ProvedLine, word: string) => textsOf(line).some((text) => text.includes(toBare(word)))
const amountsOf = ({ proof, ...line }: ProvedLine) =>
  [
    line.taxAmount,
    line.unitPrice,
    line.nonTaxableUnitPrice,
    proof.difference,
    proof.taxDifference,
    Number(proof.difference) + Number(proof.taxDifference),
  ].map(Number)
const isNear = (a: number, b: number) => Math.abs(Math.abs(a) - Math.abs(b)) < 1e-6

/** A word somebody may type for a line, and which lines it means, as they read it. */
type Word = { word: string; means: (line: ProvedLine) => boolean }

function toWord(line: ProvedLine): Word {
  switch (random(7)) {
    case 0: {
      const word = pick(
        textsOf(line)
          .flatMap((text) => text.split(/\s+/))
          .filter((each) => /[a-z]{4}/.test(each)),
      )
      const typed = pick([word, word.toUpperCase(), word.slice(0, 3 + random(4))])
      return { word: typed, means: (each) => says(each, typed) }
    }
    case 1: {
      const place = pick(PLACES.map((each) => each.split(' ')[0] as string))
      const typed = pick([place, place.normalize('NFD'), place.normalize('NFC'), toBare(place)])
      return { word: typed, means: (each) => hasText(each, typed) }
    }
    case 2: {
      const amount = pick([line.totalAmount, line.taxAmount, line.unitPrice, line.totalAmount])
      const typed = pick([amount, amount.replace('-', ''), amount.replace('.', ',')])
      return { word: typed, means: (each) => says(each, typed) }
    }
    case 3: {
      const from = random(80_000) / 100
      const to = from + random(4000) / 100
      const typed = `${from.toFixed(2)}${pick(['-', ' - ', '..', '\u2013'])}${to.toFixed(2)}`
      return { word: typed, means: (each) => sizeOf(each) > from - 1e-6 && sizeOf(each) < to + 1e-6 }
    }
    case 4: {
      const bound = sizeOf(line)
      const sign = pick(['>', '>=', '<', '<='])
      const isSide = (size: number) => (isNear(size, bound) ? sign.length === 2 : size > bound === sign.startsWith('>'))
      return {
        word: `${sign}${Number.isInteger(bound) ? bound : bound.toFixed(4)}`,
        means: (each) => isSide(sizeOf(each)),
      }
    }
    case 5:
      return { word: pick(['EUR', 'eur', 'JPY', 'kwd']), means: () => true }
    default: {
      const serial = line.invoiceSerialNumber.slice(0, 8 + random(10))
      const typed = pick([serial, serial.replaceAll('-', ''), serial.replaceAll('-', '').toLowerCase()])
      return pick([
        { word: typed, means: (each: ProvedLine) => joined(each).includes(typed.replaceAll('-', '').toLowerCase()) },
        { word: '4242', means: (each: ProvedLine) => says(each, '4242') },
      ])
    }
  }
}
const sizeOf = ({ totalAmount }: ProvedLine) => Math.abs(Number(totalAmount))
const joined = ({ invoiceSerialNumber }: ProvedLine) => invoiceSerialNumber.replaceAll('-', '').toLowerCase()

/** A word without blanks and signs of comparison, in every meaning that it can have. */
function says(line: ProvedLine, word: string): boolean {
  const amount = Number(word.replace(',', '.'))
  // `12.345` is twelve thousand to some
  const amounts = /^-?\d{1,3}[.,]\d{3}$/.test(word) ? [amount, amount * 1000] : [amount]
  const digits = word.toLowerCase().replaceAll('-', '')
  return (
    hasText(line, word) ||
    line.currency === word.toUpperCase() ||
    line.creditCardLast4 === word ||
    (/\d/.test(word) && /^[a-z\d]{7,}$/.test(digits) && joined(line).includes(digits)) ||
    (/^-?[\d.,]+$/.test(word) &&
      [Number(line.totalAmount), ...(amount === 0 ? [] : amountsOf(line))].some((own) =>
        amounts.some((each) => isNear(own, each)),
      ))
  )
}

test('any words in any order find the lines that have each of them, with and without notes of their invoices', async () => {
  let found = 0
  for (let nth = 0; nth < QUESTIONS; nth++) {
    if (nth === QUESTIONS / 3) expect(await noteInvoiceWords({ organizationId, connectionId })).toBeGreaterThan(50)
    const line = pick(lines)
    const words = Array.from({ length: 1 + random(3) }, () => toWord(line))
    const text = words.map(({ word }) => word).join(' ')
    // two words that together may be one amount
    if (/(?<!\d)\d{1,3} \d{3}(?!\d)/.test(text)) continue
    const expected = lines
      .filter((each) => words.every(({ word, means }) => (/^[a-z]{3}$/i.test(word) ? says(each, word) : means(each))))
      .map(({ id }) => id)
      .sort()
    found += expected.length > 0 ? 1 : 0
    expect(await find(text), text).toEqual(expected)
  }
  expect(found).toBeGreaterThan(QUESTIONS / 2)
})

test('zero finds totals of zero, and not every line whose difference or tax is zero', async () => {
  const zero = lines.filter((line) => Number(line.totalAmount) === 0 || hasText(line, '0.000')).map(({ id }) => id)
  expect(await find('0.000')).toEqual(zero.sort())
})

describe('invoices', () => {
  beforeAll(() =>
    seedInvoices(organizationId, connectionId, [
      makeInvoice({ serialNumber: 'RE-2026-0007', profileName: 'S\u00c4CHSISCHE Bahn', reference: 'Stra\u00dfe 5' }),
      makeInvoice({ serialNumber: 'RE-2026-0008', legalName: 'Bahn AG', currency: 'CHF' }),
    ]),
  )
  const serials = async (text: string) => {
    const { rows } = await listInvoices(organizationId, { ...DEFAULT_INVOICE_QUERY, text })
    return rows
      .map(({ serialNumber }) => serialNumber)
      .filter((each) => each.startsWith('RE'))
      .sort()
  }
  test.each([
    ['sachsische', ['RE-2026-0007']],
    ['STRASSE s\u00e4chs', ['RE-2026-0007']],
    ['bahn', ['RE-2026-0007', 'RE-2026-0008']],
    ['bahn chf', ['RE-2026-0008']],
    ['re20260008', ['RE-2026-0008']],
    ['"bahn ag"', ['RE-2026-0008']],
    ['"ag bahn"', []],
  ])('are found by %s', async (text, expected) => expect(await serials(text)).toEqual(expected))

  test('fold in SQL as texts of lines do', async () => {
    const letters = Array.from({ length: 0x24f }, (_, at) => String.fromCodePoint(at + 1))
    const texts = [...letters, '\u1e9e', '\ufb01', 'e\u0301', 'Malmo\u0308', '\u0130stanbul']
    const rows = await database.query<{ folded: string }>(
      `select ${toFolded('t')} as folded from unnest($1::text[]) with ordinality u (t, nth) order by nth`,
      [texts],
    )
    const differing = texts.filter((text, at) => rows[at]?.folded !== foldText(text))
    expect(differing).toEqual([])
  })
})
