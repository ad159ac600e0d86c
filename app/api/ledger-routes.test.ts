import { encode } from 'next-auth/jwt'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startSession } from '#lib/auth/sessions.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { parseCsvRecords } from '#lib/export/test-support/test-parse-csv.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { makeLineOf, seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { GET as exportList } from './export/[list]/route.ts'
import { GET as filterOptions } from './filter-options/route.ts'
import { GET as groups } from './groups/route.ts'
import { GET as invoiceRows } from './invoices/rows/route.ts'
import { GET as lineDetail } from './lines/detail/route.ts'
import { GET as lines } from './lines/route.ts'
import { GET as lineRows } from './lines/rows/route.ts'
import { GET as summaries } from './summaries/route.ts'

// settings are read once, on the first import that needs them: set the environment before
vi.hoisted(() => {
  Object.assign(process.env, {
    APP_URL: 'http://localhost:3000',
    SESSION_SECRET: 'only-for-tests-'.repeat(3),
    REQUEST_BUDGET_FACTOR: '1000',
  })
})

const ROUTES = {
  '/api/export/lines': exportList,
  '/api/export/groups': exportList,
  '/api/export/invoices': exportList,
  '/api/lines': lines,
  '/api/lines/detail': lineDetail,
  '/api/lines/rows': lineRows,
  '/api/invoices/rows': invoiceRows,
  '/api/groups': groups,
  '/api/summaries': summaries,
  '/api/filter-options': filterOptions,
}

let database: TestDatabase
let connectionId: ConnectionId
let strangerConnectionId: ConnectionId
let cookie: string
let strangerCookie: string

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  connectionId = await seedConnection(database.query, owner)
  await seedLines(owner.organizationId, connectionId, [
    makeLineOf('10.00', { id: 'one', tripId: '1', tripName: 'Oslo', relatedVertical: 'flight', costCenter: null }),
    makeLineOf('-2.50', { id: 'two', tripId: '1', tripName: 'Oslo', relatedVertical: 'hotel' }),
    makeLineOf('300', { id: 'three', tripId: null, tripName: null, currency: 'JPY' }),
  ])
  const stranger = await seedOrganization(database.query, 'Stranger')
  strangerConnectionId = await seedConnection(database.query, stranger)
  await seedLines(stranger.organizationId, strangerConnectionId, [
    makeLineOf('7.00', { id: 'theirs', tripId: '7', tripName: 'Theirs' }),
  ])
  cookie = await signIn(owner)
  strangerCookie = await signIn(stranger)
})
afterAll(() => database.drop())

/** The cookie of a signed-in viewer: every page and file is open to every role. */
async function signIn(owner: { organizationId: OrganizationId; userId: UserId }): Promise<string> {
  await database.query(`update app_user set role = 'viewer' where id = $1`, [owner.userId])
  const key = await startSession(owner, new Date())
  const token = await encode({
    token: { org: key.organizationId, sid: key.secret },
    secret: process.env.SESSION_SECRET as string,
  })
  return `tieout.session=${token}`
}

const call = (path: string, session: string | null = cookie, init: RequestInit = {}) => {
  const route = ROUTES[path.split('?')[0] as keyof typeof ROUTES]
  const headers: Record<string, string> = session === null ? {} : { cookie: session }
  return route(new Request(`http://localhost:3000${path}`, { ...init, headers }), { params: Promise.resolve({}) })
}
const openTransactions = () =>
  database.query(
    `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )
const readJson = async (path: string, session = cookie) => (await call(path, session)).json()

test.each(Object.keys(ROUTES))('%s answers 401 without a session, and nothing is cached', async (path) => {
  for (const session of [null, 'tieout.session=forged']) {
    const reply = await call(path, session)
    expect(reply.status).toBe(401)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(await reply.json()).toMatchObject({ error: { code: 'signed-out' } })
  }
})

describe('downloads', () => {
  test('sends the lines file as an attachment named after what it holds, for this user only', async () => {
    const reply = await call('/api/export/lines?format=csv&vertical=flight')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="tieout-lines-filtered-\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(parseCsvRecords(await reply.text())).toMatchObject([{ id: 'one', total_amount: '10.00', cost_center: '' }])
  })
  test.each([
    ['lines', 'lines'],
    ['lines?period=2026-Q3&currency=eur&sort=-total_amount', 'lines-2026-Q3-EUR'],
    ['lines?date=expense&from=2026-09-02&cost_center=4100', 'lines-2026-09-02-to-open-by-expense-filtered'],
    ['invoices?period=2026-09&currency=EUR&currency=JPY', 'invoices-2026-09-EUR-JPY'],
    ['groups?by=trip&q=%22%0d%0a..%2f', 'groups-filtered'],
  ])('names the file of %s by what it holds: %s', async (path, name) => {
    const reply = await call(`/api/export/${path}`)
    await reply.text()
    const today = new Date().toISOString().slice(0, 10)
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="tieout-${name}-${today}.csv"`)
  })
  test('groups the file by the keys of the query', async () => {
    const reply = await call('/api/export/groups?by=trip,cost_center')
    expect(reply.headers.get('content-disposition')).toContain('tieout-groups-')
    expect(await reply.text()).toBe(
      'trip_id,trip_name,cost_center,currency,line_count,total_amount,finding_count\r\n' +
        '1,Oslo,4100,EUR,1,-2.50,0\r\n1,Oslo,,EUR,1,10.00,0\r\n,,4100,JPY,1,300,0\r\n',
    )
  })
  test('answers HEAD with the headers and leaves no query open', async () => {
    const reply = await call('/api/export/lines', cookie, { method: 'HEAD' })
    expect([reply.status, reply.body, reply.headers.get('content-type')]).toEqual([
      200,
      null,
      'text/csv; charset=utf-8',
    ])
    expect(await openTransactions()).toEqual([])
  })
  test.each(['/api/export/lines', '/api/export/groups'])(
    'A18: %s leaves nothing open when its client goes away before the file is read',
    async (path) => {
      for (let n = 0; n < 8; n++) {
        const client = new AbortController()
        const calling = call(path, cookie, { signal: client.signal })
        if (n % 2 === 0) client.abort()
        await calling
        client.abort()
        await vi.waitFor(async () => expect(await openTransactions()).toEqual([]), 5_000)
      }
      expect(await (await call(path)).text()).toContain('\r\n')
    },
  )
  test('A18: refuses a third file at a time, with its own message and the time to wait', async () => {
    const client = new AbortController()
    for (const path of ['/api/export/lines', '/api/export/groups'])
      expect((await call(path, cookie, { signal: client.signal })).status).toBe(200)
    const refused = await call('/api/export/lines')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect((await refused.json()).error).toMatchObject({
      code: 'export-busy',
      text: expect.stringContaining('two per person'),
    })
    expect(await (await call('/api/export/lines', strangerCookie)).text()).toContain('theirs')
    client.abort()
    await vi.waitFor(async () => expect(await (await call('/api/export/lines')).text()).toContain('one'), 5_000)
  })
  test('answers 404 for a file that does not exist', async () => {
    for (const list of ['profiles', 'constructor', '__proto__', 'lin%65s', '']) {
      const reply = await exportList(new Request(`http://localhost:3000/api/export/${list}`, { headers: { cookie } }))
      expect([list, reply.status]).toEqual([list, 404])
    }
  })
  test('refuses an unknown format instead of sending another', async () => {
    expect((await call('/api/export/lines?format=xlsx')).status).toBe(400)
    expect((await call('/api/export/groups?format=pdf')).status).toBe(400)
  })
})

describe('lists for the pages', () => {
  test('answers lines, groups and trips by the address’s query', async () => {
    expect(await readJson('/api/lines?q=2,50')).toMatchObject({ rows: [{ id: 'two' }], lineCount: 1, allLineCount: 3 })
    expect(await readJson('/api/groups?by=vertical&currency=EUR')).toMatchObject({
      groupCount: 2,
      rows: [{ lineCount: 1 }, { lineCount: 1 }],
    })
    const bySummary = await readJson('/api/summaries?by=month,trip&currency=EUR')
    expect(bySummary).toMatchObject({ isWhole: true, rows: [{ currency: 'EUR', lineCount: 2 }] })
    expect(await readJson('/api/filter-options?filter=trips&q=osl')).toEqual({ trips: [{ value: '1', name: 'Oslo' }] })
    expect(await readJson(`/api/lines/detail?connection=${connectionId}&id=two`)).toMatchObject({
      id: 'two',
      totalAmount: '-2.50',
    })
  })
  test('answers 404 for a line that does not exist', async () => {
    for (const query of ['', '?connection=x&id=y', `?connection=${connectionId}&id=none`])
      expect((await call(`/api/lines/detail${query}`)).status).toBe(404)
  })
})

describe('A8: another organization', () => {
  let files: string[]
  beforeEach(() => {
    files = [`connection=${strangerConnectionId}`, 'trip=7', 'q=theirs']
  })
  test('sees none of our lines and we none of theirs, in any list or file', async () => {
    for (const query of files) {
      expect(await readJson(`/api/lines?${query}`)).toMatchObject({ rows: [], lineCount: 0, allLineCount: 3 })
      expect(await readJson(`/api/groups?${query}`)).toMatchObject({ rows: [], groupCount: 0 })
      expect(await readJson(`/api/summaries?by=trip&${query}`)).toEqual({ rows: [], isWhole: true })
      for (const subject of ['lines', 'invoices', 'groups'])
        expect(parseCsvRecords(await (await call(`/api/export/${subject}?${query}`)).text())).toEqual([])
    }
    expect(await readJson('/api/filter-options?filter=trips&q=')).toEqual({ trips: [{ value: '1', name: 'Oslo' }] })
    expect(await readJson('/api/lines', strangerCookie)).toMatchObject({ rows: [{ id: 'theirs' }], allLineCount: 1 })
  })
  test('a line of theirs gets the same 404 as one that never existed', async () => {
    const [theirs, none] = await Promise.all([
      call(`/api/lines/detail?connection=${strangerConnectionId}&id=theirs`),
      call(`/api/lines/detail?connection=${connectionId}&id=none`),
    ])
    expect([theirs.status, await theirs.text()]).toEqual([404, await none.text()])
  })
})

test('A14: answers hostile parameters like any other', async () => {
  const hostile = encodeURIComponent(`\0'; drop table line; --`)
  for (const path of [
    '/api/lines',
    '/api/groups',
    '/api/summaries',
    '/api/export/lines',
    '/api/export/groups',
    '/api/filter-options',
    '/api/lines/detail',
    '/api/lines/rows',
    '/api/invoices/rows',
  ]) {
    const names = [
      'sort',
      'by',
      'page',
      'size',
      'q',
      'trip',
      'from',
      'after',
      'before',
      'connection',
      'currency',
      'date',
      'id',
      '__proto__',
    ]
    const reply = await call(`${path}?${names.map((name) => `${name}=${hostile}`).join('&')}`)
    expect([200, 404]).toContain(reply.status)
    await reply.text()
  }
  expect(await readJson('/api/lines')).toMatchObject({ allLineCount: 3 })
})
