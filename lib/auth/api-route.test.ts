import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { OperationalError } from '../errors.ts'
import type { ApiOptions } from './api-route.ts'
import { APP_URL, startWorld, type World } from './test-world.ts'

let world: World
let cookie: string
let apiRoute: typeof import('./api-route.ts').apiRoute
const context = { params: Promise.resolve({ id: '7' }) }

beforeAll(async () => {
  world = await startWorld()
  await world.addUser('finance@example.com', 'finance')
  const browser = world.browser()
  await browser.signIn('finance@example.com')
  cookie = `tieout.session=${browser.cookies.get('tieout.session')?.value}`
  apiRoute = (await import('./api-route.ts')).apiRoute
})
afterAll(() => world.close())

const body = z.object({ name: z.string() })
const mutation: ApiOptions<{ name: string }> = { mutation: true, body }

function post(text: string, headers: Record<string, string> = {}) {
  const all = { cookie, origin: APP_URL, 'content-type': 'application/json', ...headers }
  return new Request(`${APP_URL}/api/x`, { method: 'POST', headers: all, body: text })
}

test('hands the session, the body and the path’s parts to the handler, and sends what it returns', async () => {
  const route = apiRoute(mutation, async (call) => ({ ...call.body, ...call.params, role: call.session.role }))
  const response = await route(post('{"name":"x","admin":true}'), context)
  expect([response.status, await response.json()]).toEqual([200, { name: 'x', id: '7', role: 'finance' }])
  expect(response.headers.get('cache-control')).toBe('private, no-store')
})

test.each([
  ['no session', '{"name":"x"}', { cookie: '' }, 401],
  ['a foreign origin', '{"name":"x"}', { origin: 'https://evil.example' }, 403],
  ['Origin: null', '{"name":"x"}', { origin: 'null' }, 403],
  ['a foreign site', '{"name":"x"}', { 'sec-fetch-site': 'cross-site' }, 403],
  ['text/plain', '{"name":"x"}', { 'content-type': 'text/plain' }, 415],
  ['multipart', 'x', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
  ['another body', '{"title":"x"}', {}, 400],
  ['no JSON', '{', {}, 400],
  ['a body that is too large', `{"name":"${'x'.repeat(70_000)}"}`, {}, 413],
  ['a field twice', 'name=x&name=y', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
])('A11, A19: refuses %s before the handler', async (_, text, headers, status) => {
  let hasRun = false
  const route = apiRoute(mutation, async () => {
    hasRun = true
  })
  const response = await route(post(text, headers), context)
  expect([response.status, hasRun]).toEqual([status, false])
  expect(await response.json()).toEqual({ error: { code: expect.any(String), text: expect.any(String) } })
})

test('refuses a role that is too small', async () => {
  const route = apiRoute({ role: 'admin' }, async () => ({}))
  expect((await route(new Request(`${APP_URL}/api/x`, { headers: { cookie } }), context)).status).toBe(403)
})

test('A19: a form field named __proto__ is an ordinary field', async () => {
  const loose = z.record(z.string(), z.string())
  const route = apiRoute({ mutation: true, body: loose }, async (call) => Object.keys(call.body))
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await route(post('__proto__=x&constructor=y', form), context)
  expect(response.status).toBe(200)
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test('answers a failure from the catalog, with a reference that is in the log and without its message', async () => {
  const failing = (error: Error) =>
    apiRoute({}, () => Promise.reject(error))(new Request(`${APP_URL}/api/x`, { headers: { cookie } }), context)
  const secret = await failing(new Error('select secret from x'))
  const { error } = await secret.json()
  expect([secret.status, error.code]).toEqual([500, 'internal'])
  expect(JSON.stringify(error)).not.toContain('select')
  expect(world.logLines.find((line) => line.includes(error.reference))).toContain('select secret from x')
  const busy = await failing(new OperationalError('database-unavailable', 'x'))
  expect(busy.status).toBe(503)
})
