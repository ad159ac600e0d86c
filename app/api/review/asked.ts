import * as z from 'zod'
import type { AppSession } from '#lib/auth/model.ts'
import { parseInvoiceQuery } from '#lib/ledger/query/invoice-query.ts'
import { parseLineQuery, readAs, toSearchParams } from '#lib/ledger/query/line-query.ts'
import { isOfInvoices } from '#lib/ledger/review/invoices/decide-invoices.ts'
import type { InvoicesAsked } from '#lib/ledger/review/invoices/invoice-set.ts'
import type { Asked } from '#lib/ledger/review/line-set.ts'
import { REVIEW_VERBS } from '#lib/reconcile/review/review-state.ts'

/** So many single lines are named in one request. */
const MOST_NAMED = 1000

const keys = z.array(z.string().max(300)).max(MOST_NAMED).optional()
const number = z.string().regex(/^[1-9]\d{0,14}$/)

/** What is asked about: rows of a list by its address, single ones, or those of a decision. */
export const asked = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(REVIEW_VERBS),
    /** Whether these are invoices of a list of invoices. */
    of: z.literal('invoice').optional(),
    search: z.string().max(16_000),
    only: keys,
    except: keys,
  }),
  z.object({ kind: z.literal('undo'), decision: number }),
])

/** As the organization of the session reads it. */
export function toAsked(session: AppSession, body: z.infer<typeof asked>): Asked {
  if (body.kind === 'undo') return body
  const query = readAs(session, parseLineQuery(toSearchParams(new URLSearchParams(body.search))))
  const { only, except } = body
  return { kind: body.kind, set: { query, ...(only && { only }), ...(except && { except }) } }
}

/** The same of invoices. */
export function toInvoicesAsked(body: z.infer<typeof asked>): InvoicesAsked {
  if (body.kind === 'undo') return body
  const query = parseInvoiceQuery(toSearchParams(new URLSearchParams(body.search)))
  const { only, except } = body
  return { kind: body.kind, invoices: { query, ...(only && { only }), ...(except && { except }) } }
}

/** Whether it is about invoices. */
export async function isAboutInvoices(session: AppSession, body: z.infer<typeof asked>): Promise<boolean> {
  return body.kind === 'undo' ? isOfInvoices(session.organizationId, body.decision) : body.of === 'invoice'
}
