import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply, PRIVATE_HEADERS } from '#lib/http/replies.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { type AskedDocument, askForDocument } from '#lib/sync/documents/document-wishes.ts'

export const dynamic = 'force-dynamic'

/** What a person reads when there is no document, and the status that goes with it. */
const REFUSALS: Record<Extract<AskedDocument, { failure: string }>['failure'], [number, string]> = {
  unknown: [404, 'There is no such invoice.'],
  none: [409, 'The travel platform has no document for this invoice.'],
  not_pdf: [
    502,
    'The travel platform answered with something that is not a PDF, so it was not passed on. Try again later.',
  ],
  too_large: [502, 'The document is larger than 20 MB, so it was not fetched. Open it on the travel platform.'],
  forbidden: [409, 'The connected account does not allow reading documents. An admin can reconnect it and allow that.'],
  needs_reconnect: [409, 'The link to this account has ended, so nothing can be fetched. An admin can reconnect it.'],
  unreachable: [502, 'The travel platform could not be reached. Try again in a moment.'],
  busy: [429, 'Several documents are being fetched already. Try again in a moment.'],
  late: [504, 'Nobody brought the document in time. Try again; if that does not help, ask whoever runs the program.'],
}

/**
 * POST /api/invoices/document {connection, serial}: the invoice's original document, as the
 * platform gives it now (docs/decisions/023-original-documents.md). It is fetched by a worker while
 * the request waits, and not kept.
 */
export const POST = writeRoute(
  { may: 'export', kind: 'document', body: z.object({ connection: z.uuid(), serial: z.string().min(1).max(500) }) },
  async ({ request, session, actor, body: { connection, serial } }) => {
    const { organizationId } = session
    const asked = await askForDocument(
      { organizationId, connectionId: connection as ConnectionId, serialNumber: serial, actor },
      request.signal,
    )
    if ('failure' in asked) {
      const [status, text] = REFUSALS[asked.failure]
      return errorReply(status, `document-${asked.failure.replace('_', '-')}`, text)
    }
    return new Response(new Uint8Array(asked.content), {
      headers: {
        ...PRIVATE_HEADERS,
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${toFileName(serial)}"`,
        // whatever it holds, it never runs as one of our pages
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      },
    })
  },
)

function toFileName(serial: string): string {
  return `${serial.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '')}.pdf`
}
