import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { APP_URL, startWorld, type World } from '#lib/auth/test-support/test-world.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'

type Route = { POST?: (request: Request) => Promise<Response>; GET?: (request: Request) => Promise<Response> }
type Name =
  | 'preview'
  | 'decide'
  | 'stop'
  | 'settle'
  | 'line'
  | 'rows'
  | 'decisions'
  | 'answers'
  | 'letter'
  | 'letter/withdraw'
  | 'news'

let world: World
let connectionId: ConnectionId
let organizationId: OrganizationId
const routes = new Map<string, Route>()
const cookies = new Map<string, string>()
beforeAll(async () => {
  world = await startWorld({}, 'both')
  routes.set('preview', (await import('./preview/route.ts')) as Route)
  routes.set('decide', (await import('./decide/route.ts')) as Route)
  routes.set('stop', (await import('./stop/route.ts')) as Route)
  routes.set('settle', (await import('./settle/route.ts')) as Route)
  routes.set('news', (await import('./news/route.ts')) as Route)
  routes.set('answers', (await import('./answers/route.ts')) as Route)
  routes.set('letter', (await import('./letter/route.ts')) as Route)
  routes.set('letter/withdraw', (await import('./letter/withdraw/route.ts')) as Route)
  routes.set('line', (await import('./line/route.ts')) as Route)
  routes.set('rows', (await import('./rows/route.ts')) as Route)
  routes.set('decisions', (await import('./decisions/route.ts')) as Route)
  for (const role of ['admin', 'finance', 'viewer']) await world.addUser(`${role}@example.com`, role)
  await world.addUser('stranger@example.com', 'admin', 'Second')
  const [made] = await world.database.query<{ id: ConnectionId; organizationId: OrganizationId }>(
    `insert into connection (organization_id, state, scopes_asked, created_by)
     select organization_id, 'active', 'expenses:read', id from app_user where email = 'admin@example.com'
     returning id, organization_id as "organizationId"`,
  )
  connectionId = made?.id as ConnectionId
  organizationId = made?.organizationId as OrganizationId
  // settings are read with the first import that needs them: the world has set them by now
  const { decimal, makeLine, seedLines } = await import('#lib/ledger/test-support/seed.ts')
  const lines = Object.entries({ A: '119.00', B: '119.01', C: '140.00' })
  await seedLines(
    organizationId,
    connectionId,
    lines.map(([id, total]) => makeLine({ id, totalAmount: decimal(total) })),
  )
  for (const email of ['admin', 'finance', 'viewer', 'stranger'].map((name) => `${name}@example.com`)) {
    const browser = world.browser()
    await browser.signIn(email)
    cookies.set(email, [...browser.cookies].map(([key, { value }]) => `${key}=${value}`).join('; '))
  }
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.query(`delete from line_review returning 1 as one`)
})

function headersOf(who: string) {
  return { cookie: cookies.get(`${who}@example.com`) ?? '', origin: APP_URL, 'sec-fetch-site': 'same-origin' }
}

function post(who: string, name: Name, body: object): Promise<Response> {
  const headers = { ...headersOf(who), 'content-type': 'application/json' }
  const request = new Request(`${APP_URL}/api/review/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return routes.get(name)?.POST?.(request) as Promise<Response>
}

function get(who: string, name: Name, search: string): Promise<Response> {
  const request = new Request(`${APP_URL}/api/review/${name}?${search}`, { headers: headersOf(who) })
  return routes.get(name)?.GET?.(request) as Promise<Response>
}

const setOf = (kind: string, ...ids: string[]) => ({
  kind,
  search: '',
  only: ids.map((id) => `${connectionId}~${id}`),
})

async function decide(who: string, asked: object, choice: object = {}): Promise<Response> {
  const { hash, at, lastDecision } = await (await post(who, 'preview', { asked })).json()
  return post(who, 'decide', { asked, hash, at, lastDecision, ...choice })
}

const actions = async () =>
  (
    await world.database.query<{ action: string }>(
      `select action from audit_entry where action like 'review.%' and organization_id = $1 order by number`,
      [organizationId],
    )
  ).map(({ action }) => action)

test('a viewer sees where a line stands and decides nothing; finance decides, reopens and takes back, each in the audit', async () => {
  for (const name of ['preview', 'decide'] as const)
    expect((await post('viewer', name, { asked: setOf('accept', 'B') })).status).toBe(403)
  expect((await decide('finance', setOf('accept', 'A', 'B', 'C'), { reason: 'agreed' })).status).toBe(200)
  expect((await decide('finance', setOf('withdraw', 'A'))).status).toBe(200)
  const disputed = await (await decide('finance', setOf('dispute', 'C'), { reason: 'wrong_tax' })).json()
  expect(disputed).toMatchObject({ lineCount: 1, changedLines: 1, isApplied: true })
  expect((await decide('finance', { kind: 'undo', decision: disputed.number })).status).toBe(200)
  expect(await actions()).toEqual(['review.accepted', 'review.withdrawn', 'review.disputed', 'review.undone'])
  const seen = await (await get('viewer', 'line', `connection=${connectionId}&id=C`)).json()
  expect(seen).toMatchObject({ state: 'accepted', amountNow: '140.00', amountBefore: '140.00' })
  expect(seen.events.map((event: { kind?: string }) => event.kind)).toEqual(['undo', 'dispute', 'accept'])
})

test('money that nothing explains is not accepted without a reason, nor as explained, and a dispute always has one', async () => {
  for (const reason of [null, 'as_explained'])
    expect((await decide('finance', setOf('accept', 'C'), { reason })).status).toBe(400)
  expect((await decide('finance', setOf('accept', 'C'), { reason: 'wrong_tax' })).status).toBe(400)
  expect((await decide('finance', setOf('dispute', 'B'))).status).toBe(400)
  expect((await decide('finance', setOf('accept', 'A'))).status).toBe(200)
  expect(await world.database.query('select line_id from line_review')).toEqual([{ line_id: 'A' }])
})

test('a reason that was retired meanwhile is refused with its own code, and nothing is done', async () => {
  const { changeReasonList } = await import('#lib/ledger/review/reason-list.ts')
  const actor = { kind: 'operator', name: 'test' } as const
  const change = (revision: number, change: 'retire' | 'restore') =>
    changeReasonList(organizationId, actor, revision, { change, kind: 'dispute', code: 'twice' })
  await change(0, 'retire')
  const refused = await decide('finance', setOf('dispute', 'C'), { reason: 'twice' })
  expect([refused.status, (await refused.json()).error.code]).toEqual([409, 'retired-reason'])
  expect(await world.database.query('select state from line_review')).toEqual([])
  await change(1, 'restore')
  expect((await decide('finance', setOf('dispute', 'C'), { reason: 'twice' })).status).toBe(200)
})

test('a set that changed since it was seen is refused with what happened to it and how it is now', async () => {
  const asked = setOf('accept', 'B', 'C')
  const { hash, at, lastDecision } = await (await post('finance', 'preview', { asked })).json()
  expect((await decide('admin', setOf('dispute', 'B'), { reason: 'too_much' })).status).toBe(200)
  const refused = await post('finance', 'decide', { asked, hash, at, lastDecision, reason: 'agreed' })
  expect(refused.status).toBe(409)
  const { kind, changes, preview } = await refused.json()
  expect(kind).toBe('changed')
  expect(changes).toMatchObject({ came: 0, changed: 0, others: [{ lineCount: 1 }] })
  expect(preview.parts.map((part: { outcome: string; state: string }) => `${part.outcome} ${part.state}`)).toEqual([
    'cannot disputed',
    'changes open',
  ])
  expect(await world.database.query('select state from line_review')).toEqual([{ state: 'disputed' }])
})

test('what is expected back is an amount above zero, and of a dispute alone', async () => {
  for (const expectedBack of ['-5', 'much', '1,2,3'])
    expect((await decide('finance', setOf('dispute', 'C'), { reason: 'too_much', expectedBack })).status).toBe(400)
  expect((await decide('finance', setOf('accept', 'C'), { reason: 'agreed', expectedBack: '5' })).status).toBe(400)
  const given = { reason: 'too_much', expectedBack: '12.50' }
  expect((await decide('finance', setOf('dispute', 'C'), given)).status).toBe(200)
  const [row] = await world.database.query('select expected_back::text as expected from line_review')
  expect(row).toEqual({ expected: '12.50' })
})

test('A8: another organization’s lines and decisions are as if they were not there', async () => {
  const made = await (await decide('finance', setOf('accept', 'B'), { reason: 'agreed' })).json()
  expect((await get('stranger', 'line', `connection=${connectionId}&id=B`)).status).toBe(404)
  expect((await get('stranger', 'decisions', `number=${made.number}`)).status).toBe(404)
  const seen = await (await post('stranger', 'preview', { asked: setOf('accept', 'B', 'C') })).json()
  expect(seen.lineCount).toBe(0)
  expect((await decide('stranger', { kind: 'undo', decision: made.number })).status).toBe(409)
  expect(await world.database.query('select state from line_review')).toEqual([{ state: 'accepted' }])
})

test('what cannot be read is refused: a number, a hash, a moment, a key of no line', async () => {
  for (const number of ['', '0', '-1', 'x'.repeat(40), '1e9'])
    expect((await get('viewer', 'decisions', `number=${encodeURIComponent(number)}`)).status).toBe(404)
  expect((await get('viewer', 'line', 'connection=nobody&id=A')).status).toBe(404)
  const empty = await (
    await post('finance', 'preview', { asked: { kind: 'accept', search: '', only: ['no key'] } })
  ).json()
  expect(empty.lineCount).toBe(0)
  const asked = setOf('accept', 'A')
  const wrong = { asked, hash: 'z', at: 'yesterday', lastDecision: '0' }
  expect((await post('finance', 'decide', wrong)).status).toBe(400)
})

test('a dispute is settled by what was proposed alone, in the audit, and its letter is there for whoever reads', async () => {
  await decide('finance', setOf('dispute', 'C'), { reason: 'too_much' })
  const dispute = `${connectionId}~C`
  expect((await post('viewer', 'settle', { dispute, candidates: ['any'] })).status).toBe(403)
  expect((await post('finance', 'settle', { dispute, candidates: [`${connectionId}~A`] })).status).toBe(409)
  expect((await post('finance', 'settle', { dispute, candidates: [] })).status).toBe(400)
  const search = `connection=${connectionId}&invoice=INV-01-0001&line=C`
  expect(await (await get('viewer', 'letter', search)).json()).toMatchObject({ currency: 'EUR', expectedBack: '21.00' })
  expect(await (await get('stranger', 'letter', search)).json()).toBeNull()
  const { makeLineOf, seedLines } = await import('#lib/ledger/test-support/seed.ts')
  await world.database.query(`alter table decision disable trigger user`)
  await world.database.query(`update decision set decided_at = decided_at - interval '3 days' returning 1 as one`)
  await world.database.query(`alter table decision enable trigger user`)
  await seedLines(organizationId, connectionId, [makeLineOf('-21.00', { id: 'CR', invoiceSerialNumber: 'CR-1' })])
  const { disputes } = await (await get('viewer', 'answers', '')).json()
  expect(disputes[0].answer).toMatchObject({ kind: 'exact', fit: { left: '0.00' } })
  expect((await post('finance', 'settle', { dispute, candidates: [`${connectionId}~CR`] })).status).toBe(200)
  expect(await actions()).toContain('review.settled')
  expect(await world.database.query('select state from line_review')).toEqual([{ state: 'settled' }])
})

test('a person says that a letter was sent, to whom and when, and takes it back, each in the audit', async () => {
  await decide('finance', setOf('dispute', 'C'), { reason: 'too_much' })
  const search = `connection=${connectionId}&invoice=INV-01-0001&line=C`
  const { disputes, recipient } = await (await get('viewer', 'letter', search)).json()
  expect([disputes, recipient]).toEqual([[{ lineId: 'C', decision: expect.any(String) }], null])
  const day = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
  const sent = {
    connection: connectionId,
    invoice: 'INV-01-0001',
    disputes,
    sentOn: day(-3),
    recipient: ' billing@platform.example ',
  }
  expect((await post('viewer', 'letter', sent)).status).toBe(403)
  expect((await post('stranger', 'letter', sent)).status).toBe(409)
  for (const wrong of [
    { sentOn: day(2) },
    { sentOn: '2026-02-30' },
    { recipient: '  ' },
    { recipient: 'x'.repeat(201) },
    { disputes: [] },
  ])
    expect((await post('finance', 'letter', { ...sent, ...wrong })).status).toBe(400)
  const { letter } = await (await post('finance', 'letter', sent)).json()
  const lettersOf = async () =>
    (await (await get('viewer', 'line', `connection=${connectionId}&id=C`)).json()).letters as object[]
  expect(await lettersOf()).toMatchObject([{ id: letter, daysAgo: 3, recipient: 'billing@platform.example' }])
  expect((await post('viewer', 'letter/withdraw', { letter })).status).toBe(403)
  expect((await post('stranger', 'letter/withdraw', { letter })).status).toBe(409)
  expect((await post('admin', 'letter/withdraw', { letter })).status).toBe(200)
  expect((await post('admin', 'letter/withdraw', { letter })).status).toBe(409)
  expect(await lettersOf()).toMatchObject([{ id: letter, withdrawnBy: expect.any(String) }])
  expect((await actions()).slice(-2)).toEqual(['review.letter-sent', 'review.letter-withdrawn'])
})

test('lines that somebody was given, or is named in, are theirs alone, until they are done or read', async () => {
  const people = await world.database.query<{ id: string; email: string }>('select id, email from app_user')
  const idOf = (name: string) => people.find(({ email }) => email === `${name}@example.com`)?.id
  const [thread] = await world.database.query<{ id: string }>(
    `insert into thread (organization_id, kind, connection_id, key) values ($1, 'line', $2, 'A') returning id`,
    [organizationId, connectionId],
  )
  await world.database.query(
    `insert into assignment (organization_id, thread_id, person_id, person_name, assigned_by, assigned_by_name)
     values ($1, $2, $3, 'Fin', $4, 'Ada') returning 1 as one`,
    [organizationId, thread?.id, idOf('finance'), idOf('admin')],
  )
  const mineOf = async (who: string) =>
    (await (await get(who, 'rows', 'tab=mine')).json()).rows.map(({ id }: { id: string }) => id)
  expect(await mineOf('finance')).toEqual(['A'])
  expect(await mineOf('admin')).toEqual([])
  await world.database.query(`update assignment set ended_at = now(), ending = 'done' returning 1 as one`)
  expect(await mineOf('finance')).toEqual([])
  const [message] = await world.database.query<{ id: string }>(
    `insert into message (organization_id, thread_id, author_id, author_name) values ($1, $2, $3, 'Ada') returning id`,
    [organizationId, thread?.id, idOf('admin')],
  )
  await world.database.query(
    `insert into mention (organization_id, message_id, person_id, person_name) values ($1, $2, $3, 'Vi') returning 1 as one`,
    [organizationId, message?.id, idOf('viewer')],
  )
  expect(await mineOf('viewer')).toEqual(['A'])
})

test('what others decide is news, and what one decides oneself is not', async () => {
  const before = await (await get('viewer', 'news', '')).json()
  expect(before.others).toEqual([])
  await decide('finance', setOf('accept', 'B'), { reason: 'agreed' })
  const after = `after=${before.decision}`
  expect(await (await get('admin', 'news', after)).json()).toMatchObject({
    others: [{ kind: 'accept', lineCount: 1, name: expect.any(String) }],
  })
  expect((await (await get('finance', 'news', after)).json()).others).toEqual([])
  expect(await (await get('stranger', 'news', after)).json()).toEqual({ decision: '0', fall: '0', others: [] })
})

test('all lines but some are decided without these, and no line named is none, not all', async () => {
  const countOf = async (set: object) =>
    (await (await post('finance', 'preview', { asked: { kind: 'accept', search: '', ...set } })).json()).lineCount
  const all = await countOf({})
  expect(all).toBeGreaterThan(2)
  expect(await countOf({ except: [`${connectionId}~A`, `${connectionId}~B`] })).toBe(all - 2)
  expect(await countOf({ except: ['no key'] })).toBe(all)
  expect(await countOf({ except: [] })).toBe(all)
  expect(await countOf({ only: [] })).toBe(0)
})

test('a decision that is not under way cannot be stopped, and one that is keeps what it applied', async () => {
  expect((await post('finance', 'stop', { number: '999' })).status).toBe(409)
  await decide('finance', setOf('accept', 'B'), { reason: 'agreed' })
  await world.database.query(
    `update decision set state = 'applying', ended_at = null where organization_id = $1 and number = (
       select max(number) from decision where organization_id = $1) returning 1 as one`,
    [organizationId],
  )
  const [{ number } = { number: '' }] = await world.database.query<{ number: string }>(
    `select number::text from decision where state = 'applying'`,
  )
  expect((await post('finance', 'stop', { number })).status).toBe(200)
  expect(await actions()).toContain('review.stopped')
  expect(await world.database.query('select state from line_review')).toEqual([{ state: 'accepted' }])
})
