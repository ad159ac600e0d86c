/** A map that forgets, for what a process may remember and can do without. */

export type BoundedMap<Value> = {
  get: (key: string) => Value | undefined
  set: (key: string, value: Value) => void
  size: () => number
}

/** A map of at most `size` entries: what was set longest ago is forgotten first. */
export function createBoundedMap<Value>(size: number): BoundedMap<Value> {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries.keys()
      if (entries.size > size && oldest !== undefined) entries.delete(oldest)
    },
    size: () => entries.size,
  }
}
