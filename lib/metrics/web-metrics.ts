import type { IncomingMessage, ServerResponse } from 'node:http'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type MetricsAddress, type ServedMetrics, serveMetrics } from './metrics-server.ts'

/** Set by lib/cli/run/request-door.mjs before the web server: it sees every request first. */
const holder = globalThis as {
  tieoutDoor?: { measure?: (request: IncomingMessage, response: ServerResponse) => void }
}

/** From a row that is at hand to the slowest page that anybody waits for. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 30]

/** Starts measuring every request of this web server, and serves what was measured. */
export function serveWebMetrics(address: MetricsAddress): Promise<ServedMetrics> {
  const { registry, measure } = makeWebMetrics()
  if (holder.tieoutDoor !== undefined) holder.tieoutDoor.measure = measure
  return serveMetrics(address, registry)
}

/** @internal The meters of a web server, unconnected. */
export function makeWebMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Histogram({
    name: 'tieout_http_request_seconds',
    help: 'Time from a request’s head to the last byte of its answer.',
    labelNames: ['kind', 'status'],
    buckets: SECONDS,
    registers,
  })
  const brokenOff = new Counter({
    name: 'tieout_http_broken_off_total',
    help: 'Answers whose client left before the last byte.',
    labelNames: ['kind'],
    registers,
  })
  const inHand = new Gauge({ name: 'tieout_http_requests_in_hand', help: 'Requests being answered.', registers })
  const measure = (request: IncomingMessage, response: ServerResponse) => {
    const begin = process.hrtime.bigint()
    const kind = toRequestKind(request.url ?? '/')
    inHand.inc()
    response.once('close', () => {
      inHand.dec()
      if (!response.writableFinished) brokenOff.inc({ kind })
      const seconds = Number(process.hrtime.bigint() - begin) / 1e9
      requests.observe({ kind, status: `${Math.floor(response.statusCode / 100)}xx` }, seconds)
    })
  }
  return { registry, measure }
}

/** The few kinds of requests that are told apart: an address could name a person or an account. */
export function toRequestKind(url: string): string {
  const [path = '/'] = url.split('?')
  if (path.startsWith('/_next/') || path === '/icon.svg') return 'file'
  if (/^\/(sign-in|api\/sign-(in|out))/.test(path)) return 'sign-in'
  if (/^\/api\/(health|ready)$/.test(path)) return 'probe'
  if (/^\/api\/(export|invoices\/document|audit\/export)/.test(path)) return 'download'
  if (path.startsWith('/api/scim/')) return 'directory'
  if (path.startsWith('/api/webhooks/')) return 'webhook'
  return path.startsWith('/api/') ? 'data' : 'page'
}
