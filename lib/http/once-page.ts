import { PRIVATE_HEADERS } from './replies.ts'

/**
 * A secret, shown once, to a browser without scripts: the page is the answer to the form, so the
 * secret is in no address and no store. It loads nothing. Texts are ours, the secret has only
 * letters, digits and `_`.
 */
export function toOncePage({
  title,
  text,
  secret,
  back,
}: Record<'title' | 'text' | 'secret' | 'back', string>): Response {
  if (!/^\w+$/.test(secret)) throw new Error('This secret is not shown as HTML.')
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1><p>${text}</p><p><code>${secret}</code></p><p><a href="${back}">Back to Settings</a></p></body></html>`
  return new Response(page, {
    headers: {
      ...PRIVATE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  })
}
