import { finishConnect } from '#lib/auth/connect/connect-callback.ts'
import { publicReadRoute } from '#lib/auth/doors/api-route.ts'
import { finishSso } from '#lib/auth/sso/sso-finish.ts'
import { CALLBACK_PATH, SSO_CALLBACK_PATH } from '#lib/http/cookies.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'

/**
 * next-auth's mount, with two open doors: the platform's callback and that of single sign-on.
 * Signing in, signing out and connecting have their own routes, which call next-auth as a function;
 * its pages are ours.
 */
export const GET = publicReadRoute(
  {
    because:
      'platform and identity providers send browsers back here; finishConnect and finishSso check what they bring',
  },
  async ({ request, now }) => {
    const { pathname } = new URL(request.url)
    // HEAD arrives here too, and must not use up a code
    if (pathname === CALLBACK_PATH && request.method === 'GET') return finishConnect(request, now)
    if (pathname === SSO_CALLBACK_PATH && request.method === 'GET') return finishSso(request, now)
    if (/^\/api\/auth\/(signin|signout|error)$/.test(pathname)) return redirectTo('/sign-in')
    return errorReply(404, 'not-found', 'There is nothing here.')
  },
)
