import type { AccessToken } from '#lib/connections/tokens/access-token.ts'

/**
 * How long a token is used without asking for it again: opening its seal for every page would cost
 * more than the page.
 */
const TRUST_TOKEN_MS = 2000

/** The access token with which the pages of one run are asked for, several at a time. */
export type TokenInHand = {
  /** The token to make the next call with. */
  take: () => Promise<AccessToken>
  /** A call was answered with a page: the token works. */
  prove: () => void
  /**
   * A call was refused with 401: the token of the last call is renewed, unless it came by such a
   * renewal and has not brought a page since. A platform that refuses every token is asked for one
   * new one, whichever of the calls are refused (F28).
   */
  renew: () => Promise<void>
  /** Resolves when no token is being renewed. */
  settled: () => Promise<unknown>
}

/** `get` gives the connection's token, renewed where its generation is the one that was refused. */
export function holdToken(get: (refusedGeneration?: number) => Promise<AccessToken>): TokenInHand {
  // that of the last call: a 401 says that this one has to be renewed, and not a newer one
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
