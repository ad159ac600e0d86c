export type PolicyOptions = {
  /** Fresh for each reply, in base64. */
  nonce: string
  /** Next.js's development mode evaluates text, injects styles and keeps a socket. */
  isDevelopment: boolean
}

/**
 * The Content-Security-Policy of a page (reliability A12; CSP level 3). Scripts and style elements
 * run only with this reply's nonce, or when such a script has loaded them. Style attributes are
 * allowed, for computed widths and heights; they cannot run anything. Forms, and redirects after
 * them, go only to us (`leaveTo` in replies.ts).
 */
export function toContentPolicy({ nonce, isDevelopment }: PolicyOptions): string {
  const ownNonce = `'nonce-${nonce}'`
  const directives: Record<string, (string | null)[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ownNonce, "'strict-dynamic'", isDevelopment ? "'unsafe-eval'" : null],
    'style-src': ["'self'", isDevelopment ? "'unsafe-inline'" : ownNonce],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", isDevelopment ? 'ws:' : null],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'form-action': ["'self'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources.filter((source) => source !== null)].join(' '))
    .join('; ')
}
