import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { FaultAction, FaultMatch } from './faults.ts'
import type { Sandbox } from './server.ts'
import { callApi, connect, control, readList, refresh, startTestSandbox } from './test-support/test-client.ts'

let sandbox: Sandbox
let token: string
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(async () => {
  sandbox.reset()
  token = (await connect(sandbox)).access_token
})
afterAll(() => sandbox.close())

const LINES = '/api/v1/invoices/lines'
const inject = (action: FaultAction, match: FaultMatch = { path: LINES }, more: object = {}) =>
  control(sandbox, 'POST', 'faults', { match, action, ...more })
const lines = () => callApi(sandbox, '/invoices/lines', token)

it('fails only the next matching call, with the given status, headers and body', async () => {
  await inject({ type: 'status', status: 429, headers: { 'retry-after': '7' }, body: 'slow down' })
  expect((await callApi(sandbox, '/profiles', token)).status).toBe(200)
  const failed = await lines()
  expect([failed.status, failed.headers.get('retry-after'), await failed.text()]).toEqual([429, '7', 'slow down'])
  expect((await lines()).status).toBe(200)
})

it('counts calls: the second and third fail, the others do not', async () => {
  await inject({ type: 'status', status: 503 }, { path: '/api/v1/*' }, { nth: 2, times: 2 })
  const statuses: number[] = []
  for (let call = 0; call < 5; call += 1) statuses.push((await lines()).status)
  expect(statuses).toEqual([200, 503, 503, 200, 200])
})

it('drop_before resets the connection and spends nothing; drop_after_effect spends the token', async () => {
  const { refresh_token } = await connect(sandbox, { account: 'meridian' })
  await inject({ type: 'drop_before' }, { method: 'POST', bodyIncludes: 'grant_type=refresh_token' })
  await expect(refresh(sandbox, refresh_token)).rejects.toThrow()
  await inject({ type: 'drop_after_effect' }, { method: 'POST', bodyIncludes: 'grant_type=refresh_token' })
  await expect(refresh(sandbox, refresh_token)).rejects.toThrow()
  expect((await refresh(sandbox, refresh_token)).status).toBe(400)
  const state = await control<{ tokenCalls: object; reuseAttempts: number }>(sandbox, 'GET', 'state')
  expect(state).toMatchObject({ tokenCalls: { refresh_token: { success: 1, invalid_grant: 1 } }, reuseAttempts: 1 })
})

it('truncates: the body ends before its announced length', async () => {
  await inject({ type: 'truncate', bytes: 100 })
  await expect(lines().then((response) => response.text())).rejects.toThrow()
  await inject({ type: 'truncate', bytes: 100, keepLength: false })
  expect(await (await lines()).text()).toHaveLength(100)
})

it('answers HTML with 200, another content type, a compressed body, changed text', async () => {
  await inject({ type: 'html' })
  const html = await lines()
  expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  await inject({ type: 'content_type', value: 'text/plain' })
  expect((await lines()).headers.get('content-type')).toBe('text/plain')
  await inject({ type: 'gzip' })
  expect(((await (await lines()).json()) as { invoice_lines: unknown[] }).invoice_lines).toHaveLength(10)
  await inject({ type: 'rewrite', replace: [['"invoice_lines"', '"renamed"']] })
  expect(await (await lines()).json()).toHaveProperty('renamed')
})

it('inflates a small body, pads a large one', async () => {
  await inject({ type: 'gzip_bomb', megabytes: 20 })
  const bomb = await lines()
  expect(Number(bomb.headers.get('content-length'))).toBeLessThan(100_000)
  expect((await bomb.arrayBuffer()).byteLength).toBe(20 * 1024 * 1024)
  await inject({ type: 'pad', bytes: 3_000_000 })
  expect((await (await lines()).arrayBuffer()).byteLength).toBe(3_000_000)
})

it('delays, and trickles the body in pieces', async () => {
  await inject({ type: 'delay', ms: 150 })
  const start = performance.now()
  await lines()
  expect(performance.now() - start).toBeGreaterThan(140)
  await inject({ type: 'trickle', bytes: 2000, everyMs: 20 })
  const slow = performance.now()
  const body = (await (await lines()).json()) as { invoice_lines: unknown[] }
  expect(body.invoice_lines).toHaveLength(10)
  expect(performance.now() - slow).toBeGreaterThan(60)
})

it('answers an empty list, keeping the total or with zero', async () => {
  const { total } = await readList(sandbox, '/invoices/lines', token)
  await inject({ type: 'empty_list', keepTotal: true })
  expect(await readList(sandbox, '/invoices/lines', token)).toMatchObject({ total, invoice_lines: [] })
  await inject({ type: 'empty_list' })
  expect(await readList(sandbox, '/invoices/lines', token)).toMatchObject({ total: 0, invoice_lines: [] })
})

it('shifts pages: an invoice issued at the front repeats records on the next page', async () => {
  await inject({ type: 'shift', position: 'front', lines: 3 }, { path: LINES }, { nth: 2 })
  const first = await readList(sandbox, '/invoices/lines?offset=0', token)
  const second = await readList(sandbox, '/invoices/lines?offset=10', token)
  expect(second.total).toBe(first.total + 3)
  expect(second.invoice_lines.slice(0, 3).map((line) => line.id)).toEqual(
    first.invoice_lines.slice(7).map((line) => line.id),
  )
})
