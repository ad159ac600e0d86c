import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Day } from '../day.ts'
import { type ProvableLine, proveLine } from '../line-proof.ts'
import { addDecimals, type DecimalText, parseDecimal, toSize } from '../money.ts'
import { decimalText, provableLine } from '../test-support/test-lines.ts'
import { type Letter, writeLetter } from './letter.ts'
import { type LineForLetter, toLetterFigures } from './letter-figures.ts'
import { LETTER_LANGUAGES, type LetterLanguage, writeAmount, writeDay, writeNumber } from './letter-format.ts'
import { toLetterTable, toLetterTabText } from './letter-table.ts'
import { toMailLink } from './mail-link.ts'
import { countColumns } from './plain-text.ts'

const decimal = (text: string) => parseDecimal(text) as DecimalText

type LineChoices = Partial<Record<keyof ProvableLine, string>> & { number?: number | null; description?: string }

/** Line 7, a late check-out of 70.00 for which 124.60 was stated, unless it says otherwise. */
function line({ number = 7, description = 'Late check-out', ...more }: LineChoices = {}): LineForLetter {
  const figure = (name: keyof ProvableLine, otherwise: string) => decimal(more[name] ?? otherwise)
  const provable: ProvableLine = {
    quantity: figure('quantity', '1'),
    unitPrice: figure('unitPrice', '70.00'),
    nonTaxableUnitPrice: figure('nonTaxableUnitPrice', '0.00'),
    taxPercentage: figure('taxPercentage', '19.00'),
    taxAmount: figure('taxAmount', '13.30'),
    totalAmount: figure('totalAmount', '124.60'),
    currency: more.currency ?? 'EUR',
  }
  const proof = proveLine(provable)
  return {
    number,
    description,
    line: provable,
    proof,
    expectedBack: addDecimals(proof.difference, proof.taxDifference),
  }
}

function letter(lines: LineForLetter[], more: Partial<Letter> = {}): Letter {
  const figures = toLetterFigures(lines)
  if (figures === null) throw new RangeError('a letter is about lines of one currency')
  return {
    ...figures,
    invoice: { serialNumber: 'INV-01-2026-000158', issuedOn: '2026-10-21' as Day, issuer: 'Nordlicht GmbH' },
    reference: 'D-2026-0031',
    person: { name: 'Katharina Vogt', organization: 'Nordlicht Group' },
    note: null,
    ...more,
  }
}

test('an English letter has the arithmetic, what is asked, our reference and who asks', () => {
  expect(writeLetter(letter([line()]), 'en')).toEqual({
    subject: 'INV-01-2026-000158, line 7 “Late check-out”: 41.30 EUR too much',
    text: `Dear support team,

on invoice INV-01-2026-000158 of Oct 21, 2026 (Nordlicht GmbH), line 7 “Late
check-out” does not add up:

  1 × 70.00            70.00 EUR
  + tax 19% of 70.00   13.30 EUR
  expected             83.30 EUR
  stated              124.60 EUR
  difference          +41.30 EUR

Please check the line and send us a credit note of 41.30 EUR, or tell us what
the difference stands for. Our reference is D-2026-0031.

Thank you and kind regards
Katharina Vogt, Nordlicht Group`,
  })
})

test('a German letter reads as Germans write', () => {
  const large = line({ unitPrice: '12345.60', taxAmount: '2345.66', totalAmount: '15925.82' })
  expect(writeLetter(letter([large]), 'de')).toEqual({
    subject: 'INV-01-2026-000158, Position 7 „Late check-out“: 1.234,56 EUR zu viel',
    text: `Guten Tag,

in der Rechnung INV-01-2026-000158 vom 21. Oktober 2026 (Nordlicht GmbH) geht
Position 7 „Late check-out“ nicht auf:

  1 × 12.345,60                12.345,60 EUR
  + Steuer 19 % von 12.345,60   2.345,66 EUR
  erwartet                     14.691,26 EUR
  ausgewiesen                  15.925,82 EUR
  Differenz                    +1.234,56 EUR

Bitte prüfen Sie die Position und senden Sie uns eine Gutschrift über
1.234,56 EUR, oder teilen Sie uns mit, wofür die Differenz steht. Unser
Zeichen: D-2026-0031.

Vielen Dank und freundliche Grüße
Katharina Vogt, Nordlicht Group`,
  })
})

const TWO = [line(), line({ number: 9, description: 'Breakfast', totalAmount: '93.30' })]

test.each<[LetterLanguage, string, string, string]>([
  ['en', 'INV-01-2026-000158, 2 lines: 51.30 EUR too much', '2 lines do not add up:', 'the differences stand for'],
  ['de', 'INV-01-2026-000158, 2 Positionen: 51,30 EUR zu viel', 'gehen 2 Positionen', 'Differenzen stehen'],
  ['fr', 'INV-01-2026-000158, 2 lignes\u202f: 51,30 EUR en trop', 'le calcul de 2 lignes', 'les différences'],
  ['es', 'INV-01-2026-000158, 2 líneas: 51,30 EUR de más', '2 líneas no cuadran', 'las diferencias'],
])('of several lines a letter in %s says how many, their sum, and each one', (language, subject, opening, request) => {
  const written = writeLetter(letter(TWO), language)
  const text = written.text.replaceAll('\n', ' ')
  expect(written.subject).toBe(subject)
  for (const part of [opening, request, 'Late check-out', 'Breakfast']) expect(text).toContain(part)
  expect(written.text.match(/^ {2}.*10[.,]00 EUR$/gm)).toHaveLength(2)
})

test.each<[LetterLanguage, string]>([
  ['en', 'INV-01-2026-000158, line 7 “Late check-out”: 20.00 EUR refunded too little'],
  ['de', 'INV-01-2026-000158, Position 7 „Late check-out“: 20,00 EUR zu wenig erstattet'],
  ['fr', 'INV-01-2026-000158, ligne 7 «\u202fLate check-out\u202f»\u202f: 20,00 EUR non remboursés'],
  ['es', 'INV-01-2026-000158, línea 7 «Late check-out»: 20,00 EUR reembolsados de menos'],
])('of a refund a letter in %s says that it is too small', (language, subject) => {
  const refund = line({ quantity: '-1', unitPrice: '100.00', taxAmount: '-19.00', totalAmount: '-99.00' })
  expect(writeLetter(letter([refund]), language).subject).toBe(subject)
  const both = writeLetter(letter([refund, line()]), language).subject
  expect(both).not.toMatch(/too|zu |trop|más|menos|non/)
})

test('a tax that is off is shown beside its rate, and both differences together', () => {
  const { text } = writeLetter(letter([line({ taxAmount: '15.30', totalAmount: '95.30' })]), 'en')
  expect(text).toContain(`
  1 × 70.00          70.00 EUR
  + tax as stated    15.30 EUR
  expected           85.30 EUR
  stated             95.30 EUR
  difference        +10.00 EUR
  tax 19% of 70.00   13.30 EUR
  tax stated         15.30 EUR
  difference         +2.00 EUR
  together          +12.00 EUR
`)
})

test("a person's own amount and words are in the letter, and a line that adds up is not called wrong", () => {
  const right = { ...line({ totalAmount: '83.30' }), expectedBack: decimal('83.30') }
  const { text } = writeLetter(letter([right], { note: 'The guest left early.\nSee the hotel’s mail.' }), 'en')
  expect(text).toContain('we do not\nagree with line 7 “Late check-out”:')
  expect(text).toContain('  credit expected     83.30 EUR\n')
  expect(text).toContain('\n\nThe guest left early.\nSee the hotel’s mail.\n\n')
  expect(text).toContain('tell us why\nit is right.')
})

test.each(['JPY', 'KWD'])('amounts have the decimals of %s, and further digits are kept', (currency) => {
  const odd = line({ currency, unitPrice: '33.33333333', taxPercentage: '0', taxAmount: '0', totalAmount: '1234' })
  const { text } = writeLetter(letter([odd]), 'fr')
  expect(text).toContain(currency === 'JPY' ? '1\u202f234          JPY' : '1\u202f234,000      KWD')
  expect(text).toContain('1 × 33,33333333')
})

test('a description is whole in the text, cut in the subject, and without tricks in both', () => {
  const description = `Hotel\r\nBcc: x@y.z \u202eEUR 00.0\u202c ${'very long '.repeat(20)}end`
  const { subject, text } = writeLetter(letter([line({ description })]), 'en')
  expect(subject).toBe(
    'INV-01-2026-000158, line 7 “Hotel Bcc: x@y.z EUR 00.0 very long very long v…”: 41.30 EUR too much',
  )
  expect(text.replaceAll('\n', ' ')).toContain(`“Hotel Bcc: x@y.z EUR 00.0 ${'very long '.repeat(20)}end”`)
  expect(`${subject}${text.replaceAll('\n', '')}`).not.toMatch(/[\p{Cc}\u202a-\u202e]/u)
})

test('a line without number or description can be named, and an invoice without day or issuer', () => {
  const bare = letter([line({ number: null, description: '\u0000' })], {
    invoice: { serialNumber: 'X-1', issuedOn: null, issuer: null },
  })
  expect(writeLetter(bare, 'en').subject).toBe('X-1, line “–”: 41.30 EUR too much')
  expect(writeLetter(bare, 'en').text).toContain('on invoice X-1, line “–” does not add up:')
})

test('lines of two currencies are in no letter, and no lines are none', () => {
  expect(toLetterFigures([line(), line({ currency: 'GBP' })])).toBeNull()
  expect(toLetterFigures([])).toBeNull()
})

describe('of any line', () => {
  const anyLine = fc
    .record({ each: provableLine(), number: fc.option(fc.nat()), description: fc.string({ unit: 'binary' }) })
    .map(({ each, ...more }): LineForLetter => {
      const proof = proveLine(each)
      return { ...more, line: each, proof, expectedBack: toSize(addDecimals(proof.difference, proof.taxDifference)) }
    })
  const anyLetter = fc
    .tuple(fc.array(anyLine, { minLength: 1, maxLength: 3 }), fc.string({ unit: 'binary', maxLength: 200 }))
    .map(([lines, text]) => {
      const { currency } = (lines[0] as LineForLetter).line
      const same = lines.map((each) => ({ ...each, line: { ...each.line, currency } }))
      return letter(same, { note: text, person: { name: text, organization: text }, reference: text })
    })

  test('a letter has at most 78 columns, one line of subject and every digit of each figure', () => {
    fc.assert(
      fc.property(anyLetter, fc.constantFrom(...LETTER_LANGUAGES), (each, language) => {
        const { subject, text } = writeLetter(each, language)
        expect(Math.max(...text.split('\n').map(countColumns))).toBeLessThanOrEqual(78)
        expect(`${subject}${text.replaceAll('\n', '')}`).not.toMatch(/[\p{Cc}\u202a-\u202e]/u)
        const joined = text.replaceAll(/[ \n]/g, '')
        for (const { units, totalAmount, difference, expectedBack } of each.lines)
          for (const figure of [units, totalAmount, difference, expectedBack])
            expect(joined).toContain(writeAmount(toSize(figure), each.currency, language))
      }),
      { numRuns: 40 },
    )
  })

  test('a link opens the same letter, or carries the subject alone and says so', () => {
    fc.assert(
      fc.property(anyLetter, fc.constantFrom(...LETTER_LANGUAGES), (each, language) => {
        const written = writeLetter(each, language)
        const { href, carries } = toMailLink(written, 'support@example.com')
        expect(href.length).toBeLessThanOrEqual(1_900)
        const parts = new URL(href)
        expect(parts.pathname).toBe('support@example.com')
        expect(parts.searchParams.get('subject')).toBe(written.subject)
        expect(parts.searchParams.get('body')).toBe(carries === 'all' ? written.text.replaceAll('\n', '\r\n') : null)
      }),
      { numRuns: 40 },
    )
  })

  test('its table has a cell under each name, and no cell breaks a row or starts a formula', () => {
    fc.assert(
      fc.property(anyLetter, fc.constantFrom(...LETTER_LANGUAGES), (each, language) => {
        const table = toLetterTable(each, language)
        expect(new Set(table.map((cells) => cells.length))).toEqual(new Set([14]))
        expect(
          toLetterTabText(each, language)
            .split('\n')
            .map((row) => row.split('\t')),
        ).toEqual([...table, ['']])
        const texts = table.slice(1).flatMap((cells) => [cells[0], cells[2], cells[13]])
        expect(texts.filter((cell) => /^\s*[=+@-]/.test(cell ?? ''))).toEqual([])
      }),
      { numRuns: 40 },
    )
  })
})

test('a table has every digit, with the decimal sign of the language', () => {
  const [head, row] = toLetterTable(letter([line({ description: '=1+1' })]), 'de')
  expect(head?.[9]).toBe('Gesamtbetrag')
  expect(row).toEqual(
    "INV-01-2026-000158 7 '=1+1 1 70,00 0,00 19,00 13,30 13,30 124,60 83,30 41,30 EUR D-2026-0031".split(' '),
  )
})

test('a link has line ends as mails have, no open quote, and no second header', () => {
  const link = toMailLink({ subject: "50% & 'more'", text: 'a\nb' }, 'a@b.c?bcc=d@e.f')
  expect(link).toEqual({
    href: 'mailto:a@b.c%3Fbcc%3Dd@e.f?subject=50%25%20%26%20%27more%27&body=a%0D%0Ab',
    carries: 'all',
  })
  expect(toMailLink({ subject: 's', text: 'x'.repeat(1_900) })).toEqual({
    href: 'mailto:?subject=s',
    carries: 'subject',
  })
})

const LOCALES = { en: 'en-US', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' } as const

test('figures are written as the Unicode locale data has them', () => {
  fc.assert(
    fc.property(decimalText(), fc.constantFrom(...LETTER_LANGUAGES), (value, language) => {
      const format = new Intl.NumberFormat(LOCALES[language], { useGrouping: 'always', maximumFractionDigits: 20 })
      const expected = format.format(value as unknown as number).replace('-', '\u2212')
      expect(writeNumber(value, language)).toBe(/[1-9]/.test(value) ? expected : '0')
    }),
  )
})

test('days are written as the Unicode locale data has them, and the first of a month as the French do', () => {
  for (const language of LETTER_LANGUAGES)
    for (const day of ['2026-03-04', '2026-12-31', '2027-01-10', '2026-08-20', '2026-02-09'] as Day[]) {
      const dateStyle = language === 'en' ? ('medium' as const) : ('long' as const)
      const expected = new Intl.DateTimeFormat(LOCALES[language], { dateStyle, timeZone: 'UTC' }).format(
        Date.parse(day),
      )
      expect(writeDay(day, language)).toBe(expected)
    }
  expect(writeDay('2026-10-01' as Day, 'fr')).toBe('1er octobre 2026')
})
