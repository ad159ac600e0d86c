import { publicReadRoute, publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { turnOffByLink } from '#lib/digest/turn-off-link.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { redirectTo } from '#lib/http/replies.ts'

const because = 'the link of a mail says whose digest it is, and can only turn it off'

function readQuery(request: Request): { key: string; isOfPage: boolean } {
  const { searchParams } = new URL(request.url)
  return { key: searchParams.get('key') ?? '', isOfPage: searchParams.has('page') }
}

/** GET /api/digest/off?key=: changes nothing, and leads to the page that asks. */
export const GET = publicReadRoute({ because }, async ({ request }) => {
  const { key } = readQuery(request)
  return redirectTo(`/unsubscribe?${new URLSearchParams({ key })}`)
})

/**
 * POST /api/digest/off?key=: turns the digest off. A mail program posts it from anywhere and
 * follows no redirect (RFC 8058, 3.2); its body says nothing and is not read. Our own page is led
 * back.
 */
export const POST = publicWriteRoute({ because, origin: 'anyone' }, async ({ request, now }) => {
  const { key, isOfPage } = readQuery(request)
  const isOff = await turnOffByLink(key, toClientNetwork(request.headers), now)
  if (isOfPage) return redirectTo(`/unsubscribe?${isOff ? 'said=off' : 'error=gone'}`)
  const text = isOff ? 'You get no more digests by mail.\n' : 'This link turns nothing off.\n'
  return new Response(text, {
    status: isOff ? 200 : 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
})
