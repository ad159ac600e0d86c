import { currentFormats, NUMBER_FORMATS } from '#lib/reconcile/formats.ts'

/** Between digits: marks that group them, which spreadsheets of some languages do not take. */
const GROUP_MARKS = /(?<=\d)[\u202f\u2019](?=\d)/g

/**
 * A text of the screen as it is copied, for a spreadsheet that writes figures as its reader does: a
 * real minus sign becomes the hyphen that it reads, narrow blanks and apostrophes within a figure
 * go. A cell or line that is a figure alone loses its groups, whatever their mark: a spreadsheet of
 * Portugal takes no point for one.
 */
export function toCopied(text: string): string {
  const { group, decimal } = NUMBER_FORMATS[currentFormats().number]
  const [g, d] = [`\\${group}`, `\\${decimal}`]
  const grouped = `\\d{1,3}(?:${g}\\d{3})+|\\d{1,2}(?:${g}\\d{2})*${g}\\d{3}`
  const figure = new RegExp(`^[-+]?(?:${grouped})(?:${d}\\d+)?(?:\\s[A-Z]{3})?$`)
  return text
    .replaceAll('\u2212', '-')
    .split(/([\t\n])/)
    .map((cell) => (figure.test(cell.trim()) ? cell.replaceAll(group, '') : cell.replace(GROUP_MARKS, '')))
    .join('')
}
