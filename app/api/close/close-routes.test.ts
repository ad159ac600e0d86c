import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, startWorld, type World } from '#lib/auth/test-support/test-world.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { SignOffPreview } from '#lib/ledger/close/sign-off.ts'

type Name = 'preview' | 'prepare' | 'approve' | 'withdraw' | 'lock' | 'reopen' | 'exception'

let world: World
let connectionId: ConnectionId
let organizationId: OrganizationId
const browsers = new Map<string, Browser>()
const ids = new Map<string, string>()

beforeAll(async () => {
  world = await startWorld({}, 'both')
  for (const name of ['admin', 'other']) await world.addUser(`${name}@example.com`, 'admin')
  for (const role of ['finance', 'viewer']) await world.addUser(`${role}@example.com`, role)
  await world.addUser('stranger@example.com', 'admin', 'Second')
  const [made] = await world.database.query<{ id: ConnectionId; organizationId: OrganizationId }>(
    `insert into connection (organization_id, state, scopes_asked, created_by)
     select organization_id, 'active', 'expenses:read', id from app_user where email = 'admin@example.com'
     returning id, organization_id as "organizationId"`,
  )
  connectionId = made?.id as ConnectionId
  organizationId = made?.organizationId as OrganizationId
  // settings are read with the first import that needs them: the world has set them by now
  const { decimal, makeInvoice, makeLine, seedInvoices, seedLines } = await import('#lib/ledger/test-support/seed.ts')
  await seedInvoices(organizationId, connectionId, [makeInvoice({ total: decimal('238.01') })])
  await seedLines(organizationId, connectionId, [
    makeLine({ id: 'A' }),
    makeLine({ id: 'B', totalAmount: decimal('119.01') }),
  ])
  for (const name of ['admin', 'other', 'finance', 'viewer', 'stranger']) {
    const browser = world.browser()
    await browser.signIn(`${name}@example.com`)
    browsers.set(name, browser)
    const [person] = await world.database.query<{ id: string }>('select id from app_user where email = $1', [
      `${name}@example.com`,
    ])
    ids.set(name, person?.id ?? '')
  }
})
afterAll(() => world.close())

async function post(who: string, name: Name, body: object) {
  const reply = await (browsers.get(who) as Browser).postJson(`/api/close/${name}`, body)
  return { status: reply.status, body: await reply.json() }
}

const month = () => ({ kind: 'connection_month', connectionId, month: '2026-03' })

async function preview(who: string, step: string): Promise<SignOffPreview> {
  const { status, body } = await post(who, 'preview', { scope: month(), step })
  expect(status).toBe(200)
  return body
}

const REASONS = (open: SignOffPreview['open']) =>
  open.map((each) => ({ ...each, reason: 'Agreed by mail', note: 'see the thread' }))

async function prepare(who: string) {
  const { sealHex, open } = await preview(who, 'prepared')
  return post(who, 'prepare', { scope: month(), sealHex, residuals: REASONS(open) })
}

async function approve(who: string) {
  const { sealHex } = await preview(who, 'approved')
  return post(who, 'approve', { scope: month(), sealHex })
}

const readActions = async () =>
  (
    await world.database.query<{ action: string }>(
      `select action from audit_entry where action like 'close.%' order by number`,
    )
  ).map(({ action }) => action)

test('a month is prepared, approved by somebody else, locked, opened for one person and opened again, each in the audit', async () => {
  const seen = await preview('finance', 'prepared')
  expect(seen).toMatchObject({
    invoiceCount: 1,
    lineCount: 2,
    totals: [{ currency: 'EUR', lineCount: 2, total: '238.01' }],
    undecided: 1,
    open: [{ currency: 'EUR' }],
    refusal: null,
  })
  // what is undecided has to be accepted by its amount and with a reason
  const bare = await post('finance', 'prepare', { scope: month(), sealHex: seen.sealHex })
  expect(bare).toMatchObject({ status: 409, body: { error: { code: 'residual-needed' } } })
  const wrong = [{ currency: 'EUR', amount: '5', reason: 'Agreed' }]
  expect((await post('finance', 'prepare', { scope: month(), sealHex: seen.sealHex, residuals: wrong })).status).toBe(
    409,
  )
  // who may not, and who has prepared
  expect((await prepare('viewer')).status).toBe(403)
  expect(await prepare('admin')).toMatchObject({ status: 200, body: { kind: 'signed', step: 'prepared' } })
  expect((await approve('finance')).status).toBe(403)
  expect(await preview('admin', 'approved')).toMatchObject({ refusal: 'four-eyes' })
  expect(await approve('admin')).toMatchObject({ status: 409, body: { error: { code: 'four-eyes' } } })
  expect(await approve('other')).toMatchObject({ status: 200, body: { kind: 'signed', sealHex: seen.sealHex } })
  expect(await preview('other', 'approved')).toMatchObject({
    refusal: 'already',
    residuals: [{ currency: 'EUR', reason: 'Agreed by mail', by: 'admin@example.com' }],
  })

  expect((await post('finance', 'lock', { scope: month() })).status).toBe(403)
  const locked = await post('admin', 'lock', { scope: month() })
  expect(locked).toMatchObject({ status: 200, body: { kind: 'locked' } })
  const lock = locked.body.number
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const wish = { lock, person: ids.get('finance'), until, reason: 'a late credit' }
  expect((await post('finance', 'exception', wish)).status).toBe(403)
  const granted = await post('admin', 'exception', wish)
  expect(granted).toMatchObject({ status: 200, body: { kind: 'granted' } })
  expect(await post('admin', 'exception', { end: granted.body.id })).toMatchObject({ body: { kind: 'ended' } })
  const far = new Date(Date.now() + 40 * 86_400_000).toISOString()
  expect((await post('admin', 'exception', { ...wish, until: far })).status).toBe(409)
  expect((await post('admin', 'exception', { ...wish, person: ids.get('stranger') })).status).toBe(409)

  expect((await post('admin', 'reopen', { lock, reason: '  ' })).status).toBe(400)
  expect((await post('stranger', 'reopen', { lock, reason: 'mine' })).status).toBe(409)
  expect(await post('admin', 'reopen', { lock, reason: 'a late credit' })).toMatchObject({ body: { kind: 'reopened' } })
  const again = await prepare('finance')
  expect(again).toMatchObject({ status: 200 })
  expect(await post('other', 'withdraw', { signOff: again.body.id })).toMatchObject({
    status: 409,
    body: { error: { code: 'not-own-sign-off' } },
  })
  expect(await post('finance', 'withdraw', { signOff: again.body.id })).toMatchObject({ body: { kind: 'withdrawn' } })
  expect(await readActions()).toEqual([
    'close.prepared',
    'close.approved',
    'close.locked',
    'close.exception-granted',
    'close.exception-ended',
    'close.reopened',
    'close.prepared',
    'close.withdrawn',
  ])
  const [entry] = await world.database.query<{ after: string }>(
    `select after from audit_entry where action = 'close.prepared' order by number limit 1`,
  )
  expect(JSON.parse(entry?.after ?? '')).toMatchObject({ seal: seen.sealHex, lines: 2 })
})

test('what changed since it was seen is not signed: the answer is how it is now', async () => {
  const { sealHex, open } = await preview('finance', 'prepared')
  await world.database.query(`update line set quantity = 3 where id = 'A'`)
  const ended = await post('finance', 'prepare', { scope: month(), sealHex, residuals: REASONS(open) })
  expect(ended).toMatchObject({ status: 409, body: { kind: 'differs', preview: { invoiceCount: 1 } } })
  expect(ended.body.preview.sealHex).not.toBe(sealHex)
})

test('a sync under way is named, and signing under it says so', async () => {
  await world.database.query(
    `insert into sync_run (organization_id, connection_id, trigger, status, started_at) values ($1, $2, 'manual', 'running', now())`,
    [organizationId, connectionId],
  )
  const { sealHex, open, runningSync } = await preview('finance', 'prepared')
  const body = { scope: month(), sealHex, residuals: REASONS(open) }
  expect(await post('finance', 'prepare', body)).toMatchObject({
    status: 409,
    body: { error: { code: 'sync-running' } },
  })
  expect((await post('finance', 'prepare', { ...body, runningRun: runningSync?.id })).status).toBe(200)
  const [signed] = await world.database.query('select running_run as run from sign_off where ended_at is null')
  expect(signed).toEqual({ run: runningSync?.id })
})

test('another organization signs nothing of this one, and sees nothing', async () => {
  expect(await preview('stranger', 'prepared')).toMatchObject({ invoiceCount: 0, refusal: 'nothing' })
  const body = { scope: month(), sealHex: '0'.repeat(64) }
  expect(await post('stranger', 'prepare', body)).toMatchObject({ status: 409, body: { error: { code: 'nothing' } } })
})

test('a month that is none, and an account that is none, are not understood', async () => {
  const of = (scope: object) => post('admin', 'preview', { scope, step: 'prepared' })
  expect((await of({ ...month(), month: '2026-13' })).status).toBe(400)
  expect((await of({ ...month(), connectionId: 'x' })).status).toBe(400)
  const invoice = { kind: 'invoice', connectionId, serialNumber: 'INV-01-0001' }
  expect((await of(invoice)).status).toBe(200)
  expect((await post('admin', 'lock', { scope: invoice })).status).toBe(400)
})
