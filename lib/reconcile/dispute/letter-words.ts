// Runs in the browser. Every phrase of a letter in its four languages; a no-break space (U+00A0)
// keeps words in one line until the text is wrapped, and becomes a plain one then.
import type { LetterLanguage } from './letter-format.ts'

/** What the first sentence says: of one line its name, of several how many, and which invoice. */
type Opening = { invoice: string; lines: string; isOne: boolean; isWrong: boolean }

/** What a letter is made of. Texts and figures come in as they are to be read. */
export type LetterWords = {
  quote(text: string): string
  percent(rate: string): string
  /** `line 7 “Late check-out”`; `number` may be empty. */
  line(number: string, quoted: string): string
  /** Of two lines or more; no language here has a further plural. */
  lines(count: string): string
  invoice(serialNumber: string, day: string | null, issuer: string | null): string
  charged(amount: string): string
  refunded(amount: string): string
  expectedBack(amount: string): string
  greeting: string
  opening(of: Opening): string
  request(amount: string, of: { isOne: boolean; isWrong: boolean }): string
  reference(reference: string): string
  regards: string
  colon: string
  tax(rate: string, taxable: string): string
  taxAsStated: string
  taxStated: string
  expected: string
  stated: string
  difference: string
  together: string
  creditExpected: string
}

const brackets = (issuer: string | null) => (issuer === null ? '' : ` (${issuer})`)
const numbered = (name: string, number: string, quoted: string) =>
  number === '' ? `${name} ${quoted}` : `${name}\u00a0${number} ${quoted}`

export const LETTER_WORDS: Record<LetterLanguage, LetterWords> = {
  en: {
    quote: (text) => `\u201c${text}\u201d`,
    percent: (rate) => `${rate}%`,
    line: (number, quoted) => numbered('line', number, quoted),
    lines: (count) => `${count}\u00a0lines`,
    invoice: (serial, day, issuer) => `${serial}${day === null ? '' : ` of ${day}`}${brackets(issuer)}`,
    charged: (amount) => `${amount} too much`,
    refunded: (amount) => `${amount} refunded too little`,
    expectedBack: (amount) => `${amount} expected back`,
    greeting: 'Dear support team,',
    opening: ({ invoice, lines, isOne, isWrong }) =>
      isWrong
        ? `on invoice ${invoice}, ${lines} ${isOne ? 'does' : 'do'} not add up:`
        : `on invoice ${invoice}, we do not agree with ${lines}:`,
    request: (amount, { isOne, isWrong }) =>
      `Please check ${isOne ? 'the line' : 'these lines'} and send us a credit note of ${amount}, or tell us ${
        isWrong
          ? `what the ${isOne ? 'difference stands' : 'differences stand'} for`
          : `why ${isOne ? 'it is' : 'they are'} right`
      }.`,
    reference: (reference) => `Our reference is ${reference}.`,
    regards: 'Thank you and kind regards',
    colon: ':',
    tax: (rate, taxable) => `tax ${rate} of ${taxable}`,
    taxAsStated: 'tax as stated',
    taxStated: 'tax stated',
    expected: 'expected',
    stated: 'stated',
    difference: 'difference',
    together: 'together',
    creditExpected: 'credit expected',
  },
  de: {
    quote: (text) => `\u201e${text}\u201c`,
    percent: (rate) => `${rate}\u00a0%`,
    line: (number, quoted) => numbered('Position', number, quoted),
    lines: (count) => `${count}\u00a0Positionen`,
    invoice: (serial, day, issuer) => `${serial}${day === null ? '' : ` vom ${day}`}${brackets(issuer)}`,
    charged: (amount) => `${amount} zu viel`,
    refunded: (amount) => `${amount} zu wenig erstattet`,
    expectedBack: (amount) => `${amount} Erstattung erwartet`,
    greeting: 'Guten Tag,',
    opening: ({ invoice, lines, isOne, isWrong }) =>
      isWrong
        ? `in der Rechnung ${invoice} ${isOne ? 'geht' : 'gehen'} ${lines} nicht auf:`
        : `mit ${lines} der Rechnung ${invoice} sind wir nicht einverstanden:`,
    request: (amount, { isOne, isWrong }) =>
      `Bitte prüfen Sie ${isOne ? 'die Position' : 'diese Positionen'} und senden Sie uns eine Gutschrift über ${amount}, ` +
      `oder teilen Sie uns mit, ${
        isWrong
          ? `wofür die ${isOne ? 'Differenz steht' : 'Differenzen stehen'}`
          : `warum sie richtig ${isOne ? 'ist' : 'sind'}`
      }.`,
    reference: (reference) => `Unser Zeichen: ${reference}.`,
    regards: 'Vielen Dank und freundliche Grüße',
    colon: ':',
    tax: (rate, taxable) => `Steuer ${rate} von ${taxable}`,
    taxAsStated: 'Steuer wie ausgewiesen',
    taxStated: 'ausgewiesene Steuer',
    expected: 'erwartet',
    stated: 'ausgewiesen',
    difference: 'Differenz',
    together: 'zusammen',
    creditExpected: 'erwartete Gutschrift',
  },
  fr: {
    quote: (text) => `\u00ab\u202f${text}\u202f\u00bb`,
    percent: (rate) => `${rate}\u202f%`,
    line: (number, quoted) => numbered('ligne', number, quoted),
    lines: (count) => `${count}\u00a0lignes`,
    invoice: (serial, day, issuer) => `${serial}${day === null ? '' : ` du ${day}`}${brackets(issuer)}`,
    charged: (amount) => `${amount} en trop`,
    refunded: (amount) => `${amount} non remboursés`,
    expectedBack: (amount) => `${amount} à rembourser`,
    greeting: 'Madame, Monsieur,',
    opening: ({ invoice, lines, isOne, isWrong }) =>
      isWrong
        ? `Sur la facture ${invoice}, le calcul de ${isOne ? 'la ' : ''}${lines} n\u2019est pas juste\u202f:`
        : `Sur la facture ${invoice}, nous contestons ${isOne ? 'la ' : ''}${lines}\u202f:`,
    request: (amount, { isOne, isWrong }) =>
      `Merci de vérifier ${isOne ? 'cette ligne' : 'ces lignes'} et de nous envoyer un avoir de ${amount}, ` +
      `ou de nous expliquer ${
        isWrong
          ? isOne
            ? 'la différence'
            : 'les différences'
          : `pourquoi ${isOne ? 'elle est juste' : 'elles sont justes'}`
      }.`,
    reference: (reference) => `Notre référence\u202f: ${reference}.`,
    regards: 'Avec nos remerciements et nos salutations distinguées',
    colon: '\u202f:',
    tax: (rate, taxable) => `taxe ${rate} sur ${taxable}`,
    taxAsStated: 'taxe indiquée',
    taxStated: 'taxe indiquée',
    expected: 'attendu',
    stated: 'indiqué',
    difference: 'différence',
    together: 'ensemble',
    creditExpected: 'avoir attendu',
  },
  es: {
    quote: (text) => `\u00ab${text}\u00bb`,
    percent: (rate) => `${rate}\u00a0%`,
    line: (number, quoted) => numbered('línea', number, quoted),
    lines: (count) => `${count}\u00a0líneas`,
    invoice: (serial, day, issuer) => `${serial}${day === null ? '' : ` del ${day}`}${brackets(issuer)}`,
    charged: (amount) => `${amount} de más`,
    refunded: (amount) => `${amount} reembolsados de menos`,
    expectedBack: (amount) => `${amount} por devolver`,
    greeting: 'Estimado equipo:',
    opening: ({ invoice, lines, isOne, isWrong }) =>
      isWrong
        ? `En la factura ${invoice}, ${isOne ? `la ${lines} no cuadra` : `${lines} no cuadran`}:`
        : `En la factura ${invoice}, no estamos de acuerdo con ${isOne ? 'la ' : ''}${lines}:`,
    request: (amount, { isOne, isWrong }) =>
      `Les rogamos que comprueben ${isOne ? 'la línea' : 'estas líneas'} y nos envíen un abono de ${amount}, ` +
      `o que nos expliquen ${
        isWrong ? (isOne ? 'la diferencia' : 'las diferencias') : `por qué ${isOne ? 'es correcta' : 'son correctas'}`
      }.`,
    reference: (reference) => `Nuestra referencia: ${reference}.`,
    regards: 'Muchas gracias y un cordial saludo',
    colon: ':',
    tax: (rate, taxable) => `impuesto ${rate} sobre ${taxable}`,
    taxAsStated: 'impuesto indicado',
    taxStated: 'impuesto indicado',
    expected: 'esperado',
    stated: 'indicado',
    difference: 'diferencia',
    together: 'en conjunto',
    creditExpected: 'abono esperado',
  },
}
