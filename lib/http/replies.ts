/** Our answers are not for shared caches, nor for the browser's next user (reliability A22). */
export const PRIVATE_HEADERS = { 'cache-control': 'private, no-store', 'referrer-policy': 'same-origin' }

/** 303 to a path on our own origin: the browser follows with GET, whatever it sent before. */
export function redirectTo(path: string, setCookies: string[] = []): Response {
  const headers = new Headers({ ...PRIVATE_HEADERS, location: path })
  for (const cookie of setCookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/**
 * Sends the browser to another site after a form with a page that moves on by itself, not a
 * redirect. Some browsers (Chromium) hold every redirect after a form against our `form-action`,
 * even the other site's own, to origins we cannot know: the click would silently do nothing.
 * `address` comes from us or next-auth, and must be http or https.
 */
export function leaveTo(address: string, setCookies: string[] = []): Response {
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol)) throw new Error(`No browser is led to ${url.protocol}`)
  const headers = new Headers({
    ...PRIVATE_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    refresh: `0; url=${address}`,
  })
  for (const cookie of setCookies) headers.append('set-cookie', cookie)
  const href = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const page = `<!DOCTYPE html><html lang="en"><title>Tieout</title><p><a href="${href}">Continue on ${url.host}</a></p></html>`
  return new Response(page, { headers })
}

/** JSON for the session's user only. */
export function jsonReply(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: PRIVATE_HEADERS })
}

/**
 * `{error: {code, text}}`: the code for programs, the text for people. Closes the connection when
 * the rest of the request is not awaited (RFC 9110, 15.5.9 and 15.5.14).
 */
export function errorReply(status: number, code: string, text: string, reference?: string): Response {
  const reply = jsonReply({ error: { code, text, ...(reference === undefined ? {} : { reference }) } }, status)
  if (status === 408 || status === 413) reply.headers.set('connection', 'close')
  return reply
}
