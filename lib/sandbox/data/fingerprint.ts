import { createHash } from 'node:crypto'
import { type Account, pageOfInvoices, pageOfLines } from './account.ts'
import { toWireInvoice } from './wire/invoice-wire.ts'
import { toJson } from './wire/json.ts'

/** All of the usual size, and of generated accounts what is read in no time. */
const LOOKED_AT = 3_000

/** Tells accounts with other data apart: those of another version, size or seed. */
export function fingerprintOf(accounts: readonly Account[]): string {
  const hash = createHash('sha256')
  for (const account of accounts) {
    const invoices = pageOfInvoices(account, {}, null, 0, LOOKED_AT)
    const lines = pageOfLines(account, {}, 0, LOOKED_AT)
    hash.update(`${account.id} ${invoices.total} ${lines.total}\n`)
    for (const invoice of invoices.items) hash.update(toJson(toWireInvoice(invoice, 0)))
    for (const line of lines.items) hash.update(toJson(line))
  }
  return hash.digest('hex')
}
