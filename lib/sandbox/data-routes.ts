import { gzipSync } from 'node:zlib'
import type { SandboxClock } from './clock.ts'
import { type Account, findInvoice, pageOfInvoices, pageOfLines } from './data/account.ts'
import { toPdfSignature, toWireInvoice, toWireProfile } from './data/wire/invoice-wire.ts'
import { toJson } from './data/wire/json.ts'
import { parseListQuery } from './data-query.ts'
import type { KeptPages } from './kept-pages.ts'
import type { OauthStore } from './oauth-store.ts'
import { tinyPdf } from './pdf.ts'
import { errorReply, jsonReply, type Reply, type SandboxRequest } from './reply.ts'

export const DATA_PATH = '/api/v1'
const NEEDED_SCOPE = 'expenses:read'

/**
 * The data API (contract: endpoints 5 and 6, plus what the partner facts know of it), or null for
 * another path.
 */
export function handleDataRoute(
  request: SandboxRequest,
  store: OauthStore,
  clock: SandboxClock,
  accountOf: (id: string) => Account | undefined,
  keptPages: KeptPages,
): Reply | null {
  if (!request.path.startsWith(`${DATA_PATH}/`)) return null
  const bearer = /^Bearer ([^\s]+)$/.exec(request.headers.authorization ?? '')
  if (!bearer?.[1]) return unauthorized('Authentication credentials were not provided.')
  const access = store.checkAccess(bearer[1])
  if (access.kind === 'refused') return unauthorized(access.reason)
  if (request.headers['api-version'] !== '1') return errorReply(400, 'The header Api-Version must be 1.')
  if (!access.scopes.includes(NEEDED_SCOPE)) return errorReply(403, `The scope ${NEEDED_SCOPE} is required.`)
  if (request.method !== 'GET') return errorReply(405, 'Method not allowed.')
  const account = accountOf(access.accountId)
  if (!account) return errorReply(404, 'Not found.')
  return answer(request, account, Math.floor(clock.nowMs() / 1000), keptPages)
}

function answer(request: SandboxRequest, account: Account, nowSeconds: number, keptPages: KeptPages): Reply {
  const path = request.path.slice(DATA_PATH.length)
  if (path === '/profiles') return listProfiles(request, account)
  if (path === '/invoices') return listInvoices(request, account, nowSeconds, keptPages)
  if (path === '/invoices/lines') return listLines(request, account, keptPages)
  const [, serial, pdf] = /^\/invoices\/([^/]+)(\/pdf)?$/.exec(path) ?? []
  const invoice = serial === undefined ? null : findInvoice(account, decodePart(serial))
  if (!invoice) return errorReply(404, 'Not found.')
  if (!pdf) return jsonReply(200, toWireInvoice(invoice, nowSeconds))
  return {
    status: 200,
    headers: { 'content-type': 'application/octet-stream' },
    body: tinyPdf(`Invoice ${invoice.serialNumber}`),
  }
}

function listProfiles(request: SandboxRequest, account: Account): Reply {
  const query = parseListQuery(request.query, 'profiles')
  if ('error' in query) return errorReply(400, query.error)
  const { offset, limit } = query
  const profiles = account.profiles.slice(offset, offset + limit).map(toWireProfile)
  return jsonReply(200, { total: account.profiles.length, offset, limit, profiles })
}

/** When a kept page is signed; serving it replaces the signature. */
const NOT_SIGNED_YET = 0

function listInvoices(request: SandboxRequest, account: Account, nowSeconds: number, keptPages: KeptPages): Reply {
  const query = parseListQuery(request.query, 'invoices')
  if ('error' in query) return errorReply(400, query.error)
  const unsigned = keptPages.read(account, `invoices ${request.query}`, () => {
    const page = pageOfInvoices(account, query.filter, query.sort, query.offset, query.limit)
    const invoices = page.items.map((invoice) => toWireInvoice(invoice, NOT_SIGNED_YET))
    // offset and limit as text, as seen on the wire
    return toJson({ total: page.total, offset: String(query.offset), limit: String(query.limit), invoices })
  })
  const body = unsigned.toString().replaceAll(toPdfSignature(NOT_SIGNED_YET), toPdfSignature(nowSeconds))
  return { ...jsonReply(200, {}), body }
}

function listLines(request: SandboxRequest, account: Account, keptPages: KeptPages): Reply {
  const query = parseListQuery(request.query, 'lines')
  if ('error' in query) return errorReply(400, query.error)
  const { offset, limit } = query
  const render = () => {
    const page = pageOfLines(account, query.filter, offset, limit)
    return toJson({ total: page.total, offset, limit, invoice_lines: page.items })
  }
  const reply = jsonReply(200, {})
  // kept pages are compressed, as a platform sends them; compressing a page sent once would waste
  // time
  if (!keptPages.isKeeping || !acceptsGzip(request)) return { ...reply, body: render() }
  const body = keptPages.read(account, `lines ${request.query}`, () => gzipSync(render(), { level: GZIP_LEVEL }))
  return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body }
}

/** The default level of common web servers. */
const GZIP_LEVEL = 1

function acceptsGzip(request: SandboxRequest): boolean {
  return /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
}

function unauthorized(detail: string): Reply {
  const reply = jsonReply(401, { detail })
  return { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Bearer realm="api"' } }
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A broken percent sequence names no invoice.
    return ''
  }
}
