import type { Account } from './data/account.ts'

/**
 * Pages as bytes, rendered once: a benchmark measures the product, not how its stand-in writes
 * JSON.
 */
export type KeptPages = {
  isKeeping: boolean
  /** The page for a query on the account's current state, rendered unless kept. */
  read: (account: Account, query: string, render: () => string | Buffer) => Buffer
}

/** Keeps pages up to `maxBytes`; 0 keeps none. A change to the account renders its pages anew. */
export function keepPages(maxBytes: number): KeptPages {
  const pages = new Map<string, Buffer>()
  let bytes = 0
  return {
    isKeeping: maxBytes > 0,
    read: (account, query, render) => {
      const key = `${account.id} ${account.revision} ${query}`
      const kept = pages.get(key)
      if (kept !== undefined) return kept
      const rendered = render()
      const page = typeof rendered === 'string' ? Buffer.from(rendered) : rendered
      if (bytes + page.length <= maxBytes) {
        bytes += page.length
        pages.set(key, page)
      }
      return page
    },
  }
}
