/**
 * What the lines of an invoice say, in a few bits (superimposed coding): each three characters in a
 * row of their texts set one bit of some thousands, each amount sets a few others. Lines that have
 * a text have all its bits; the other way round it is only likely.
 */
import type { DecimalText } from '#lib/reconcile/money.ts'

/** To be raised with every change of what sets which bit: older notes then count as none. */
export const WORD_BITS_VERSION = 2

/** A text that is shorter sets no bit. */
export const TRIGRAM_LENGTH = 3

const TRIGRAM_BITS = 4096
const AMOUNT_BITS = 2048
/** Amounts are few, and one is asked for at a time: several bits tell it from the others. */
const BITS_OF_AMOUNT = 4

/** Literals of `bit(4096)` and `bit(2048)`, as hexadecimal digits. */
export type WordBits = { trigrams: string; amounts: string }

/** All bits: may have any text and any amount. */
export const ALL_WORD_BITS: WordBits = {
  trigrams: toLiteral(new Uint8Array(TRIGRAM_BITS / 8).fill(255)),
  amounts: toLiteral(new Uint8Array(AMOUNT_BITS / 8).fill(255)),
}

/**
 * The bits of some texts and amounts together. A part of a text has none that the text does not
 * have; an amount has the same as its opposite, and with whatever zeros at its end. Both sides of a
 * search go through it: what is noted of lines, and what is typed.
 */
export function toWordBits(texts: readonly string[], amounts: readonly DecimalText[]): WordBits {
  const ofTexts = new Uint8Array(TRIGRAM_BITS / 8)
  for (const text of texts) setTrigrams(ofTexts, text)
  const ofAmounts = new Uint8Array(AMOUNT_BITS / 8)
  for (const amount of amounts) setAmount(ofAmounts, amount)
  return { trigrams: toLiteral(ofTexts), amounts: toLiteral(ofAmounts) }
}

/**
 * Characters are UTF-16 code units: what is a part of a text in code points is one in units, too.
 * Half a surrogate pair is what the database makes of it.
 */
function setTrigrams(bits: Uint8Array, text: string): void {
  const units = text.toWellFormed()
  for (let at = TRIGRAM_LENGTH - 1; at < units.length; at++) {
    let hash = OFFSET
    hash = Math.imul(hash ^ units.charCodeAt(at - 2), PRIME)
    hash = Math.imul(hash ^ units.charCodeAt(at - 1), PRIME)
    hash = Math.imul(hash ^ units.charCodeAt(at), PRIME)
    setBit(bits, fold(hash, TRIGRAM_BITS))
  }
}

function setAmount(bits: Uint8Array, amount: DecimalText): void {
  const size = amount.replace('-', '').replace(/(\.\d*?)0+$/, '$1')
  const digits = size.endsWith('.') ? size.slice(0, -1) : size
  let hash = OFFSET
  for (let nth = 0; nth < BITS_OF_AMOUNT; nth++) {
    for (let at = 0; at < digits.length; at++) hash = Math.imul(hash ^ digits.charCodeAt(at), PRIME)
    setBit(bits, fold(hash, AMOUNT_BITS))
  }
}

/** FNV-1a, of 32 bits, over code units. */
const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/** The hash's upper bits are the better ones; `count` is a power of two. */
function fold(hash: number, count: number): number {
  return (hash ^ (hash >>> 15)) & (count - 1)
}

function setBit(bits: Uint8Array, at: number): void {
  bits[at >>> 3] = (bits[at >>> 3] as number) | (0x80 >>> (at & 7))
}

function toLiteral(bits: Uint8Array): string {
  return `x${Buffer.from(bits.buffer).toString('hex')}`
}
