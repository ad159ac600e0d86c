import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { toKnownError } from '#lib/db/database-trouble.ts'
import { settings } from '#lib/env.ts'
import { readBounded } from '#lib/http/read-bounded.ts'
import { errorReply, jsonReply } from '#lib/http/replies.ts'
import { log } from '#lib/log.ts'
import { parseInvoiceHint } from '#lib/partner/webhook/webhook-invoice.ts'
import { isSignedBy } from '#lib/partner/webhook/webhook-signature.ts'
import { takeInvoiceHint } from '#lib/sync/runs/take-hint.ts'

const MAX_BYTES = 1024 * 1024
const ACCESS = { because: 'the platform signs what it sends', origin: 'anyone' } as const

/**
 * The platform's webhook (`invoice.issued`), off unless `WEBHOOK_SECRET` is set. A signed body is
 * still only a hint: the invoice is read from the platform. The answer does not reveal whether we
 * know the invoice.
 */
export const POST = publicWriteRoute(ACCESS, async ({ request }) => {
  const { webhook } = settings()
  if (webhook === null) return errorReply(404, 'not-found', 'There is nothing here.')
  const read = await readBounded(request, MAX_BYTES)
  if (read.kind === 'refused') return errorReply(read.status, 'bad-request', read.text)
  const body = read.bytes
  if (!isSignedBy(webhook.secret.reveal(), body, request.headers.get(webhook.signatureHeader)))
    return errorReply(401, 'bad-signature', 'The signature does not match the body.')
  const hint = parseInvoiceHint(body)
  if (hint === null) return errorReply(400, 'bad-request', 'The body is not an invoice.')
  try {
    const connections = await takeInvoiceHint(hint)
    log.info({ connections }, 'webhook taken')
    return jsonReply({ accepted: true }, 202)
  } catch (thrown) {
    const error = toKnownError(thrown)
    log.error({ errorCode: error.code, reason: error.message }, 'webhook failed')
    return errorReply(503, error.code, error.userText)
  }
})
