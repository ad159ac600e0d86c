import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { endException, grantException } from '#lib/ledger/close/lock-period.ts'
import { lockNumber, replyRefused, toSigner, words } from '../close-request.ts'

export const dynamic = 'force-dynamic'

const body = z.union([
  z.object({ lock: lockNumber, person: z.uuid(), until: z.iso.datetime(), reason: words }),
  z.object({ end: z.uuid() }),
])

/**
 * POST /api/close/exception {lock, person, until, reason}: lets a person decide in a locked month
 * until a moment, at most 31 days ahead. {end}: ends an exception before its time.
 */
export const POST = writeRoute({ may: 'lock', body }, async ({ session, actor, body }) => {
  const signer = toSigner(session, actor)
  const ended =
    'end' in body
      ? await endException(session.organizationId, signer, body.end)
      : await grantException(session.organizationId, signer, { ...body, personId: body.person })
  return ended.kind === 'refused' ? replyRefused(ended) : ended
})
