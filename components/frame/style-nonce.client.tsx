'use client'

// where libraries that make style elements look for a nonce (get-nonce, after webpack)
const holder = globalThis as { __webpack_nonce__?: string }
if (typeof document !== 'undefined')
  holder.__webpack_nonce__ ??= document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce

/**
 * Hands the page's nonce to the scroll lock of Radix: its style element would be refused otherwise.
 */
export function StyleNonce() {
  return null
}
