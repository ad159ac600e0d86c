import * as z from 'zod'
import { setPasswordByLink } from '#lib/auth/account/reset-password.ts'
import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { linkSecret, toLinkHash } from '#lib/auth/links/link-secret.ts'
import { readBody } from '#lib/http/read-form.ts'
import { redirectTo } from '#lib/http/replies.ts'

const form = z.object({ link: linkSecret, chosen: z.string() })
const back = (error: string) => redirectTo(`/sign-in/forgotten?error=password-${error}`)

/** Sets a password by a link, which leads to signing in with it. */
export const POST = publicWriteRoute(
  { because: 'the link says who it is', origin: 'ours', refusal: () => back('origin') },
  async ({ request, now }) => {
    const body = await readBody(request)
    const { success, data } = form.safeParse(body.kind === 'form' ? body.value : null)
    if (!success) return back('form')
    const end = await setPasswordByLink(request, data, now)
    if (end.kind === 'set') return redirectTo('/sign-in?said=password-new')
    if (end.kind === 'gone') return back('gone')
    const why = end.kind === 'wait' ? `wait&seconds=${end.seconds}` : end.problem
    return redirectTo(`/sign-in/new-password?error=password-${why}${toLinkHash(data.link)}`)
  },
)
