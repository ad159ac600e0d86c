/** A seeded stream of choices: one seed gives the same story on every machine. */
export type Choices = {
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number
  /** One member of a list, which must not be empty. */
  pick<T>(list: readonly T[]): T
  /** True `percent` times in a hundred. */
  chance(percent: number): boolean
  /** 32 hexadecimal digits in the form of a version 4 UUID. */
  uuid(): string
}

/**
 * Mixes three whole numbers into 32 evenly spread bits (the finalizer of MurmurHash3), to compute
 * data by index.
 */
export function mix(seed: number, index: number, salt: number): number {
  let h = (seed ^ Math.imul(index | 0, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

export function createChoices(seed: number): Choices {
  let step = 0
  const next = () => mix(seed, step++, 7)
  const int = (low: number, high: number) => low + (next() % (high - low + 1))
  const hex = () => next().toString(16).padStart(8, '0')
  return {
    int,
    pick: (list) => {
      const member = list[int(0, list.length - 1)]
      if (member === undefined) throw new RangeError('cannot pick from an empty list')
      return member
    },
    chance: (percent) => int(1, 100) <= percent,
    uuid: () => {
      const all = hex() + hex() + hex() + hex()
      return `${all.slice(0, 8)}-${all.slice(8, 12)}-4${all.slice(13, 16)}-a${all.slice(17, 20)}-${all.slice(20, 32)}`
    },
  }
}
