import * as z from 'zod'
import { askForLink } from '#lib/auth/account/reset-password.ts'
import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { settings } from '#lib/env.ts'
import { readBody } from '#lib/http/read-form.ts'
import { redirectTo } from '#lib/http/replies.ts'

const form = z.object({ email: z.string() })
const back = (query: string) => redirectTo(`/sign-in/forgotten?${query}`)

/** Asks for a link that sets a new password. The answer does not depend on the address. */
export const POST = publicWriteRoute(
  { because: 'nobody can sign in without it', origin: 'ours', refusal: () => back('error=password-origin') },
  async ({ request }) => {
    const body = await readBody(request)
    const { success, data } = form.safeParse(body.kind === 'form' ? body.value : null)
    if (!success || settings().mail === null) return back(success ? '' : 'error=password-form')
    const seconds = await askForLink(request, data.email)
    return back(seconds > 0 ? `error=password-wait&seconds=${seconds}` : 'said=password-asked')
  },
)
