import type { KnownPage } from '#lib/ledger/kept/known-pages/known-pages.ts'
import type { ListPage } from '#lib/partner/wire/data-client.ts'

type Read = { offset: number; total: number | null; bodyHash: string; count: number }

/** A page as received, with the texts of its records. */
export type OpenedPage = Read & { known: null; records: readonly string[] }
/** A page the ledger already holds, byte for byte. */
export type FamiliarPage = Read & { known: KnownPage; records: null }
export type Page = OpenedPage | FamiliarPage

/** `page` null: the answer was the known page, byte for byte. */
export function toPage(offset: number, page: ListPage | null, known: KnownPage | null): Page {
  if (page !== null) {
    const { total, bodyHash, records } = page
    return { offset, total, bodyHash, count: records.length, known: null, records }
  }
  if (known === null) throw new Error('A page that was not opened has to be a known one.')
  const { total, bodyHash, keys } = known
  return { offset, total, bodyHash, count: keys.length, known, records: null }
}

export function isSamePage(page: Page, other: Page | null): boolean {
  if (other === null) return false
  if (page.bodyHash === other.bodyHash) return true
  const { records } = page
  if (records === null || other.records === null || records.length !== other.records.length) return false
  return records.every((record, index) => record === other.records[index])
}
