import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { settings } from '#lib/env.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { Secret } from '#lib/secret.ts'
import { runSync } from '#lib/sync/reading/run-sync.ts'
import { requestDueSyncs } from '#lib/sync/runs/schedule.ts'
import { ARRANGE_TIMING, QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import { dataCalls, expectUpstream } from '#lib/sync/test-support/test-upstream.ts'
import { POST } from './route.ts'

const SECRET = 'a secret of the endpoint'
const NOW = () => new Date('2026-11-20T12:00:00Z')
const timing = { ...QUICK_TIMING, windowRecords: 50 }

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  Object.assign(settings(), { webhook: { secret: new Secret(SECRET), signatureHeader: 'x-platform-signature' } })
  world.sandbox.reset()
  await world.database.query('delete from connection')
})

/** A connection that has been synced once. */
async function connect() {
  connectionId = (await world.connect('nordlicht')).connectionId
  await syncNow(world, connectionId, { now: NOW, timing: ARRANGE_TIMING })
  world.sandbox.state().calls.clear()
}

const sign = (body: string | Buffer, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex')
function send(body: string | Buffer, signature: string | null = sign(body)) {
  const headers = new Headers(signature === null ? {} : { 'X-Platform-Signature': signature })
  const bytes = new Uint8Array(Buffer.from(body))
  return POST(new Request('http://localhost:3000/api/webhooks/invoices', { method: 'POST', headers, body: bytes }))
}
const account = () => world.sandbox.state().requireAccount('nordlicht')
const bodyOf = (serialNumber: string) =>
  JSON.stringify({
    serial_number: serialNumber,
    profile_id: account().profiles[0]?.id,
    status: 'paid',
    total: '1.00',
    lines: [],
  })
const hints = () => world.database.query<{ serial_number: string; handled_at: Date | null }>('select * from sync_hint')
async function runQueued() {
  const [run] = await world.database.query<{ id: string; kind: string; trigger: string }>(
    `select id, kind, trigger from sync_run where connection_id = $1 and status = 'queued'`,
    [connectionId],
  )
  const signal = new AbortController().signal
  const { organizationId, partner } = world
  const outcome = run && (await runSync({ organizationId, runId: run.id }, { partner, timing, signal, now: NOW }))
  return { kind: run?.kind, trigger: run?.trigger, outcome }
}

test('a signed hint has that invoice and its lines read from the platform, and nothing else', async () => {
  await connect()
  const { serialNumber } = world.sandbox
    .state()
    .issueInvoice('nordlicht', { lines: 3, issuingDate: '2026-01-05', status: 'paid' })
  expect((await send(bodyOf(serialNumber))).status).toBe(202)
  expect(await runQueued()).toEqual({ kind: 'invoices', trigger: 'webhook', outcome: 'succeeded' })
  await expectUpstream(world, connectionId, 'nordlicht')
  expect(dataCalls(world).map(({ list }) => list)).toEqual(['/invoices', '/invoices/lines'])
  // the body's claims about the invoice are not believed
  const [stored] = await world.database.query<{ total: string }>(
    'select total::text from invoice where serial_number = $1',
    [serialNumber],
  )
  expect(stored?.total).not.toBe('1.00')
  expect(await hints()).toMatchObject([{ serial_number: serialNumber, handled_at: expect.anything() }])
})

test('reads an invoice once, however many hints name it', async () => {
  await connect()
  const serialNumber = account().story[0]?.serialNumber as string
  for (let time = 0; time < 5; time++) expect((await send(bodyOf(serialNumber))).status).toBe(202)
  expect(await hints()).toHaveLength(1)
  await runQueued()
  expect(dataCalls(world)).toHaveLength(2)
  expect((await runQueued()).outcome).toBeUndefined()
})

test('follows a hint that arrives during a sync with another sync', async () => {
  await connect()
  const [old] = account().story
  let isSent = false
  const { outcome } = await syncNow(world, connectionId, {
    now: NOW,
    timing,
    failpoint: (name) => {
      if (name !== 'after-commit' || isSent) return
      isSent = true
      world.sandbox.state().mutations.updateInvoice(account(), old?.serialNumber as string, { reference: 'new' })
      void send(bodyOf(old?.serialNumber as string))
    },
  })
  expect(outcome).toBe('succeeded')
  await expect.poll(async () => (await hints()).length).toBe(1)
  if ((await hints())[0]?.handled_at === null) {
    // it came after the run's last look: the sweep finds it
    expect(await requestDueSyncs(NOW())).toBe(1)
    await runQueued()
  }
  expect(await hints()).toMatchObject([{ handled_at: expect.anything() }])
  await expectUpstream(world, connectionId, 'nordlicht')
})

test('a sync requested while a hint is followed joins that run and loses nothing', async () => {
  await connect()
  const { serialNumber } = world.sandbox
    .state()
    .issueInvoice('nordlicht', { lines: 1, issuingDate: '2026-01-05', status: 'paid' })
  const lately = world.sandbox.state().issueInvoice('nordlicht', { lines: 1, issuingDate: '2026-11-19' })
  await send(bodyOf(serialNumber))
  const queued = await requestSync(world.organizationId, connectionId, { trigger: 'manual', requestedBy: null })
  expect(queued.joined).toBe(true)
  expect(await runQueued()).toMatchObject({ kind: 'incremental', outcome: 'succeeded' })
  await expectUpstream(world, connectionId, 'nordlicht')

  // and while the run is under way
  world.sandbox.state().mutations.updateInvoice(account(), lately.serialNumber, { reference: 'asked for' })
  await send(bodyOf(serialNumber))
  const [run] = await world.database.query<{ id: string }>(`select id from sync_run where status = 'queued'`)
  const { organizationId, partner } = world
  let wish: Promise<unknown> | null = null
  const outcome = await runSync(
    { organizationId, runId: run?.id as string },
    {
      partner,
      timing,
      signal: new AbortController().signal,
      now: NOW,
      failpoint: (name) => {
        if (name === 'after-commit')
          wish ??= requestSync(organizationId, connectionId, { trigger: 'manual', requestedBy: null })
      },
    },
  )
  expect({ outcome, joined: await wish }).toEqual({ outcome: 'succeeded', joined: { runId: run?.id, joined: true } })
  await expectUpstream(world, connectionId, 'nordlicht')
})

test('marks a voided invoice as missing after its hint', async () => {
  await connect()
  const [, , invoice] = account().story
  world.sandbox.state().mutations.removeInvoice(account(), invoice?.serialNumber as string)
  await send(bodyOf(invoice?.serialNumber as string))
  await runQueued()
  await expectUpstream(world, connectionId, 'nordlicht')
})

test.each([
  ['none', null],
  ['an empty one', ''],
  ['one of another secret', sign(JSON.stringify({ serial_number: 'INV-1' }), 'another secret, as long')],
  ['one of another body', sign('{}')],
  ['no hex', 'z'.repeat(64)],
  ['the bytes of the right one, cut', sign(JSON.stringify({ serial_number: 'INV-1' })).slice(0, 63)],
])('refuses a body whose signature is %s', async (_, signature) => {
  expect((await send(JSON.stringify({ serial_number: 'INV-1' }), signature)).status).toBe(401)
  expect(await hints()).toEqual([])
})

test('checks the signature over the bytes, not over their meaning', async () => {
  const body = '{ "serial_number": "INV-1" }'
  expect((await send(body, sign(JSON.stringify(JSON.parse(body))))).status).toBe(401)
  expect((await send(body)).status).toBe(202)
})

test.each([
  '',
  '[]',
  '{"serial_number":5}',
  '{"serial_number":"a b&status=x"}',
  '{"serial_number"',
  Buffer.from([0xff, 0xfe]),
])('refuses a signed body that names no invoice: %s', async (body) => {
  expect((await send(body)).status).toBe(400)
})

test('refuses a body larger than a megabyte before reading it to its end', async () => {
  expect((await send(Buffer.alloc(1024 * 1024 + 1, 'a'))).status).toBe(413)
})

test('answers 404 without a secret', async () => {
  Object.assign(settings(), { webhook: null })
  expect((await send(bodyOf('INV-1'))).status).toBe(404)
})
