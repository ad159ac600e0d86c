import '#lib/auth/test-support/test-cheap-passwords.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { APP_URL, type Browser, startWorld, type World } from '#lib/auth/test-support/test-world.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { Mine, Seen, Thread } from '#lib/talk/model.ts'

let world: World
let connectionId: ConnectionId
const browsers = new Map<string, Browser>()
const ids = new Map<string, string>()

beforeAll(async () => {
  world = await startWorld()
  for (const [who, role, organization] of [
    ['ana', 'finance', 'First'],
    ['ben', 'finance', 'First'],
    ['vera', 'viewer', 'First'],
    ['stranger', 'admin', 'Second'],
  ] as const) {
    ids.set(who, await world.addUser(`${who}@example.com`, role, organization))
    const browser = world.browser()
    await browser.signIn(`${who}@example.com`)
    browsers.set(who, browser)
  }
  const [row] = await world.database.query<{ organizationId: string; id: ConnectionId }>(
    `insert into connection (organization_id, state, scopes_asked, created_by, name)
     select organization_id, 'active', 'expenses:read', id, 'Meridian' from app_user
     where email = 'ana@example.com' returning organization_id as "organizationId", id`,
  )
  connectionId = row?.id as ConnectionId
  const { switchPool } = await import('#lib/db/pool.ts')
  const { makeInvoice, makeLine, seedInvoices, seedLines } = await import('#lib/ledger/test-support/seed.ts')
  await switchPool(world.database.urls.both)
  await seedInvoices(row?.organizationId ?? '', connectionId, [makeInvoice({ serialNumber: 'INV-1' })])
  await seedLines(row?.organizationId ?? '', connectionId, [makeLine({ id: 'line-1' })])
  await switchPool(world.database.urls.web)
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const table of ['thread', 'attachment', 'stored_file']) await world.database.query(`delete from ${table}`)
})

const as = (who: string) => browsers.get(who) as Browser
const idOf = (who: string) => ids.get(who) as string
const ofLine = () => ({ kind: 'line', key: 'line-1', connection: connectionId })
const say = (who: string, more: object) => as(who).postJson('/api/talk', { ...ofLine(), ...more })
const give = (who: string, more: object) =>
  as(who).postJson('/api/talk/assign', { ...ofLine(), action: 'assign', ...more })
const address = (of: Record<string, string> = ofLine()) => `/api/talk?${new URLSearchParams(of)}`
const read = async (who: string) =>
  (await (await as(who).get(address())).json()) as Thread & { me: string; may: { comment: boolean; assign: boolean } }
const mineOf = async (who: string) => (await (await as(who).get('/api/talk/mine')).json()) as Mine
const codeOf = async (reply: Response) =>
  [reply.status, ((await reply.json()) as { error: { code: string } }).error.code] as const

test('who may look sees what is said, who has it and what they may do', async () => {
  const quote = { label: 'difference', amount: '25.20', currency: 'EUR' }
  expect((await say('ana', { text: ' One\r\ntwo ', quote })).status).toBe(200)
  expect((await give('ana', { person: idOf('ben'), due: '2026-12-01' })).status).toBe(200)
  const seen = await read('vera')
  expect(seen).toMatchObject({
    me: idOf('vera'),
    may: { comment: false, assign: false },
    messages: [{ text: 'One\ntwo', quote, authorName: 'ana@example.com' }],
    assignment: { personId: idOf('ben'), dueOn: '2026-12-01' },
  })
  expect(seen.people.map(({ name, mayHave }) => [name, mayHave])).toEqual([
    ['ana@example.com', true],
    ['ben@example.com', true],
    ['vera@example.com', false],
  ])
  expect((await read('ana')).may).toEqual({ comment: true, assign: true })
})

test('who may only look writes and gives nothing, and reads what names them', async () => {
  for (const reply of [await say('vera', { text: 'One' }), await give('vera', { person: idOf('vera') })])
    expect(reply.status).toBe(403)
  await say('ana', { text: 'For @vera@example.com', mentions: [idOf('vera')] })
  expect((await mineOf('vera')).mentions).toHaveLength(1)
  expect((await as('vera').postJson('/api/talk/read', ofLine())).status).toBe(200)
  expect((await mineOf('vera')).mentions).toEqual([])
})

test('a comment is edited by its author, from the version that they saw', async () => {
  const { message } = (await (await say('ana', { text: 'One' })).json()) as { message: { id: string; version: number } }
  const edit = (who: string, version: number) =>
    as(who).postJson('/api/talk/edit', { message: message.id, version, text: 'Two' })
  expect(await codeOf(await edit('ben', 1))).toEqual([409, 'comment-not-own'])
  expect(await codeOf(await edit('stranger', 1))).toEqual([409, 'comment-gone'])
  expect((await edit('ana', 1)).status).toBe(200)
  expect(await codeOf(await edit('ana', 1))).toEqual([409, 'comment-changed'])
  const [entry] = await world.database.query(
    `select action, actor_name, subject_id from audit_entry where action = 'comment.edited'`,
  )
  expect(entry).toEqual({ action: 'comment.edited', actor_name: 'ana@example.com', subject_id: 'line-1' })
})

test('what is not there, and what another organization has, look the same', async () => {
  const absent = await as('ana').get(address({ ...ofLine(), key: 'line-2' }))
  const text = await absent.text()
  const others = [
    await as('stranger').get(address()),
    await as('ana').get(address({ kind: 'planet', key: 'line-1' })),
    await as('ana').get('/api/talk'),
    await say('stranger', { text: 'One' }),
    await as('stranger').postJson('/api/talk/assign', { ...ofLine(), action: 'unassign' }),
    await say('ana', { key: 'line-2', text: 'One' }),
    await give('ana', { key: 'line-2', person: idOf('ben') }),
  ]
  expect(absent.status).toBe(404)
  for (const reply of others) expect([reply.status, await reply.text()]).toEqual([404, text])
  expect(await world.database.query('select from thread')).toEqual([])
})

test('a stranger is not named, and a refusal says what to do', async () => {
  const reply = await say('ana', { text: 'For @stranger@example.com', mentions: [idOf('stranger')] })
  expect(reply.status).toBe(409)
  expect(await reply.json()).toMatchObject({
    error: { code: 'comment-stranger', text: expect.stringContaining('choose the person again') },
  })
})

test.each([
  ['no words', { text: '  \n ' }],
  ['more characters than there may be', { text: 'x'.repeat(4001) }],
  ['a person that is no id', { text: 'x', mentions: ['ben'] }],
  ['more people than there may be', { text: 'x', mentions: Array(21).fill('00000000-0000-4000-8000-000000000000') }],
  ['a figure that is none', { text: 'x', quote: { label: 'total', amount: '1e5x', currency: 'EUR' } }],
  ['a character that no column holds', { text: 'a\0b' }],
])('a comment of %s is not understood, and nothing is kept', async (_, more) => {
  expect((await say('ana', more)).status).toBe(400)
  expect(await world.database.query('select from thread')).toEqual([])
})

const PDF = Buffer.from('%PDF-1.7 <script>alert(1)</script>')
const upload = (who: string, body: Uint8Array | ReadableStream<Uint8Array>, headers: Record<string, string> = {}) =>
  as(who).send('/api/talk/files', {
    method: 'POST',
    headers: { origin: APP_URL, 'sec-fetch-site': 'same-origin', 'x-file-name': 'bill.pdf', ...headers },
    body: body as BodyInit,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit)
const sendFile = async (who: string, body: Uint8Array, name = 'bill.pdf') => {
  const reply = await upload(who, body, { 'x-file-name': encodeURIComponent(name) })
  return ((await reply.json()) as { file: { id: string } }).file.id
}
const attach = async (who: string, body: Uint8Array, name?: string) => {
  const id = await sendFile(who, body, name)
  expect((await say(who, { text: '', files: [id] })).status).toBe(200)
  return id
}
const fileAddress = (id: string) => `/api/talk/files?id=${id}`

test('a file of a comment comes back as a download that runs nowhere, also one that says it is a page', async () => {
  const id = await attach('ana', PDF, '../Rechnung "März"\u202e\r\nx: y.html')
  const [message] = (await read('vera')).messages
  expect(message).toMatchObject({ text: '', files: [{ id, kind: 'pdf', size: PDF.length, removedAt: null }] })
  const reply = await as('vera').get(fileAddress(id))
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="Rechnung_M_rz_x_y.html.pdf"; filename*=UTF-8''${encodeURIComponent('Rechnung "März" x: y.html.pdf')}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  })
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(PDF)
})

test.each([
  ['nothing at all', Buffer.alloc(0), [400, 'file-empty']],
  ['a picture that runs', Buffer.from('<svg onload="alert(1)"/>'), [415, 'file-wrong-kind']],
  ['a page', Buffer.from('<!DOCTYPE html>%PDF-1.7'), [415, 'file-wrong-kind']],
  ['one byte over 10 MB', Buffer.alloc(10 * 1024 * 1024 + 1, '%PDF-1.7'), [413, 'file-too-large']],
] as const)('%s is refused with words, whatever it is called, and nothing is kept', async (_, body, refusal) => {
  expect(await codeOf(await upload('ana', body, { 'content-type': 'application/pdf' }))).toEqual(refusal)
  expect(await world.database.query('select from stored_file')).toEqual([])
})

test('a file that never ends is stopped at 10 MB, unsaid how long it is', async () => {
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled += 1
      controller.enqueue(new Uint8Array(Buffer.alloc(1024 * 1024, '%PDF-1.7')))
    },
  })
  expect(await codeOf(await upload('ana', endless))).toEqual([413, 'file-too-large'])
  expect(pulled).toBeLessThan(14)
  const said = { 'content-length': String(10 * 1024 * 1024 + 1) }
  expect(await codeOf(await upload('ana', PDF, said))).toEqual([413, 'file-too-large'])
})

test('who may only look attaches and removes nothing, nor does another site', async () => {
  const id = await attach('ana', PDF)
  expect((await upload('vera', PDF)).status).toBe(403)
  expect((await upload('ana', PDF, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(
    403,
  )
  expect((await as('vera').postJson('/api/talk/files/remove', { file: id })).status).toBe(403)
  expect((await as('vera').get(fileAddress(id))).status).toBe(200)
})

test('a file of another organization, one that is removed and one that never was look the same', async () => {
  const id = await attach('ana', PDF)
  const unsent = await sendFile('ana', PDF)
  const absent = await as('ana').get(fileAddress('00000000-0000-4000-8000-000000000000'))
  const text = await absent.text()
  expect(await codeOf(await as('ben').postJson('/api/talk/files/remove', { file: id }))).toEqual([409, 'file-not-own'])
  const others = [
    await as('stranger').get(fileAddress(id)),
    await as('stranger').postJson('/api/talk/files/remove', { file: id }),
    await as('ana').get(fileAddress(unsent)),
    await as('ana').get(fileAddress('../../etc/passwd')),
    await as('ana').get('/api/talk/files'),
  ]
  expect((await as('ana').postJson('/api/talk/files/remove', { file: id })).status).toBe(200)
  others.push(await as('ana').get(fileAddress(id)))
  expect(absent.status).toBe(404)
  for (const reply of others) expect([reply.status, await reply.text()]).toEqual([404, text])
  expect(
    await world.database.query(
      `select action, actor_name from audit_entry where action like 'attachment.%' order by number desc limit 2`,
    ),
  ).toEqual([
    { action: 'attachment.removed', actor_name: 'ana@example.com' },
    { action: 'attachment.added', actor_name: 'ana@example.com' },
  ])
})

test('a comment takes nobody else’s file, and says what to do', async () => {
  const id = await sendFile('ben', PDF)
  expect(await codeOf(await say('ana', { text: 'One', files: [id] }))).toEqual([409, 'comment-no-file'])
  expect(await codeOf(await say('ana', { text: 'One', files: ['x'] }))).toEqual([400, 'bad-request'])
  expect((await read('ana')).messages).toEqual([])
})

test('who opens a line is noted once in ten minutes, and everybody sees who has', async () => {
  const look = async (who: string) => {
    const reply = await as(who).postJson('/api/talk/seen', { connection: connectionId, id: 'line-1' })
    expect(reply.status).toBe(200)
    return ((await reply.json()) as { seen: Seen[] }).seen
  }
  expect((await look('ana')).map(({ name }) => name)).toEqual(['ana@example.com'])
  const first = await look('vera')
  expect(first.map(({ id }) => id)).toEqual([idOf('vera'), idOf('ana')])
  expect(await look('ana')).toEqual(first)
  await world.database.query(`update line_seen set seen_at = seen_at - interval '11 minutes'`)
  expect((await look('ana')).map(({ id }) => id)).toEqual([idOf('ana'), idOf('vera')])
  await as('ana').get(address())
  expect((await world.database.query('select from line_seen')).length).toBe(2)
})

test('who looks at what is not there, or another organization’s, leaves nothing', async () => {
  await world.database.query('delete from line_seen')
  const look = (who: string, connection: string, id: string) => as(who).postJson('/api/talk/seen', { connection, id })
  for (const reply of [
    await look('stranger', connectionId, 'line-1'),
    await look('ana', connectionId, 'line-2'),
    await look('ana', 'x', 'line-1'),
  ])
    expect(reply.status).toBe(404)
  expect(await world.database.query('select from line_seen')).toEqual([])
})

test('it is given, given on, taken back and done, each with its entry', async () => {
  const [start] = await world.database.query<{ number: string }>(
    `select coalesce(max(number), 0) as number from audit_entry`,
  )
  expect((await give('ana', { person: idOf('ben'), seen: null })).status).toBe(200)
  expect((await mineOf('ben')).assignments).toMatchObject([{ subject: { kind: 'line', key: 'line-1' } }])
  expect(await codeOf(await give('ana', { person: idOf('ana'), seen: null }))).toEqual([409, 'assign-changed'])
  expect(await codeOf(await give('ana', { person: idOf('vera') }))).toEqual([409, 'assign-not-allowed'])
  const seen = (await read('ben')).assignment?.id
  expect((await give('ben', { person: idOf('ana'), seen })).status).toBe(200)
  expect((await give('ben', { action: 'unassign' })).status).toBe(200)
  expect((await give('ben', { person: idOf('ben') })).status).toBe(200)
  expect((await give('ben', { action: 'done' })).status).toBe(200)
  expect((await read('ana')).assignment).toBeNull()
  const entries = await world.database.query<{ action: string }>(
    'select action from audit_entry where number > $1 order by number',
    [start?.number],
  )
  expect(entries.map(({ action }) => action)).toEqual([
    'review.assigned',
    'review.assigned',
    'review.unassigned',
    'review.assigned',
    'review.unassigned',
  ])
  expect((await world.database.query(`select from audit_entry where action = 'comment.added'`)).length).toBeGreaterThan(
    0,
  )
})
