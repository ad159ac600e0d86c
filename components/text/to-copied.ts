/** Between digits: marks that group them, which spreadsheets of some languages do not take. */
const GROUP_MARKS = /(?<=\d)[\u202f\u2019](?=\d)/g

/**
 * A text of the screen as it is copied, for a spreadsheet that writes figures as its reader does: a
 * real minus sign becomes the hyphen that it reads, narrow blanks and apostrophes within a figure
 * go. Commas and points stay: it knows which of the two begins the decimals.
 */
export function toCopied(text: string): string {
  return text.replaceAll('\u2212', '-').replace(GROUP_MARKS, '')
}
