/** Nothing that we answer is for shared caches, nor for another user of the same browser (reliability A22). */
export const PRIVATE_HEADERS = { 'cache-control': 'private, no-store', 'referrer-policy': 'same-origin' }

/** 303 to a path on our own origin: the browser follows with GET, whatever it had sent. */
export function redirectTo(path: string, setCookies: string[] = []): Response {
  const headers = new Headers({ ...PRIVATE_HEADERS, location: path })
  for (const cookie of setCookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** JSON for the session's user only. */
export function jsonReply(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: PRIVATE_HEADERS })
}

/**
 * `{error: {code, text}}`: the code for programs, the text for people. Where the rest of a request is not waited for, its
 * connection is closed (RFC 9110, 15.5.9 and 15.5.14).
 */
export function errorReply(status: number, code: string, text: string, reference?: string): Response {
  const reply = jsonReply({ error: { code, text, ...(reference === undefined ? {} : { reference }) } }, status)
  if (status === 408 || status === 413) reply.headers.set('connection', 'close')
  return reply
}
