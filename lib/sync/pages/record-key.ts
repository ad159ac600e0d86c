import { hashText } from '#lib/hash-text.ts'

/** A record's key in the page ledger: the first 64 bits of the SHA-256, signed like a bigint. */
export function toRecordKey(id: string): bigint {
  return toKey(`id:${id}`)
}

/** The key of an unreadable record, from its text. */
export function toRejectedKey(raw: string): bigint {
  return toKey(`raw:${raw}`)
}

function toKey(text: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hashText(text).slice(0, 16)}`))
}
