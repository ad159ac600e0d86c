import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { switchPool } from '#lib/db/pool.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ServedMetrics } from './metrics-server.ts'
import { serveMetrics } from './metrics-server.ts'
import { makeWebMetrics, toRequestKind } from './web-metrics.ts'
import { serveWorkerMetrics } from './worker-metrics.ts'

const HERE = { host: '127.0.0.1', port: 0 }
let database: TestDatabase
let served: ServedMetrics | undefined
let web: Server | undefined

beforeAll(async () => {
  database = await createTestDatabase()
  await switchPool(database.url)
})
afterEach(async () => {
  await served?.stop()
  await new Promise((resolve) => (web === undefined ? resolve(null) : web.close(resolve)))
  web = served = undefined
})
afterAll(() => database.drop())

async function scrape(path = '/metrics', init: RequestInit = {}): Promise<{ status: number; lines: string[] }> {
  const reply = await fetch(`http://127.0.0.1:${served?.port}${path}`, init)
  return { status: reply.status, lines: (await reply.text()).split('\n') }
}

async function seedConnections(): Promise<void> {
  await database.query(`insert into organization (id, name) values
    ('00000000-0000-4000-8000-00000000000a', 'Canary Holding')`)
  await database.query(`insert into app_user (organization_id, id, email, name, role)
    values ('00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b', 'canary@tieout.example', 'Canary Person', 'admin')`)
  await database.query(`insert into connection (organization_id, name, state, scopes_asked, created_by)
    select '00000000-0000-4000-8000-00000000000a', 'Canary account', 'active', 'x', '00000000-0000-4000-8000-00000000000b'
    from generate_series(1, 3)`)
  await database.query(`insert into operator_notice (organization_id, kind, detail)
    values ('00000000-0000-4000-8000-00000000000a', 'client_refused', 'canary words of the platform')`)
}

test('a worker shows the work that waits, and neither a name nor an id of anybody (A8)', async () => {
  await seedConnections()
  served = await serveWorkerMetrics(HERE)
  const { status, lines } = await scrape()
  expect(status).toBe(200)
  expect(lines).toContain('tieout_connections{state="active"} 3')
  expect(lines).toContain('tieout_operator_notices{kind="client_refused"} 1')
  expect(lines.find((line) => line.startsWith('tieout_process_resident_memory_bytes'))).toBeDefined()
  expect(lines.filter((line) => /canary|00000000-0000/i.test(line))).toEqual([])
  await database.query(`update operator_notice set resolved_at = now()`)
  await database.query(`update connection set state = 'needs_reconnect'`)
  const later = (await scrape()).lines
  expect(later).toContain('tieout_connections{state="needs_reconnect"} 3')
  expect(later.filter((line) => /^tieout_(connections\{state="active"|operator_notices\{)/.test(line))).toEqual([])
})

test('without the database a worker still shows its process, and none of the figures it cannot know', async () => {
  served = await serveWorkerMetrics(HERE)
  await switchPool('postgresql://nobody@127.0.0.1:1/none')
  const { status, lines } = await scrape()
  await switchPool(database.url)
  expect(status).toBe(200)
  expect(lines.filter((line) => /^tieout_(connections|sync_runs)\{/.test(line))).toEqual([])
  expect(lines.some((line) => line.startsWith('tieout_nodejs_eventloop_lag_seconds'))).toBe(true)
})

test('a web server counts each answer by kind and status, and those that nobody waited for', async () => {
  const { registry, measure } = makeWebMetrics()
  web = createServer((request, response) => {
    measure(request, response)
    if (request.url === '/api/lines') response.writeHead(503).end()
    else if (request.url?.startsWith('/api/export')) response.write('a part')
    else response.end('whole')
  })
  await new Promise<void>((resolve) => web?.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  served = await serveMetrics(HERE, registry)
  await (await fetch(`${origin}/lines?q=canary`)).text()
  await (await fetch(`${origin}/api/lines`)).text()
  const leaving = new AbortController()
  const download = await fetch(`${origin}/api/export/lines`, { signal: leaving.signal })
  expect((await scrape()).lines).toContain('tieout_http_requests_in_hand 1')
  leaving.abort()
  await download.text().catch(() => undefined)
  await expect.poll(async () => (await scrape()).lines).toContain('tieout_http_broken_off_total{kind="download"} 1')
  const { lines } = await scrape()
  expect(lines).toContain('tieout_http_request_seconds_count{kind="page",status="2xx"} 1')
  expect(lines).toContain('tieout_http_request_seconds_count{kind="data",status="5xx"} 1')
  expect(lines.join('\n')).not.toContain('canary')
})

test('nothing but GET /metrics is answered', async () => {
  served = await serveMetrics(HERE, makeWebMetrics().registry)
  expect((await scrape('/')).status).toBe(404)
  expect((await scrape('/metrics', { method: 'POST' })).status).toBe(404)
  expect((await scrape('/metrics')).status).toBe(200)
})

test('a taken port fails the start', async () => {
  served = await serveMetrics(HERE, makeWebMetrics().registry)
  await expect(serveMetrics({ ...HERE, port: served.port }, makeWebMetrics().registry)).rejects.toThrow('EADDRINUSE')
})

test.each([
  ['/', 'page'],
  ['/lines?q=x', 'page'],
  ['/_next/static/chunks/x.js', 'file'],
  ['/api/sign-in', 'sign-in'],
  ['/sign-in?error=credentials', 'sign-in'],
  ['/api/ready', 'probe'],
  ['/api/export/lines?x=1', 'download'],
  ['/api/connections/1/sync', 'data'],
])('%s is counted as %s', (url, kind) => {
  expect(toRequestKind(url)).toBe(kind)
})
