import { createHash } from 'node:crypto'

/** The key of a record in the page ledger: the first 64 bits of the SHA-256, as PostgreSQL's bigint prints them. */
export function toRecordKey(id: string): string {
  return toKey(`id:${id}`)
}

/** The key of a record that cannot be read: after its text. */
export function toRejectedKey(raw: string): string {
  return toKey(`raw:${raw}`)
}

function toKey(text: string): string {
  return createHash('sha256').update(text).digest().readBigInt64BE(0).toString()
}
