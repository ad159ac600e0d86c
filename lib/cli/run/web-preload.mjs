// Loaded before the web server in production: what has to be settled before Next.js sees a request.
// Its address says whether the public address is https (?https=1).
import { Server, ServerResponse } from 'node:http'
import flightRouterState from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js'

const { parseAndValidateFlightRouterState } = flightRouterState

const isHttps = new URL(import.meta.url).searchParams.get('https') === '1'

/**
 * The methods that a page or a route may be asked with; what it does not have, it answers itself.
 */
const ALLOWED = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
/**
 * A connection on which nothing moves for so long, in either direction, is cut: also one whose
 * reader has stopped reading.
 */
const IDLE_MS = 120_000
const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/**
 * The reply to what Next.js would answer with 500 and a stack in the log; null for everything else.
 */
function toRefusal(request) {
  if (!ALLOWED.includes(request.method))
    return { status: 405, headers: { allow: ALLOWED.join(', ') }, text: 'There is nothing here for this method.' }
  const [path] = request.url.split('?')
  if (isDecodable(path) && isRouterState(request.headers['next-router-state-tree'])) return null
  return { status: 400, headers: {}, text: 'The address is not one that is understood here.' }
}

function isDecodable(text) {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** By Next.js's own rules, which throw later otherwise. */
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
 * In place of `response.destroy`. A reply that is given up leaves by a reset: after an ordinary
 * close the system keeps the connection for many minutes, to deliver what a reader that has stopped
 * will never take.
 */
function breakOff(error) {
  if (!this.writableFinished) this.socket?.resetAndDestroy()
  return destroy.call(this, error)
}

/**
 * Next.js listens to upgrades, which are for its development mode, and then neither answers nor
 * ends them: every request with an Upgrade header left a socket behind. Without a listener Node
 * ignores the header (RFC 9110, 7.8), and the request is one like any other.
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
