'use client'

// where libraries that create style elements look for a nonce (get-nonce, after webpack)
const holder = globalThis as { __webpack_nonce__?: string }
if (typeof document !== 'undefined')
  holder.__webpack_nonce__ ??= document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce

/**
 * Gives the page's nonce to Radix's scroll lock; the policy would block its style element
 * otherwise.
 */
export function StyleNonce() {
  return null
}
