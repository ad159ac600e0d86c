import type { RawSearchParams } from '#lib/ledger/query/search-params.ts'

/** Whether the address asks for CSV, the only format; naming none means that one. */
export function isCsvWanted(raw: RawSearchParams): boolean {
  return raw.format === undefined || [raw.format].flat()[0] === 'csv'
}

/**
 * The download of a CSV file, named after its subject and the day:
 * `tieout-lines-2026-09-EUR-2026-11-20.csv`. A HEAD request gets the headers and starts no query.
 * `open` receives the request's signal: if a client leaves before the reply begins, the web server
 * neither reads nor cancels the body.
 * @throws what `open` throws, before anything is sent.
 */
export async function toCsvReply(
  request: Request,
  subject: string,
  now: Date,
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
): Promise<Response> {
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="tieout-${subject}-${now.toISOString().slice(0, 10)}.csv"`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(request.method === 'HEAD' ? null : await open(request.signal), { headers })
}
