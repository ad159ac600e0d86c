import * as z from 'zod'
import { setPasswordByLink } from '#lib/auth/account/reset-password.ts'
import { publicWriteRoute } from '#lib/auth/api-route.ts'
import { readBody } from '#lib/http/read-form.ts'
import { redirectTo } from '#lib/http/replies.ts'

const form = z.object({ link: z.string(), chosen: z.string() })
const back = (error: string) => redirectTo(`/sign-in/forgotten?error=password-${error}`)

/** Sets a password by a link, which leads to signing in with it. */
export const POST = publicWriteRoute(
  { because: 'the link says who it is', origin: 'ours', refusal: () => back('origin') },
  async ({ request, now }) => {
    const body = await readBody(request)
    const { success, data } = form.safeParse(body.kind === 'form' ? body.value : null)
    if (!success) return back('form')
    const problem = await setPasswordByLink(request, data, now)
    if (problem === null) return redirectTo('/sign-in?said=password-new')
    if (problem === 'gone') return back('gone')
    const { link } = data
    return redirectTo(`/sign-in/new-password?${new URLSearchParams({ link, error: `password-${problem}` })}`)
  },
)
