import type { Page } from '@playwright/test'
import { parseCsvStrictly } from '#lib/export/test-support/test-parse-csv.ts'

export type CsvRow = Record<string, string>

/** Clicks "Download CSV" and returns the file's rows by column name. */
export async function downloadCsv(page: Page): Promise<CsvRow[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const [header = [], ...rows] = parseCsvStrictly(Buffer.concat(chunks).toString('utf8'))
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
}

/**
 * Sums plain decimals exactly, as a whole number of 10^-12; independent of the app's arithmetic.
 */
export function toUnits(text: string): bigint {
  const plain = text.replaceAll(',', '').replace('\u2212', '-')
  const match = /^(-?)(\d+)(?:\.(\d{1,12}))?$/.exec(plain)
  if (!match) throw new Error(`not a plain decimal: ${text}`)
  const units = BigInt(`${match[2]}${(match[3] ?? '').padEnd(12, '0')}`)
  return match[1] === '-' ? -units : units
}

/** The sum of a column per currency, in units of 10^-12. */
export function sumByCurrency(rows: CsvRow[], column: string): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  for (const row of rows)
    sums[row.currency as string] = (sums[row.currency as string] ?? 0n) + toUnits(row[column] as string)
  return sums
}
