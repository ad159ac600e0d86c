// Loaded before the web server in production: settles what Next.js must not see. Its URL says
// whether the public address is https (?https=1).
import { Server, ServerResponse } from 'node:http'
import flightRouterState from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'
import { NOTHING_RUNS, SECURITY_HEADERS } from '../../http/security-headers.mjs'

const { parseAndValidateFlightRouterState } = flightRouterState

const isHttps = new URL(import.meta.url).searchParams.get('https') === '1'

/** Methods passed on to pages and routes, which refuse those they lack themselves. */
const ALLOWED = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Files of the build, and the methods of a file; Next.js answers OPTIONS for one with 500. */
const FILES = /^\/(_next\/static\/|icon\.svg)/
const OF_FILES = ['GET', 'HEAD']
/**
 * Cuts a connection that is idle this long in both directions, such as one whose reader has
 * stopped.
 */
const IDLE_MS = 120_000
const HEADERS = {
  ...SECURITY_HEADERS,
  'content-type': 'application/json',
  'cache-control': 'private, no-store',
  'content-security-policy': NOTHING_RUNS,
}

/**
 * The reply to a request that Next.js would answer with 500 and a logged stack, or by leading
 * elsewhere; null for all others.
 */
function toRefusal(request) {
  const [path] = request.url.split('?')
  const allowed = FILES.test(path) ? OF_FILES : ALLOWED
  if (!allowed.includes(request.method))
    return { status: 405, headers: { allow: allowed.join(', ') }, text: 'There is nothing here for this method.' }
  if (isOwnPath(path) && isDecodable(path) && isRouterState(request.headers['next-router-state-tree'])) return null
  return { status: 400, headers: {}, text: 'The address is not one that is understood here.' }
}

/**
 * An address as browsers send it. `http://host/path` and `//host/path` name a server, to which
 * Next.js would redirect.
 */
function isOwnPath(path) {
  return path === '*' || (path.startsWith('/') && !/^\/[/\\]/.test(path))
}

function isDecodable(text) {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** By Next.js's own rules, which would throw later. */
function isRouterState(text) {
  try {
    parseAndValidateFlightRouterState(text)
    return true
  } catch {
    return false
  }
}

const { on, emit } = Server.prototype
const { destroy } = ServerResponse.prototype

/**
 * Replaces `response.destroy`. A reply given up ends by a reset: after an ordinary close the system
 * would keep the connection for many minutes, for data that a stopped reader never takes.
 */
function breakOff(error) {
  if (!this.writableFinished) this.socket?.resetAndDestroy()
  return destroy.call(this, error)
}

/**
 * Next.js listens to upgrades for its development mode, and then neither answers nor ends them:
 * every request with an Upgrade header left a socket behind. Without a listener Node ignores the
 * header (RFC 9110, 7.8) and serves an ordinary request.
 */
Server.prototype.on = Server.prototype.addListener = function (event, listener) {
  return event === 'upgrade' ? this : on.call(this, event, listener)
}

Server.prototype.emit = function (event, ...values) {
  if (event === 'listening') {
    this.timeout = IDLE_MS
    this.on('timeout', (socket) => socket.resetAndDestroy())
  }
  if (event !== 'request') return emit.call(this, event, ...values)
  const [request, response] = values
  response.destroy = breakOff
  if (isHttps) response.setHeader('strict-transport-security', 'max-age=31536000')
  const refusal = toRefusal(request)
  if (refusal === null) return emit.call(this, event, ...values)
  const code = refusal.status === 405 ? 'method-not-allowed' : 'bad-request'
  response.writeHead(refusal.status, { ...HEADERS, ...refusal.headers })
  response.end(JSON.stringify({ error: { code, text: refusal.text } }))
  return true
}
