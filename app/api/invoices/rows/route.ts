import { readRoute } from '#lib/auth/doors/api-route.ts'
import { parseInvoiceQuery } from '#lib/ledger/query/invoice-query.ts'
import { toSearchParams } from '#lib/ledger/query/search-params.ts'
import { listInvoiceRows } from '#lib/ledger/read/list-invoices.ts'

export const dynamic = 'force-dynamic'

/** GET /api/invoices/rows?<the invoices page's query>: one page of invoices, without totals. */
export const GET = readRoute({ may: 'read', kind: 'rows' }, async ({ request, session }) => {
  const query = parseInvoiceQuery(toSearchParams(new URL(request.url).searchParams))
  return { rows: await listInvoiceRows(session.organizationId, query) }
})
