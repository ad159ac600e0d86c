/** Texts of the platform and of people, as the document's typeface can show them. */

/**
 * What is in the typeface that comes with Typst (Libertinus Serif), by ranges that a test has it
 * set whole: a document of the archive standard may not have a sign without a shape, and some that
 * shapes combine with break off its typesetter.
 */
const NOT_SHOWN =
  /[^\x20-\x7e\xa1-\xac\xae-\u0240\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f\u0490-\u04c0\u1e00-\u1e9b\u1e9e\u1ea0-\u1ef9\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2116\u2122\u2190-\u2193\u2212\u2260]/gu

/** A box stands for each sign that cannot be shown; the attachments have the text as it came. */
export function toPrintable(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').replace(NOT_SHOWN, '\u25a1')
}

/** The same of every text in a value of plain data. */
export function toPrintableData<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? toPrintable(each) : each))
}
