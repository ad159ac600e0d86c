import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { JsonError } from '#lib/reconcile/json/json-error.ts'
import { sliceRecords } from '#lib/reconcile/json/slice-records.ts'
import { type JsonValue, NumberText } from '#lib/reconcile/json/value.ts'
import { describeErrorBody, toEvidence } from '../http/error-body.ts'
import { assertPartnerUrl, type PartnerResponse, type PartnerTransport, partnerRequest } from '../http/http.ts'
import { parseRetryAfter } from '../http/retry-after.ts'
import { joinPath } from '../oauth/oauth-requests.ts'
import { PartnerBodyError, PartnerError } from '../partner-error.ts'

const DEADLINE_MS = 30_000
/** Our own limit: an invoice's PDF is far smaller. */
const MAX_DOCUMENT_BYTES = 20 * 1024 * 1024
/** PDF 32000-1, 7.5.2 and annex H: the header comes within the first kilobyte. */
const PDF_HEADER = { text: '%PDF-', within: 1024 }
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
/** Assumption 25. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024
/** The page sizes the partner is known to accept (assumption 5). */
const PAGE_SIZE = { min: 10, max: 50 }

/**
 * One page of a list: each record's source text, byte for byte, and its offset. `total` null = not
 * stated. `bodyHash`: the SHA-256 (hex) of the answer as on the wire.
 */
export type ListPage = { total: number | null; offset: number; records: string[]; bytes: number; bodyHash: string }

/** The filters of lists, in the wire's words (assumption 5); absent members are not sent. */
export type ListFilters = {
  profile_id?: string
  serial_number?: string
  billing_period?: string
  status?: string
  issuing_date_gte?: string
  issuing_date_lte?: string
  due_date_gte?: string
  due_date_lte?: string
}
type InvoiceFilters = ListFilters & { sort?: 'issuing_date' | '-issuing_date' }
type LineFilters = ListFilters & { expense_date_gte?: string; expense_date_lte?: string }

/**
 * `limit`: the most records of the page, instead of the configured page size; clamped to what the
 * partner accepts.
 */
export type DataClient = {
  listProfilesPage(offset: number): Promise<ListPage>
  listInvoicesPage(query: { offset: number; limit?: number; filters?: InvoiceFilters }): Promise<ListPage>
  /** Null when the answer is byte for byte the one with `knownBodyHash`: it is not opened. */
  listLinesPage(query: {
    offset: number
    limit?: number
    filters?: LineFilters
    knownBodyHash?: string
  }): Promise<ListPage | null>
  /** An invoice's original document, a PDF; null when the platform has none. */
  readDocument(serialNumber: string): Promise<Buffer | null>
}

export type DataClientOptions = {
  baseUrl: string
  /** The contract's version; fields may be added under the same one (assumption 30). */
  apiVersion: string
  pageSize: number
  /** Called before every request; the token goes to `baseUrl` only, and into no message. */
  getAccessToken: () => Promise<string>
  request?: PartnerTransport
  deadlineMs?: number
  maxBytes?: number
}

/**
 * A reader of the partner's lists (contract, endpoints 5 and 6). Each call is one request for one
 * page; nothing is retried here.
 * @throws PartnerError `unauthorized` (renew the token once and ask again), `forbidden` (a scope is
 * missing: assumption 27), `throttled` with retryAfterMs, `unavailable`, `bad_body` with evidence,
 * `rejected`, or a kind of `partnerRequest`.
 */
export function createDataClient(options: DataClientOptions): DataClient {
  const request = options.request ?? partnerRequest
  const addresses = new Map<string, string>()
  const addressOf = (path: string): string => {
    const address = addresses.get(path) ?? assertPartnerUrl(joinPath(options.baseUrl, path), options.baseUrl).href
    addresses.set(path, address)
    return address
  }

  async function listPage(
    path: string,
    listKey: string,
    offset: number,
    { filters = {}, limit: wantedLimit = options.pageSize, knownBodyHash }: PageQuery = {},
  ): Promise<ListPage | null> {
    const limit = Math.min(Math.max(wantedLimit, PAGE_SIZE.min), PAGE_SIZE.max)
    const query = new URLSearchParams({ ...withoutAbsent(filters), offset: String(offset), limit: String(limit) })
    const url = `${addressOf(path)}?${query}`
    const accessToken = await options.getAccessToken()
    let bodyHash = ''
    const response = await request({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${accessToken}`, 'api-version': options.apiVersion },
      deadlineMs: options.deadlineMs ?? DEADLINE_MS,
      maxBytes: options.maxBytes ?? MAX_PAGE_BYTES,
      isKnown: (wireBody) => {
        bodyHash = hash('sha256', wireBody)
        return bodyHash === knownBodyHash
      },
    })
    if (response.isKnown) return null
    if (response.status !== 200) throw toStatusError(path, response, accessToken)
    return { ...readPage(path, listKey, offset, response, accessToken), bodyHash }
  }

  async function listWholePage(...[path, listKey, offset, query]: Parameters<typeof listPage>): Promise<ListPage> {
    return (await listPage(path, listKey, offset, query)) as ListPage
  }

  async function readDocument(serialNumber: string): Promise<Buffer | null> {
    // a name of dots would be another address
    if (/^\.*$/.test(serialNumber)) return null
    const path = `/invoices/${encodeURIComponent(serialNumber)}/pdf`
    const url = assertPartnerUrl(joinPath(options.baseUrl, path), options.baseUrl).href
    const accessToken = await options.getAccessToken()
    const response = await request({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${accessToken}`, 'api-version': options.apiVersion },
      deadlineMs: options.deadlineMs ?? DEADLINE_MS,
      maxBytes: options.maxBytes ?? MAX_DOCUMENT_BYTES,
    })
    if (response.status === 404) return null
    if (response.status !== 200) throw toStatusError('/invoices/…/pdf', response, accessToken)
    const { body } = response
    // the content type is not to be trusted (partner facts)
    if (body.subarray(0, PDF_HEADER.within).includes(PDF_HEADER.text)) return body
    const evidence = toEvidence(body, accessToken)
    throw new PartnerBodyError('/invoices/…/pdf answered with something that is not a PDF', { status: 200, evidence })
  }

  return {
    readDocument,
    listProfilesPage: (offset) => listWholePage('/profiles', 'profiles', offset),
    listInvoicesPage: ({ offset, ...query }) => listWholePage('/invoices', 'invoices', offset, query),
    listLinesPage: ({ offset, ...query }) => listPage('/invoices/lines', 'invoice_lines', offset, query),
  }
}

type PageQuery = { limit?: number; filters?: InvoiceFilters | LineFilters; knownBodyHash?: string }

function withoutAbsent(filters: InvoiceFilters | LineFilters): object {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''))
}

function readPage(
  path: string,
  listKey: string,
  offset: number,
  response: PartnerResponse,
  accessToken: string,
): Omit<ListPage, 'bodyHash'> {
  const type = response.headers['content-type']?.toLowerCase() ?? 'application/json'
  const evidence = () => toEvidence(response.body, accessToken)
  if (!/^(?:application|text)\/(?:[\w.+-]+\+)?json\b/.test(type)) {
    const said = type.slice(0, 60).replace(/[^\x20-\x7e]/g, ' ')
    throw new PartnerBodyError(`${path} answered with "${said}" instead of JSON`, { status: 200, evidence: evidence() })
  }
  try {
    const { envelope, records } = sliceRecords(decodeUtf8(response.body), listKey)
    const total = readCount(envelope.total)
    return { total, offset: readCount(envelope.offset) ?? offset, records, bytes: response.body.length }
  } catch (thrown) {
    if (!(thrown instanceof JsonError)) throw thrown
    throw new PartnerBodyError(`${path}: ${thrown.message}`, { status: 200, evidence: evidence(), cause: thrown })
  }
}

/**
 * The text of the body. Invalid UTF-8 is an error: replacing bytes would silently change a name.
 */
function decodeUtf8(body: Buffer): string {
  if (!isUtf8(body)) throw new JsonError('The body is not valid UTF-8')
  // a byte order mark is not part of the JSON
  return body.toString(
    'utf8',
    body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0,
  )
}

/** A count in the envelope: a number, or its digits as text (both occur). */
function readCount(value: JsonValue | undefined): number | null {
  const text = value instanceof NumberText ? value.numberText : value
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null
}

function toStatusError(path: string, response: PartnerResponse, accessToken: string): PartnerError {
  const { status } = response
  const said = describeErrorBody(response.body, accessToken) ?? 'no explanation'
  const evidence = toEvidence(response.body, accessToken)
  const message = `${path} answered ${status}: ${said}`
  if (status === 401) return new PartnerError('unauthorized', message, { status, evidence })
  if (status === 403) return new PartnerError('forbidden', message, { status, evidence })
  if (status === 429 || status === 503) {
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], response.receivedAt) ?? undefined
    return new PartnerError('throttled', message, { status, evidence, retryAfterMs })
  }
  if (status >= 500) return new PartnerError('unavailable', message, { status, evidence })
  // A success other than 200 is not a page either.
  if (status < 400) return new PartnerBodyError(message, { status, evidence })
  return new PartnerError('rejected', message, { status, evidence })
}
