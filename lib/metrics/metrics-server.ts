/**
 * What a process shows of itself to Prometheus, on a port of its own that the public never reaches:
 * counts and times without any name, id or amount of an organization (docs/operations.md).
 */
import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { pool } from '#lib/db/pool.ts'
import { log } from '#lib/log.ts'

export type MetricsAddress = { host: string; port: number }

export type ServedMetrics = { port: number; stop: () => Promise<void> }

/** A scraper waits about ten seconds; whoever sends nothing is not one. */
const PATIENCE_MS = 5_000

/**
 * Serves `GET /metrics` of the registry, with the process's own figures added. `refresh` runs
 * before each answer; when it fails, the figures that it sets are left out and the rest is shown.
 * @throws Error when the port is taken.
 */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  registry: Registry,
  refresh: () => Promise<void> = async () => undefined,
): Promise<ServedMetrics> {
  collectDefaultMetrics({ register: registry, prefix: 'tieout_' })
  addPoolGauge(registry)
  const server = createServer({ requestTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS }, (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics is all there is here.\n')
      return
    }
    answer(registry, refresh).then(
      (text) =>
        response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text),
      (thrown: unknown) => {
        log.error({ reason: String(thrown) }, 'metrics failed')
        response.writeHead(500).end()
      },
    )
  })
  await listen(server, { host, port })
  // a process ends when its work does, whoever still scrapes it
  server.unref()
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(registry: Registry, refresh: () => Promise<void>): Promise<string> {
  await refresh().catch((thrown: unknown) => log.warn({ reason: String(thrown) }, 'metrics are incomplete'))
  return registry.metrics()
}

function addPoolGauge(registry: Registry): void {
  new Gauge({
    name: 'tieout_database_connections',
    help: 'Connections of this process’s pool.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { totalCount, idleCount, waitingCount } = pool()
      this.set({ state: 'busy' }, totalCount - idleCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'waited_for' }, waitingCount)
    },
  })
}

function listen(server: Server, { host, port }: MetricsAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}
