import { readRoute, writeRoute } from '#lib/auth/doors/api-route.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { errorReply } from '#lib/http/replies.ts'
import { type Asked, askForPack, listPacks } from '#lib/pack/ask-pack.ts'
import { MOST_PACK_LINES } from '#lib/pack/model.ts'
import { packScope, toAsker } from './pack-door.ts'

export const dynamic = 'force-dynamic'

const REFUSALS: Record<Exclude<Asked['kind'], 'asked'>, string> = {
  nothing: 'There is no invoice in it, so there is nothing to prove.',
  'too-large': `It has more than ${MOST_PACK_LINES.toLocaleString('en')} lines. Make packs of its profiles instead.`,
  busy: 'Several packs are being made already. Try again when they are there.',
}

/**
 * GET /api/packs?kind=&connection=&serial= (or &month=, and &profile=): the packs that were made of
 * it or are under way, the newest first, with their links.
 */
export const GET = readRoute({ may: 'export' }, async ({ request, session, now }) => {
  const scope = packScope.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (!scope.success) return errorReply(400, 'bad-request', 'Say what the packs are of.')
  const packs = await listPacks(session.organizationId, scope.data, now)
  return { packs, may: { share: isAllowed(session.role, 'share-packs') } }
})

/** POST /api/packs {kind, connection, serial | month, profile}: asks a worker for a pack of it. */
export const POST = writeRoute({ may: 'export', kind: 'document', body: packScope }, async (call) => {
  const asked = await askForPack(call.session.organizationId, call.body, toAsker(call))
  if (asked.kind !== 'asked') return errorReply(409, `pack-${asked.kind}`, REFUSALS[asked.kind])
  return { pack: { id: asked.id } }
})
