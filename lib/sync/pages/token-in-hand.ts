import type { AccessToken } from '#lib/connections/tokens/access-token.ts'

/** How long to reuse a token: unsealing it for every page would cost more than the page. */
const TRUST_TOKEN_MS = 2000

/** The access token for a run's pages, several of which are asked for at a time. */
export type TokenInHand = {
  /** The token for the next call. */
  take: () => Promise<AccessToken>
  /** A call returned a page: the token works. */
  prove: () => void
  /**
   * A call was refused with 401. Renews the token of the last call, unless it came from such a
   * renewal and has not returned a page since. A platform that refuses every token is asked for one
   * new one, however many calls it refuses (F28).
   */
  renew: () => Promise<void>
  settled: () => Promise<unknown>
}

/** `get` returns the connection's token, renewed if its generation is the refused one. */
export function holdToken(get: (refusedGeneration?: number) => Promise<AccessToken>): TokenInHand {
  // generation of the last call's token: a 401 renews that one, not a newer one
  let generation: number | undefined
  let unproven: number | undefined
  let inHand: Promise<unknown> = Promise.resolve()
  let trusted: { token: Promise<AccessToken>; until: number } | null = null
  function ask(refusedGeneration?: number): Promise<AccessToken> {
    const token = get(refusedGeneration)
    const mine = { token, until: performance.now() + TRUST_TOKEN_MS }
    trusted = mine
    inHand = token.catch(() => {
      if (trusted === mine) trusted = null
    })
    return token
  }
  return {
    take: async () => {
      const token = await (trusted !== null && performance.now() < trusted.until ? trusted.token : ask())
      generation = token.generation
      return token
    },
    prove: () => {
      unproven = undefined
    },
    renew: async () => {
      if (generation === undefined || generation === unproven) return
      unproven = (await ask(generation)).generation
    },
    settled: () => inHand,
  }
}
