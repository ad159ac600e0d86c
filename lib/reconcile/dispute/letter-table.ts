// Runs in the browser. The lines of a letter as a table to attach.

import type { Letter } from './letter.ts'
import { decimalSignOf, type LetterLanguage } from './letter-format.ts'
import { toHarmlessLine } from './plain-text.ts'

/** The names of the columns, in their order. */
const COLUMNS: Record<LetterLanguage, readonly string[]> = {
  en: [
    'Invoice',
    'Line',
    'Description',
    'Quantity',
    'Unit price',
    'Non-taxable unit price',
    'Tax rate',
    'Tax',
    'Expected tax',
    'Total',
    'Expected total',
    'Credit expected',
    'Currency',
    'Our reference',
  ],
  de: [
    'Rechnung',
    'Position',
    'Beschreibung',
    'Menge',
    'Einzelpreis',
    'Nicht steuerbarer Einzelpreis',
    'Steuersatz',
    'Steuer',
    'Erwartete Steuer',
    'Gesamtbetrag',
    'Erwarteter Gesamtbetrag',
    'Erwartete Gutschrift',
    'Währung',
    'Unser Zeichen',
  ],
  fr: [
    'Facture',
    'Ligne',
    'Description',
    'Quantité',
    'Prix unitaire',
    'Prix unitaire non taxable',
    'Taux de taxe',
    'Taxe',
    'Taxe attendue',
    'Total',
    'Total attendu',
    'Avoir attendu',
    'Devise',
    'Notre référence',
  ],
  es: [
    'Factura',
    'Línea',
    'Descripción',
    'Cantidad',
    'Precio unitario',
    'Precio unitario no sujeto',
    'Tipo impositivo',
    'Impuesto',
    'Impuesto esperado',
    'Total',
    'Total esperado',
    'Abono esperado',
    'Moneda',
    'Nuestra referencia',
  ],
}

/** Where a spreadsheet would start a formula (lib/export/csv.ts has the same for files). */
const FORMULA_START = /^[\s\p{Cc}\p{Cf}]*[=+@\uff1d\uff0b\uff0d\uff20-]/u

/**
 * The lines of a letter as rows of cells, names of columns first: for a file of values separated by
 * commas, whose writer quotes them. Figures have every digit, no groups and the decimal sign of the
 * language, so a spreadsheet of that country reads numbers; a text that would start a formula
 * begins with an apostrophe.
 */
export function toLetterTable(letter: Letter, language: LetterLanguage): string[][] {
  const text = (value: string) => guard(toHarmlessLine(value))
  const figure = (value: string) => value.replace('.', decimalSignOf(language))
  const rows = letter.lines.map((line) => [
    text(letter.invoice.serialNumber),
    line.number === null ? '' : String(line.number),
    text(line.description),
    ...[line.quantity, line.unitPrice, line.nonTaxableUnitPrice, line.taxPercentage].map(figure),
    ...[line.taxAmount, line.expectedTax, line.totalAmount, line.expectedTotal, line.expectedBack].map(figure),
    text(letter.currency),
    text(letter.reference),
  ])
  return [[...COLUMNS[language]], ...rows]
}

/** The table as a spreadsheet takes it from the clipboard; no cell has a tab or a line end. */
export function toLetterTabText(letter: Letter, language: LetterLanguage): string {
  return toLetterTable(letter, language)
    .map((cells) => `${cells.join('\t')}\n`)
    .join('')
}

function guard(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text
}
