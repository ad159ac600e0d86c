import { publicReadRoute } from '#lib/auth/api-route.ts'
import { finishConnect } from '#lib/auth/connect-callback.ts'
import { CALLBACK_PATH } from '#lib/http/cookies.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'

/**
 * next-auth's mount, with the one door that the outside needs: the platform's callback. Signing in
 * and out and starting to connect have routes of their own, which call next-auth as a function; its
 * pages are ours.
 */
export const GET = publicReadRoute(
  { because: 'the platform sends the browser back here; session, intent and state are checked by finishConnect' },
  async ({ request, now }) => {
    const { pathname } = new URL(request.url)
    // HEAD comes here too, and must not use up a code
    if (pathname === CALLBACK_PATH && request.method === 'GET') return finishConnect(request, now)
    if (/^\/api\/auth\/(signin|signout|error)$/.test(pathname)) return redirectTo('/sign-in')
    return errorReply(404, 'not-found', 'There is nothing here.')
  },
)
