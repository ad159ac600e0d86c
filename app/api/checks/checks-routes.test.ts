import { afterAll, beforeAll, expect, test } from 'vitest'
import { APP_URL, startWorld, type World } from '#lib/auth/test-support/test-world.ts'

type Route = { POST: (request: Request) => Promise<Response> }
type Name = 'checks' | 'habit' | 'fiscal-year'

let world: World
let connectionId: string
const routes = new Map<Name, Route>()
const cookies = new Map<string, string>()

beforeAll(async () => {
  world = await startWorld()
  routes.set('checks', (await import('./route.ts')) as Route)
  routes.set('habit', (await import('./habit/route.ts')) as Route)
  routes.set('fiscal-year', (await import('./fiscal-year/route.ts')) as Route)
  for (const role of ['admin', 'finance', 'viewer']) await world.addUser(`${role}@example.com`, role)
  await world.addUser('stranger@example.com', 'admin', 'Second')
  const [made] = await world.database.query<{ id: string }>(
    `insert into connection (organization_id, state, scopes_asked, created_by)
     select organization_id, 'active', 'expenses:read', id from app_user where email = 'admin@example.com' returning id`,
  )
  connectionId = made?.id ?? ''
  for (const email of ['admin', 'finance', 'viewer', 'stranger'].map((name) => `${name}@example.com`)) {
    const browser = world.browser()
    await browser.signIn(email)
    cookies.set(email, [...browser.cookies].map(([key, { value }]) => `${key}=${value}`).join('; '))
  }
})
afterAll(() => world.close())

async function post(who: string, name: Name, body: object, type = 'application/json'): Promise<Response> {
  const request = new Request(`${APP_URL}/api/${name}`, {
    method: 'POST',
    headers: {
      cookie: cookies.get(`${who}@example.com`) ?? '',
      origin: APP_URL,
      'sec-fetch-site': 'same-origin',
      'content-type': type,
    },
    body: type === 'application/json' ? JSON.stringify(body) : new URLSearchParams(body as Record<string, string>),
  })
  return (routes.get(name) as Route).POST(request)
}

const habit = (change: object = {}) => ({
  connection: connectionId,
  profile: 'profile-1',
  rate: '19',
  code: 'tax',
  convention: 'tax_per_unit',
  decision: 'declined',
  ...change,
})
const count = async (table: string) => (await world.database.query(`select from ${table}`)).length

test('a check is set by admins alone, by script or by form', async () => {
  const tuned = { code: 'invoice_lines_missing', level: 'note' }
  for (const who of ['finance', 'viewer']) expect((await post(who, 'checks', tuned)).status).toBe(403)
  expect(await (await post('admin', 'checks', tuned)).json()).toEqual({ ...tuned, tolerance: {} })
  const form = await post(
    'admin',
    'checks',
    { code: 'invoice_total', level: 'finding', tolerance: 'EUR 0.10' },
    'application/x-www-form-urlencoded',
  )
  expect([form.status, form.headers.get('location')]).toEqual([303, '/checks#invoice_total'])
  const stored = await world.database.query(
    `select check_code as code, level, tolerance, changed_by_name as who from check_setting order by number`,
  )
  expect(stored).toEqual([
    { ...tuned, tolerance: {}, who: 'admin@example.com' },
    { code: 'invoice_total', level: 'finding', tolerance: { EUR: '0.10' }, who: 'admin@example.com' },
  ])
})

test.each([
  ['an unknown check', { code: 'everything', level: 'off' }],
  ['an unknown level', { code: 'line_tax', level: 'ignored' }],
  ['a decimal comma', { code: 'invoice_total', level: 'finding', tolerance: '0,05 EUR' }],
  ['a negative tolerance', { code: 'invoice_total', level: 'finding', tolerance: 'EUR -1' }],
  ['two tolerances of one currency', { code: 'invoice_total', level: 'finding', tolerance: 'EUR 1, EUR 2' }],
  ['none at all', { code: 'invoice_total', level: 'finding', tolerance: 'EUR 0' }],
  ['a tolerance without a currency', { code: 'invoice_total', level: 'finding', tolerance: '0.05' }],
])('a check is refused and stays as it is: %s', async (_title, body) => {
  const before = await count('check_setting')
  expect((await post('admin', 'checks', body)).status).toBe(400)
  expect(await count('check_setting')).toBe(before)
})

test('a form whose tolerance cannot be read gets back what it wrote', async () => {
  const wrong = { code: 'invoice_total', level: 'note', tolerance: '0,05 EUR & more' }
  const reply = await post('admin', 'checks', wrong, 'application/x-www-form-urlencoded')
  const back = new URL(reply.headers.get('location') ?? '', APP_URL)
  expect([reply.status, back.pathname, back.hash]).toEqual([303, '/checks', '#invoice_total'])
  expect(Object.fromEntries(back.searchParams)).toEqual(wrong)
})

test('a tolerance of a check without an amount is left out', async () => {
  const reply = await post('admin', 'checks', { code: 'invoice_due_before_issued', level: 'note', tolerance: 'EUR 5' })
  expect(await reply.json()).toMatchObject({ tolerance: {} })
})

test('A8: a habit is decided by finance staff, and never of another organization’s account', async () => {
  expect((await post('viewer', 'habit', habit())).status).toBe(403)
  expect((await post('finance', 'habit', habit())).status).toBe(200)
  expect((await post('stranger', 'habit', habit())).status).toBe(404)
  expect(
    await world.database.query('select profile_id, invoice_mode, decided_by_name as who from habit_decision'),
  ).toEqual([{ profile_id: 'profile-1', invoice_mode: null, who: 'finance@example.com' }])
})

test.each([
  ['a convention of the other check', { convention: 'total_truncated' }],
  ['an unknown convention', { convention: 'as_they_like' }],
  ['a rate that is no number', { rate: 'nineteen' }],
  ['a text that no column holds', { profile: 'a\0b' }],
  ['no connection', { connection: 'all' }],
])('a habit is refused and nothing is kept: %s', async (_title, change) => {
  const before = await count('habit_decision')
  expect((await post('finance', 'habit', habit(change))).status).toBe(400)
  expect(await count('habit_decision')).toBe(before)
})

test('the fiscal year begins with a month, set by admins alone', async () => {
  expect((await post('finance', 'fiscal-year', { month: 4 })).status).toBe(403)
  for (const month of [0, 13, 1.5, 'April']) expect((await post('admin', 'fiscal-year', { month })).status).toBe(400)
  expect((await post('admin', 'fiscal-year', { month: 4 })).status).toBe(200)
  expect(await world.database.query('select name, fiscal_month from organization order by name')).toEqual([
    { name: 'First', fiscal_month: 4 },
    { name: 'Second', fiscal_month: 1 },
  ])
})
