import * as z from 'zod'
import { toLinkHolder } from '#lib/auth/account/link-holder.ts'
import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { countAttempt, forgetAttempt } from '#lib/auth/limits/sign-in-throttle.ts'
import { linkSecret } from '#lib/auth/links/link-secret.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { landAt } from '#lib/http/outcome.ts'
import { readBody } from '#lib/http/read-form.ts'
import { errorReply } from '#lib/http/replies.ts'
import { openPackLink } from '#lib/pack/pack-links.ts'
import { toPackReply } from '../pack-door.ts'

const body = z.object({ pack: linkSecret })

/**
 * POST /api/packs/open {pack}: the evidence pack of a link, for whoever has it. Who guesses at
 * links waits, as at links of invitations. Otherwise the page is shown again with the reason.
 */
export const POST = publicWriteRoute(
  { because: 'a pack is for somebody outside', origin: 'ours', refusal: () => landAt('packed', { error: 'origin' }) },
  async ({ request }) => {
    const read = await readBody(request)
    if (read.kind === 'refused') return errorReply(read.status, 'bad-request', read.text)
    const key = body.safeParse(read.value).data?.pack ?? ''
    const holder = toLinkHolder(request, key)
    const seconds = Math.ceil(await countAttempt(holder))
    if (seconds > 0) return landAt('packed', { error: 'wait', query: `seconds=${seconds}` })
    const opened = await openPackLink(key, toClientNetwork(request.headers))
    if (opened === null) return landAt('packed', { error: 'unusable' })
    await forgetAttempt(holder)
    return toPackReply(opened)
  },
)
