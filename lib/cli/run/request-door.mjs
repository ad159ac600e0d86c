// Loaded before the web server, between Node and Next.js. Gives route handlers the socket's remote
// address, which Next.js does not, in a header with a name made up at each start, so no client can
// send it. Also lets lib/auth/sign-in/sign-in-door.ts refuse a request before Next.js spends
// milliseconds on it, lib/metrics/web-metrics.ts measure each, and closes the connection of who
// drips on after the answer. And it gives each request a place for what its answer is written with:
// lib/reconcile/formats.ts finds it there from both of Next.js's renderers, each of which has its
// own copy of our modules.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { Server } from 'node:http'

const door = {
  addressHeader: `x-client-address-${randomBytes(12).toString('hex')}`,
  refuse: undefined,
  measure: undefined,
  /** How long the rest of a request may take that has its answer: nobody reads it. */
  restMs: 5_000,
}
globalThis.tieoutDoor = door
const formats = new AsyncLocalStorage()
globalThis.tieoutFormats = formats

const { emit } = Server.prototype
Server.prototype.emit = function (event, ...args) {
  if (event !== 'request') return emit.call(this, event, ...args)
  return isTurnedAway(...args) || formats.run({}, () => emit.call(this, event, ...args))
}

function isTurnedAway(request, response) {
  request.headers[door.addressHeader] = request.socket.remoteAddress ?? ''
  door.measure?.(request, response)
  response.once('finish', () => {
    // Node itself waits five minutes for it; a form that came whole is complete here
    if (!request.complete) setTimeout(() => request.complete || request.destroy(), door.restMs).unref()
  })
  const reply = door.refuse?.(request)
  if (!reply) return false
  response.writeHead(reply.status, reply.headers).end(reply.body)
  return true
}
