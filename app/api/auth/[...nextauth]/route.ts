import { publicReadRoute } from '#lib/auth/api-route.ts'
import { finishConnect } from '#lib/auth/connect-callback.ts'
import { CALLBACK_PATH } from '#lib/http/cookies.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'

/**
 * next-auth's mount, with one open door: the platform's callback. Signing in, signing out and
 * connecting have their own routes, which call next-auth as a function; its pages are ours.
 */
export const GET = publicReadRoute(
  { because: 'the platform sends the browser back here; session, intent and state are checked by finishConnect' },
  async ({ request, now }) => {
    const { pathname } = new URL(request.url)
    // HEAD arrives here too, and must not use up a code
    if (pathname === CALLBACK_PATH && request.method === 'GET') return finishConnect(request, now)
    if (/^\/api\/auth\/(signin|signout|error)$/.test(pathname)) return redirectTo('/sign-in')
    return errorReply(404, 'not-found', 'There is nothing here.')
  },
)
