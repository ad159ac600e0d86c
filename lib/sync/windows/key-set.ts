/**
 * A set of 64-bit keys in two flat arrays: a million keys take about 16 MB, and the garbage
 * collector has nothing to walk.
 */
export type KeySet = {
  /** True if the key was not in the set yet. `key` is a signed 64-bit number. */
  add: (key: bigint) => boolean
  has: (key: bigint) => boolean
  size: () => number
}

const FIRST_CAPACITY = 1024

/** An empty set; it doubles when half full. */
export function createKeySet(): KeySet {
  // a slot is empty while both halves are zero, so the key zero is kept apart
  let high = new Int32Array(FIRST_CAPACITY)
  let low = new Int32Array(FIRST_CAPACITY)
  let used = 0
  let hasZero = false

  function slotOf(keyHigh: number, keyLow: number): number {
    const mask = high.length - 1
    let slot = (keyLow ^ Math.imul(keyHigh, 0x9e3779b1)) & mask
    while ((high[slot] !== 0 || low[slot] !== 0) && (high[slot] !== keyHigh || low[slot] !== keyLow))
      slot = (slot + 1) & mask
    return slot
  }

  function grow(): void {
    const [oldHigh, oldLow] = [high, low]
    high = new Int32Array(oldHigh.length * 2)
    low = new Int32Array(oldLow.length * 2)
    for (let index = 0; index < oldHigh.length; index++) {
      const keyHigh = oldHigh[index] as number
      const keyLow = oldLow[index] as number
      if (keyHigh !== 0 || keyLow !== 0) put(slotOf(keyHigh, keyLow), keyHigh, keyLow)
    }
  }

  function put(slot: number, keyHigh: number, keyLow: number): void {
    high[slot] = keyHigh
    low[slot] = keyLow
  }

  function split(key: bigint): [keyHigh: number, keyLow: number] {
    return [Number(key >> 32n), Number(BigInt.asIntN(32, key))]
  }

  return {
    add: (key) => {
      const [keyHigh, keyLow] = split(key)
      if (keyHigh === 0 && keyLow === 0) {
        const isNew = !hasZero
        hasZero = true
        return isNew
      }
      const slot = slotOf(keyHigh, keyLow)
      if (high[slot] !== 0 || low[slot] !== 0) return false
      put(slot, keyHigh, keyLow)
      used += 1
      if (used * 2 > high.length) grow()
      return true
    },
    has: (key) => {
      const [keyHigh, keyLow] = split(key)
      if (keyHigh === 0 && keyLow === 0) return hasZero
      const slot = slotOf(keyHigh, keyLow)
      return high[slot] !== 0 || low[slot] !== 0
    },
    size: () => used + (hasZero ? 1 : 0),
  }
}
