import { readRoute, writeRoute } from '#lib/auth/doors/api-route.ts'
import { readBounded } from '#lib/http/read-bounded.ts'
import { errorReply, PRIVATE_HEADERS } from '#lib/http/replies.ts'
import { isUuid } from '#lib/ids.ts'
import { FILE_KINDS, MOST_FILE_BYTES, toKeptName } from '#lib/talk/file-kind.ts'
import { keepFile, openFile } from '#lib/talk/keep-file.ts'
import { noSuchFile, refuseFile } from '../talk-door.ts'

export const dynamic = 'force-dynamic'

/** For a whole file: 10 MB through a slow line. */
const DEADLINE_MS = 180_000

/**
 * POST /api/talk/files: a file for a comment that follows; its bytes are the body, and its name is
 * in `x-file-name`, %-encoded. What it is, its first bytes say: no content type counts. Nobody sees
 * it before the comment is sent.
 */
export const POST = writeRoute({ may: 'comment', kind: 'upload' }, async ({ request, session }) => {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_FILE_BYTES) return refuseFile('too-large')
  const read = await readBounded(request, MOST_FILE_BYTES, DEADLINE_MS)
  if (read.kind === 'refused')
    return read.status === 413 ? refuseFile('too-large') : errorReply(read.status, 'bad-request', read.text)
  const file = { name: toName(request.headers.get('x-file-name') ?? ''), bytes: read.bytes }
  const kept = await keepFile(session.organizationId, session.userId, file)
  if (kept.kind === 'kept') return { file: { id: kept.id } }
  if (kept.kind !== 'too-many') return refuseFile(kept.kind)
  return errorReply(409, 'file-too-many', 'You have sent many files without a comment. Send comments for them first.')
})

/** GET /api/talk/files?id=: a file of a comment, as a download of its own kind. */
export const GET = readRoute({ may: 'read' }, async ({ request, session }) => {
  const id = new URL(request.url).searchParams.get('id') ?? ''
  const file = isUuid(id) ? await openFile(session.organizationId, id) : null
  if (file === null) return noSuchFile()
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      ...PRIVATE_HEADERS,
      'content-type': FILE_KINDS[file.kind].type,
      'content-disposition': toDisposition(toKeptName(file.name, file.kind)),
      // whatever it holds, it never runs as one of our pages, nor stands in another site's
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  })
})

function toName(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return ''
  }
}

/** The name in both spellings of RFC 6266: in ASCII, and as it is. */
function toDisposition(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
