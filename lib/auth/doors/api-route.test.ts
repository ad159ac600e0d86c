import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { REQUEST_KINDS } from '../limits/request-kinds.ts'
import { APP_URL, startWorld, type World } from '../test-support/test-world.ts'

let world: World
let cookie: string
let routes: typeof import('./api-route.ts')
let connectionId: ConnectionId
let strangerConnectionId: ConnectionId

beforeAll(async () => {
  world = await startWorld()
  await world.addUser('finance@example.com', 'finance')
  await world.addUser('stranger@example.com', 'admin', 'Second')
  const browser = world.browser()
  await browser.signIn('finance@example.com')
  cookie = `tieout.session=${browser.cookies.get('tieout.session')?.value}`
  connectionId = await addConnection('finance@example.com')
  strangerConnectionId = await addConnection('stranger@example.com')
  routes = await import('./api-route.ts')
})
afterAll(() => world.close())

async function addConnection(email: string): Promise<ConnectionId> {
  const [made] = await world.database.query<{ id: string }>(
    `insert into connection (organization_id, state, scopes_asked, created_by)
     select organization_id, 'active', 'expenses:read', id from app_user where email = $1 returning id`,
    [email],
  )
  return made?.id as ConnectionId
}

const body = z.object({ name: z.string() })

function get(headers: Record<string, string> = {}) {
  return new Request(`${APP_URL}/api/x`, { headers: { cookie, ...headers } })
}

function post(text: string, headers: Record<string, string> = {}) {
  const all = { cookie, origin: APP_URL, 'content-type': 'application/json', ...headers }
  return new Request(`${APP_URL}/api/x`, { method: 'POST', headers: all, body: text })
}

const at = (id: string) => ({ params: Promise.resolve({ id }) })

test('hands the session and the body to the handler, and sends what it returns', async () => {
  const route = routes.writeRoute({ may: 'read', body }, async (call) => ({ ...call.body, role: call.session.role }))
  const response = await route(post('{"name":"x","admin":true}'))
  expect([response.status, await response.json()]).toEqual([200, { name: 'x', role: 'finance' }])
  expect(response.headers.get('cache-control')).toBe('private, no-store')
})

test('A14: no text that the database cannot hold reaches a handler, however deep it is', async () => {
  const route = routes.writeRoute({ may: 'read', body: z.record(z.string(), z.unknown()) }, async () => 'taken')
  const deep = `${'['.repeat(30_000)}"x"${']'.repeat(30_000)}`
  expect((await route(post(`{"name":${deep}}`))).status).toBe(200)
  for (const text of [
    '{"name":"a\\u0000"}',
    '{"name":[{"a":"\\ud800"}]}',
    '{"a\\u0000":1}',
    `{"name":${deep.replace('x', '\\udc00')}}`,
  ])
    expect((await route(post(text))).status, text.slice(0, 30)).toBe(400)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await route(post('name=a%00', form))).status).toBe(400)
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
  const handler = async () => {
    hasRun = true
  }
  for (const route of [
    routes.writeRoute({ may: 'read', body }, handler),
    routes.connectionWriteRoute({ may: 'read', body }, handler),
  ]) {
    const response = await route(post(text, headers), at(connectionId))
    expect([response.status, hasRun]).toEqual([status, false])
    expect(await response.json()).toEqual({ error: { code: expect.any(String), text: expect.any(String) } })
  }
})

test('A11: a route that changes something checks the origin first, even when it is public', async () => {
  const foreign = { cookie: '', origin: 'https://evil.example' }
  const reply = async () => new Response('done')
  const because = 'a test'
  expect((await routes.writeRoute({ may: 'read' }, reply)(post('', foreign))).status).toBe(403)
  expect((await routes.publicWriteRoute({ because, origin: 'ours' }, reply)(post('', foreign))).status).toBe(403)
  const refusal = () => new Response(null, { status: 303 })
  expect((await routes.publicWriteRoute({ because, origin: 'ours', refusal }, reply)(post('', foreign))).status).toBe(
    303,
  )
  expect((await routes.publicWriteRoute({ because, origin: 'anyone' }, reply)(post('', foreign))).status).toBe(200)
})

test('A7: routes that read need a session too', async () => {
  const reply = async () => ({})
  expect((await routes.readRoute({ may: 'read' }, reply)(get({ cookie: '' }))).status).toBe(401)
  const ofConnection = routes.connectionReadRoute({ may: 'read' }, reply)
  expect((await ofConnection(get({ cookie: '' }), at(connectionId))).status).toBe(401)
})

test('refuses a role that is too low', async () => {
  const reply = async () => ({})
  expect((await routes.readRoute({ may: 'connect-accounts' }, reply)(get())).status).toBe(403)
  expect((await routes.writeRoute({ may: 'connect-accounts' }, reply)(post('{}'))).status).toBe(403)
  expect((await routes.connectionReadRoute({ may: 'connect-accounts' }, reply)(get(), at(connectionId))).status).toBe(
    403,
  )
  expect(
    (await routes.connectionWriteRoute({ may: 'connect-accounts' }, reply)(post('{}'), at(connectionId))).status,
  ).toBe(403)
})

describe('routes of a connection', () => {
  test('get the connection that the address names', async () => {
    const read = routes.connectionReadRoute({ may: 'read' }, async (call) => ({ id: call.connection.id }))
    const write = routes.connectionWriteRoute({ may: 'read' }, async (call) => ({ id: call.connection.id }))
    expect(await (await read(get(), at(connectionId))).json()).toEqual({ id: connectionId })
    expect(await (await write(post('{}'), at(connectionId))).json()).toEqual({ id: connectionId })
  })

  test('A8: answer 404 for any id that is no connection of the organization, without reaching the handler', async () => {
    const none = '00000000-0000-4000-8000-000000000000'
    const ids = [
      none,
      strangerConnectionId,
      connectionId.toUpperCase(),
      `{${connectionId}}`,
      connectionId.replaceAll('-', ''),
      ...[
        `${connectionId}\0`,
        '\0',
        '%00',
        '\ud800',
        `'; drop table line; --`,
        '"',
        '..',
        '',
        ' ',
        '{}',
        '[]',
        '__proto__',
      ],
      'x'.repeat(5000),
      `${connectionId}\n`,
      ` ${connectionId}`,
      '1',
      'null',
      '\u202e',
    ]
    let hasRun = false
    const handler = async () => {
      hasRun = true
    }
    for (const id of ids) {
      const replies = [
        await routes.connectionReadRoute({ may: 'read' }, handler)(get(), at(id)),
        await routes.connectionWriteRoute({ may: 'read' }, handler)(post('{}'), at(id)),
      ]
      for (const reply of replies) {
        expect([id, reply.status]).toEqual([id, 404])
        expect(await reply.json()).toEqual({ error: { code: 'not-found', text: 'There is no such connection.' } })
      }
    }
    expect(hasRun).toBe(false)
    const route = routes.connectionReadRoute({ may: 'read' }, handler)
    expect((await route(get())).status).toBe(404)
    expect((await route(get(), { params: Promise.resolve({ id: [connectionId] }) })).status).toBe(404)
  })
})

test('A19: a form field named __proto__ is an ordinary field', async () => {
  const loose = z.record(z.string(), z.string())
  const route = routes.writeRoute({ may: 'read', body: loose }, async (call) => Object.keys(call.body))
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await route(post('__proto__=x&constructor=y', form))
  expect(response.status).toBe(200)
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test('answers a failure from the catalog, with a reference found in the log and without its message', async () => {
  const failing = (error: Error) => routes.readRoute({ may: 'read' }, () => Promise.reject(error))(get())
  const secret = await failing(new Error('select secret from x'))
  const { error } = await secret.json()
  expect([secret.status, error.code]).toEqual([500, 'internal'])
  expect(JSON.stringify(error)).not.toContain('select')
  expect(world.logLines.find((line) => line.includes(error.reference))).toContain('select secret from x')
  const busy = await failing(new OperationalError('database-unavailable', 'x'))
  expect(busy.status).toBe(503)
  const away = await failing(new Error('Connection terminated unexpectedly'))
  expect([away.status, (await away.json()).error.code]).toEqual([503, 'database-unavailable'])
  const unknown = await failing(new OperationalError('commit-unknown', 'x'))
  expect([unknown.status, (await unknown.json()).error.code]).toEqual([503, 'commit-unknown'])
  const open = routes.publicReadRoute({ because: 'a test' }, () => Promise.reject(new Error('select secret from y')))
  expect(await (await open(get())).text()).not.toContain('select')
})

test('A18: who asks for too much is told when to come back, whatever the role; others are answered', async () => {
  const { settings } = await import('#lib/env.ts')
  const { requestBudgetFactor } = settings()
  settings().requestBudgetFactor = 1
  onTestFinished(() => {
    settings().requestBudgetFactor = requestBudgetFactor
  })
  await world.addUser('busy@example.com', 'viewer')
  const browser = world.browser()
  await browser.signIn('busy@example.com')
  const busy = { cookie: `tieout.session=${browser.cookies.get('tieout.session')?.value}` }
  let answered = 0
  const handler = async () => {
    answered += 1
    return {}
  }
  const file = routes.readRoute({ may: 'export', kind: 'document' }, handler)
  const { burst } = REQUEST_KINDS.document.budget
  const statuses: number[] = []
  for (let n = 0; n < burst + 3; n++) statuses.push((await file(get(busy))).status)
  expect(statuses).toEqual([...Array.from({ length: burst }, () => 200), 429, 429, 429])
  expect(answered).toBe(burst)
  const refused = await file(get(busy))
  expect(refused.headers.get('retry-after')).toMatch(/^[123]$/)
  expect((await refused.json()).error).toMatchObject({
    code: 'too-many-requests',
    text: expect.stringContaining('Please wait'),
  })
  const adminOnly = routes.readRoute({ may: 'connect-accounts', kind: 'document' }, handler)
  expect((await adminOnly(get(busy))).status).toBe(429)
  expect((await file(get())).status).toBe(200)
})

test('A18: a route that says nothing about its cost has the budget of its method', () => {
  const kindOf = (route: unknown) => routes.readRouteAccess(route)?.kind
  const reply = async () => ({})
  expect(kindOf(routes.readRoute({ may: 'read' }, reply))).toBe('read')
  expect(kindOf(routes.connectionReadRoute({ may: 'read' }, reply))).toBe('read')
  expect(kindOf(routes.writeRoute({ may: 'read' }, reply))).toBe('write')
  expect(kindOf(routes.connectionWriteRoute({ may: 'read' }, reply))).toBe('write')
})

test('A18: a statement takes no longer than its kind of request may', async () => {
  const { withTenantSql } = await import('#lib/db/tenant.ts')
  const ask = (organizationId: OrganizationId) =>
    withTenantSql(organizationId, (sql) => sql(`select current_setting('statement_timeout') as limit`))
  for (const [kind, limit] of [
    ['search', '5s'],
    ['rows', '15s'],
    ['export', '2min'],
  ] as const) {
    const route = routes.readRoute({ may: 'read', kind }, ({ session }) => ask(session.organizationId))
    expect(await (await route(get())).json()).toEqual([{ limit }])
  }
  const open = { because: 'a test', origin: 'ours', kind: 'sign-in' } as const
  const signIn = routes.publicWriteRoute(open, async () =>
    Response.json(await ask('00000000-0000-4000-8000-000000000001' as OrganizationId)),
  )
  expect(await (await signIn(post(''))).json()).toEqual([{ limit: '5s' }])
})
