import { hashText } from '#lib/hash-text.ts'

/**
 * The key of a record in the page ledger: the first 64 bits of the SHA-256, as PostgreSQL's bigint
 * has them.
 */
export function toRecordKey(id: string): bigint {
  return toKey(`id:${id}`)
}

/** The key of a record that cannot be read: after its text. */
export function toRejectedKey(raw: string): bigint {
  return toKey(`raw:${raw}`)
}

function toKey(text: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hashText(text).slice(0, 16)}`))
}
