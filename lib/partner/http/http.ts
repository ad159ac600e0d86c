import http from 'node:http'
import https from 'node:https'
import { PartnerError, type PartnerErrorKind } from '../partner-error.ts'
import { FORBIDDEN_ADDRESS, guardedLookup, isForbiddenAddress, isInnerAddress, publicLookup } from './address-guard.ts'
import { openBody, readWireBody } from './http-body.ts'

export type PartnerRequest = {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  /** For everything: name lookup, connection, TLS, headers, the last byte of the body. */
  deadlineMs: number
  /** The most bytes of body, on the wire and again once decompressed. */
  maxBytes: number
  /**
   * A new socket, closed afterwards: a reused one may be half dead, which loses a single-use token.
   */
  freshConnection?: boolean
  /** Refuses private and loopback addresses too, on a new socket: kept ones are shared. */
  isPublicOnly?: boolean
  /** Called with a successful answer's body as on the wire; a known one is not opened. */
  isKnown?: (wireBody: Buffer) => boolean
  /**
   * Called once the operating system has the whole request: from here the partner may act on it.
   */
  onSent?: () => void
}

/**
 * Header names are lower-case. `body` is decompressed, and empty if it `isKnown`; `receivedAt` is
 * when its last byte was read.
 */
export type PartnerResponse = {
  status: number
  headers: Record<string, string>
  body: Buffer
  isKnown: boolean
  receivedAt: Date
}

export type PartnerTransport = (request: PartnerRequest) => Promise<PartnerResponse>

/**
 * After so long without use a connection is closed by us, or a second before the partner says that
 * it would. A partner that closes first does so while a request is on its way, which then fails:
 * once six met that moment, and the sync was put off. Servers wait for 5 s and longer.
 */
const IDLE_MS = 4000

const AGENT_OPTIONS = { keepAlive: true, maxSockets: 8, keepAliveMsecs: 10_000, timeout: IDLE_MS }
const KEPT_AGENTS = { 'http:': new http.Agent(AGENT_OPTIONS), 'https:': new https.Agent(AGENT_OPTIONS) }

/**
 * Sends one request to the partner; nothing else does. Follows no redirect (assumption 26), sends
 * nothing twice, and bounds time and memory. Resolves with any status but 3xx. Messages name the
 * host, never the query or a header.
 * @throws PartnerError timeout, refused, reset, dns, tls, redirect, too_large, bad_encoding,
 * foreign_origin
 */
export async function partnerRequest(request: PartnerRequest): Promise<PartnerResponse> {
  const url = new URL(request.url)
  const isForbidden = request.isPublicOnly ? isInnerAddress : isForbiddenAddress
  if (isForbidden(url.hostname.replace(/^\[|\]$/g, ''))) throw forbidden(url.host)
  const progress = { isConnected: false, isLate: false }
  let timer: NodeJS.Timeout | undefined
  try {
    const outgoing = send(url, request)
    timer = setTimeout(() => {
      progress.isLate = true
      outgoing.destroy()
    }, request.deadlineMs)
    const response = await begin(outgoing, request, url, progress)
    const status = response.statusCode ?? 0
    if (status >= 300 && status < 400) {
      response.destroy()
      throw new PartnerError('redirect', `${url.host} answered with a redirect (${status}), which is never followed`, {
        status,
      })
    }
    const wireBody = await readWireBody(response, request.maxBytes)
    const receivedAt = new Date()
    const headers = toPlainHeaders(response.headers)
    if (status === 200 && request.isKnown?.(wireBody) === true)
      return { status, headers, body: Buffer.alloc(0), isKnown: true, receivedAt }
    const body = await openBody(wireBody, headers['content-encoding'], request.maxBytes)
    return { status, headers, body, isKnown: false, receivedAt }
  } catch (thrown) {
    if (thrown instanceof PartnerError) throw thrown
    if (thrown instanceof Error && 'code' in thrown && thrown.code === FORBIDDEN_ADDRESS) throw forbidden(url.host)
    const kind = progress.isLate ? 'timeout' : classifyFailure(thrown, progress.isConnected)
    throw new PartnerError(kind, describeFailure(kind, url.host, request.deadlineMs), {
      cause: thrown,
      neverSent: !progress.isConnected,
    })
  } finally {
    clearTimeout(timer)
  }
}

function forbidden(host: string): PartnerError {
  return new PartnerError('foreign_origin', `${host} is an address that no partner has`, { neverSent: true })
}

function send(url: URL, request: PartnerRequest): http.ClientRequest {
  const isTls = url.protocol === 'https:'
  return (isTls ? https : http).request(url, {
    method: request.method,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'tieout',
      ...request.headers,
      ...(request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }),
    },
    agent: request.freshConnection || request.isPublicOnly ? false : KEPT_AGENTS[isTls ? 'https:' : 'http:'],
    lookup: request.isPublicOnly ? publicLookup : guardedLookup,
  })
}

/**
 * Sends the request and waits for the head of the answer. `isConnected`: its bytes can reach the
 * partner, that is after TCP and, where used, TLS.
 */
function begin(
  outgoing: http.ClientRequest,
  request: PartnerRequest,
  url: URL,
  progress: { isConnected: boolean },
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const noteConnected = () => {
      progress.isConnected = true
    }
    outgoing.on('response', resolve)
    outgoing.on('socket', (socket) => {
      if (outgoing.reusedSocket) noteConnected()
      else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', noteConnected)
    })
    if (request.onSent) outgoing.once('finish', request.onSent)
    outgoing.on('error', reject)
    outgoing.end(request.body)
  })
}

const REFUSED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])
const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'])
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO)/

/** Sorts a socket's failure by its code; an unknown one counts as a reset, which promises least. */
function classifyFailure(thrown: unknown, isConnected: boolean): PartnerErrorKind {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  if (REFUSED.has(code)) return 'refused'
  if (DNS.has(code)) return 'dns'
  if (code === 'ETIMEDOUT') return 'timeout'
  return TLS.test(code) && !isConnected ? 'tls' : 'reset'
}

function describeFailure(kind: PartnerErrorKind, host: string, deadlineMs: number): string {
  if (kind === 'timeout') return `${host} did not finish its answer within ${deadlineMs} ms`
  if (kind === 'refused') return `${host} refuses connections`
  if (kind === 'dns') return `The name of ${host} could not be resolved`
  if (kind === 'tls') return `No secure connection to ${host} could be made`
  return `${host} closed the connection before its answer was complete`
}

function toPlainHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return Object.fromEntries(entries)
}

/**
 * Returns the address if it lies within the configured origin and holds no credentials: a token can
 * never follow a link in an answer.
 * @throws PartnerError `foreign_origin`
 */
export function assertPartnerUrl(url: string, origin: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isOurs =
    parsed !== null && parsed.origin === new URL(origin).origin && parsed.username === '' && parsed.password === ''
  if (!isOurs)
    throw new PartnerError('foreign_origin', 'The address does not belong to the configured partner', {
      neverSent: true,
    })
  return parsed
}
