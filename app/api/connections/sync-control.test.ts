import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { APP_URL, startWorld, type World } from '#lib/auth/test-support/test-world.ts'
import type { ConnectionId } from '#lib/ids.ts'

type Route = { POST: (request: Request, context: { params: Promise<{ id: string }> }) => Promise<Response> }

let world: World
let connectionId: ConnectionId
const routes = new Map<string, Route>()

beforeAll(async () => {
  world = await startWorld()
  for (const name of ['pause', 'resume', 'cancel', 'loss', 'reparse', 'schedule'])
    routes.set(name, (await import(`./[id]/sync/${name}/route.ts`)) as Route)
  await world.addUser('admin@example.com', 'admin')
  await world.addUser('finance@example.com', 'finance')
  await world.addUser('viewer@example.com', 'viewer')
  await world.addUser('stranger@example.com', 'admin', 'Second')
  const [made] = await world.database.query<{ id: string }>(
    `insert into connection (organization_id, state, scopes_asked, created_by)
     select organization_id, 'active', 'expenses:read', id from app_user where email = 'admin@example.com' returning id`,
  )
  connectionId = made?.id as ConnectionId
  await world.database.query(
    `insert into sync_run (organization_id, connection_id, trigger, status) select organization_id, id, 'manual', 'running' from connection`,
  )
})
afterAll(() => world.close())

const cookies = new Map<string, string>()

async function signIn(email: string): Promise<string> {
  const browser = world.browser()
  await browser.signIn(email)
  return [...browser.cookies].map(([key, { value }]) => `${key}=${value}`).join('; ')
}

async function post(email: string, name: string, body: object = {}, headers: Record<string, string> = {}) {
  const cookie = cookies.get(email) ?? (await signIn(email))
  cookies.set(email, cookie)
  const request = new Request(`${APP_URL}/api/connections/${connectionId}/sync/${name}`, {
    method: 'POST',
    headers: {
      cookie,
      origin: APP_URL,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      ...headers,
    },
    body: headers['content-type'] === undefined ? JSON.stringify(body) : new URLSearchParams(body as never),
  })
  return (routes.get(name) as Route).POST(request, { params: Promise.resolve({ id: connectionId }) })
}
const status = async () => (await world.database.query<{ status: string }>('select status from sync_run'))[0]?.status

test('lets finance staff pause, resume and cancel a sync, and says what does not apply', async () => {
  expect((await post('finance@example.com', 'pause')).status).toBe(200)
  expect(await status()).toBe('paused')
  expect((await post('finance@example.com', 'pause')).status).toBe(409)
  expect((await post('finance@example.com', 'resume')).status).toBe(200)
  expect(await status()).toBe('queued')
  expect((await post('finance@example.com', 'cancel')).status).toBe(200)
  expect(await status()).toBe('canceled')
})

test('A8 A11: refuses a viewer, another organization and another site', async () => {
  for (const name of ['pause', 'resume', 'cancel', 'reparse']) {
    expect((await post('viewer@example.com', name)).status).toBe(403)
    expect((await post('stranger@example.com', name)).status).toBe(404)
    expect(
      (await post('finance@example.com', name, {}, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }))
        .status,
    ).toBe(403)
  }
})

test('sends a plain form back to the connection’s page in every case', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const name of ['pause', 'resume', 'cancel']) {
    const reply = await post('finance@example.com', name, {}, form)
    expect([reply.status, reply.headers.get('location')]).toEqual([303, `/connections/${connectionId}#sync`])
  }
})

test('F25: lets only an admin decide about a held loss, and once', async () => {
  const [run] = await world.database.query<{ id: string }>(
    `update sync_run set status = 'held', started_at = now() returning id`,
  )
  await world.database.query(
    `insert into sync_loss (organization_id, run_id, connection_id, line_count, missing_lines, invoice_count, missing_invoices, totals)
     select organization_id, id, connection_id, 10, 5, 2, 1, '[]' from sync_run`,
  )
  const body = { runId: run?.id, decision: 'rejected' }
  expect((await post('finance@example.com', 'loss', body)).status).toBe(403)
  expect((await post('stranger@example.com', 'loss', body)).status).toBe(404)
  expect((await post('admin@example.com', 'loss', { ...body, decision: 'perhaps' })).status).toBe(400)
  expect(await status()).toBe('held')
  expect((await post('admin@example.com', 'loss', body)).status).toBe(200)
  expect((await post('admin@example.com', 'loss', body)).status).toBe(409)
  const [loss] = await world.database.query('select decision, decided_by is not null as signed from sync_loss')
  expect(loss).toEqual({ decision: 'rejected', signed: true })
})

test('F25: a held loss is accepted by the set that was seen and its number; a form is led back to what has changed', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await world.database.query(`update sync_loss set decision = null, decided_at = null, decided_by = null`)
  await world.database.query(`update sync_run set status = 'held'`)
  const [run] = await world.database.query<{ id: string }>('select id from sync_run')
  const accepted = { runId: run?.id ?? '', decision: 'accepted' }
  const another = { ...accepted, set: '0'.repeat(64), seen: '150-3' }
  for (const wrong of [
    accepted,
    { ...another, set: 'all' },
    { ...another, seen: '//evil' },
    { ...another, typed: [1] },
  ])
    expect((await post('admin@example.com', 'loss', wrong)).status).toBe(400)
  expect((await post('admin@example.com', 'loss', another)).status).toBe(409)
  const reply = await post('admin@example.com', 'loss', another, form)
  expect([reply.status, reply.headers.get('location')]).toEqual([303, `/connections/${connectionId}/loss?seen=150-3`])
  expect(await status()).toBe('held')
  // nothing of the account is stored: the set is empty, and has the hash of nothing
  const nothing = { ...accepted, set: createHash('sha256').digest('hex') }
  expect((await post('finance@example.com', 'loss', nothing)).status).toBe(403)
  expect((await post('admin@example.com', 'loss', nothing)).status).toBe(200)
  const back = { runId: run?.id, decision: 'taken-back' }
  expect((await post('finance@example.com', 'loss', back)).status).toBe(403)
  expect((await post('admin@example.com', 'loss', back)).status).toBe(200)
  expect((await post('admin@example.com', 'loss', back)).status).toBe(409)
})

test('A19: takes the interval as digits of a form or a number of a script, and nothing that only converts to one', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(await (await post('admin@example.com', 'schedule', { minutes: 240 })).json()).toEqual({ minutes: 240 })
  expect(await (await post('admin@example.com', 'schedule', { minutes: '60' })).json()).toEqual({ minutes: 60 })
  const readings = { lookBackHours: '6', verifyDays: 28 }
  expect(await (await post('admin@example.com', 'schedule', readings)).json()).toEqual({
    lookBackHours: 6,
    verifyDays: 28,
  })
  for (const wrong of [{ lookBackHours: 7 }, { verifyDays: ['7'] }, { ...readings, minutes: 61 }])
    expect((await post('admin@example.com', 'schedule', wrong)).status).toBe(400)
  expect((await post('admin@example.com', 'schedule', {}, form)).status).toBe(400)
  for (const minutes of [
    ['60'],
    [60],
    '0x3c',
    '6e1',
    ' 60',
    '60.0',
    '+60',
    '',
    true,
    null,
    { toString: '60' },
    61,
    '٦٠',
  ])
    expect([minutes, (await post('admin@example.com', 'schedule', { minutes })).status]).toEqual([minutes, 400])
  const [stored] = await world.database.query(
    'select sync_every_minutes, look_back_every_hours, verify_every_days from connection',
  )
  expect(stored).toEqual({ sync_every_minutes: 60, look_back_every_hours: 6, verify_every_days: 28 })
})

test('F23: asking to read rejected records again returns at once, even with their rows locked; two requests are one', async () => {
  await world.database.query(
    `insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, reason, path, first_run_id)
     select organization_id, connection_id, 'lines', 'hash', '{}', 'not understood', '', id from sync_run`,
  )
  await world.database.query('begin')
  await world.database.query('select from rejected_line for update')
  const replies = await Promise.all([1, 2].map(() => post('finance@example.com', 'reparse')))
  await world.database.query('rollback')
  expect(replies.map(({ status }) => status)).toEqual([202, 202])
  expect(new Set(await Promise.all(replies.map((reply) => reply.json())))).toEqual(
    new Set([{ joined: false }, { joined: true }]),
  )
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await post('finance@example.com', 'reparse', {}, form)
  expect([reply.status, reply.headers.get('location')]).toEqual([303, '/rejected'])
  const wishes = await world.database.query(
    `select u.email, w.finished_at from reparse_wish w join app_user u on u.id = w.requested_by`,
  )
  expect(wishes).toEqual([{ email: 'finance@example.com', finished_at: null }])
})
