import * as z from 'zod'
import type { WriteCall } from '#lib/auth/doors/api-route.ts'
import { errorReply, PRIVATE_HEADERS } from '#lib/http/replies.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { OpenedPack } from '#lib/pack/ask-pack.ts'
import type { PackScope } from '#lib/pack/pack-scope.ts'
import { firstDayOf } from '#lib/reconcile/close/scope.ts'

const key = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => !text.includes('\0'))
const connection = z.uuid().transform((id) => id as ConnectionId)
const month = z.string().refine((text) => firstDayOf(text) !== null)

/** What a pack is of, as requests name it: in a body or in an address. */
export const packScope = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('invoice'), connection, serial: key }),
    z.object({ kind: z.literal('profile_month'), connection, profile: key, month }),
    z.object({ kind: z.literal('connection_month'), connection, month }),
  ])
  .transform((sent): PackScope => {
    const { connection: connectionId } = sent
    if (sent.kind === 'invoice') return { kind: sent.kind, connectionId, serialNumber: sent.serial }
    if (sent.kind === 'connection_month') return { kind: sent.kind, connectionId, month: sent.month }
    return { kind: sent.kind, connectionId, profileId: sent.profile, month: sent.month }
  })

/** Who asks, as rows and the audit name them. */
export const toAsker = ({ session, actor }: Pick<WriteCall, 'session' | 'actor'>) => ({ actor, name: session.name })

/** A pack as a download. Whatever is in it, it never runs as one of our pages. */
export function toPackReply({ bytes, fileName }: OpenedPack): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      ...PRIVATE_HEADERS,
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${fileName}"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}

/** Another organization's pack looks like one that never was. */
export function noSuchPack(): Response {
  return errorReply(
    409,
    'pack-missing',
    'There is no such pack: it is not made yet, or went with the data of its account. Reload the page.',
  )
}
