import { afterAll, beforeAll, expect, test } from 'vitest'
import { APP_URL, startWorld, type World } from '#lib/auth/test-support/test-world.ts'

type Route = { POST: (request: Request, context?: never) => Promise<Response> }
const FORM = 'application/x-www-form-urlencoded'

let world: World
const routes = new Map<string, Route>()
const cookies = new Map<string, string>()
const ids = new Map<string, string>()

beforeAll(async () => {
  world = await startWorld()
  routes.set('people', (await import('./route.ts')) as Route)
  routes.set('people/invitations', (await import('./invitations/route.ts')) as Route)
  routes.set('invite', (await import('../invite/route.ts')) as Route)
  routes.set('account/name', (await import('../account/name/route.ts')) as Route)
  routes.set('account/formats', (await import('../account/formats/route.ts')) as Route)
  routes.set('settings/formats', (await import('../settings/formats/route.ts')) as Route)
  routes.set('settings/sign-off', (await import('../settings/sign-off/route.ts')) as Route)
  routes.set('settings/names', (await import('../settings/names/route.ts')) as Route)
  routes.set('settings/name', (await import('../settings/name/route.ts')) as Route)
  for (const role of ['admin', 'finance', 'viewer']) ids.set(role, await world.addUser(`${role}@example.com`, role))
  ids.set('stranger', await world.addUser('stranger@example.com', 'admin', 'Second'))
  for (const who of ids.keys()) {
    const browser = world.browser()
    await browser.signIn(`${who}@example.com`)
    cookies.set(who, [...browser.cookies].map(([key, { value }]) => `${key}=${value}`).join('; '))
  }
})
afterAll(() => world.close())

async function post(who: string, path: string, body: object, type = 'application/json'): Promise<Response> {
  const request = new Request(`${APP_URL}/api/${path}`, {
    method: 'POST',
    headers: {
      cookie: cookies.get(who) ?? '',
      origin: APP_URL,
      'sec-fetch-site': 'same-origin',
      'content-type': type,
    },
    body: type === FORM ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body),
  })
  return (routes.get(path) as Route).POST(request)
}

const id = (who: string) => ids.get(who) as string
const location = (reply: Response) => [reply.status, reply.headers.get('location')]
const snapshot = () =>
  world.database.query('select id, email, name, role, disabled_at, removed_at from app_user order by id')

test('A8: an admin of another organization changes nobody here: 404 for every action, and nothing has changed', async () => {
  const before = await snapshot()
  for (const body of [
    { action: 'name', name: 'Mallory' },
    { action: 'role', role: 'viewer' },
    { action: 'deactivate' },
    { action: 'reactivate' },
    { action: 'sign-out' },
    { action: 'remove' },
  ])
    expect((await post('stranger', 'people', { ...body, user: id('admin') })).status).toBe(404)
  expect(await snapshot()).toEqual(before)
})

const GERMAN = { numberFormat: 'point-comma', dateFormat: 'points', timeZone: 'Europe/Berlin' }
const readChoices = () =>
  world.database.query(
    `select email as who, number_format as number, date_format as date, time_zone as zone from app_user
     where number_format is not null or date_format is not null or time_zone is not null
     union all select name, number_format, date_format, time_zone from organization where number_format is not null`,
  )
const lastEntry = async () =>
  (await world.database.query('select action, before, after from audit_entry order by at desc limit 1'))[0]

test('everybody chooses formats for themselves, an admin those of the organization, and the audit tells of both', async () => {
  const nothing = JSON.stringify({ numberFormat: null, dateFormat: null, timeZone: null })
  const own = { numberFormat: 'organization', dateFormat: 'points', timeZone: '' }
  expect(location(await post('viewer', 'account/formats', own, FORM))).toEqual([
    303,
    '/account?said=formats-saved#formats',
  ])
  const after = JSON.stringify({ ...own, timeZone: null })
  expect(await lastEntry()).toEqual({ action: 'people.formats', before: nothing, after })
  expect(location(await post('admin', 'settings/formats', GERMAN, FORM))).toEqual([
    303,
    '/settings?said=formats-saved#formats',
  ])
  const told = { action: 'organization.formats', before: nothing, after: JSON.stringify(GERMAN) }
  expect(await lastEntry()).toEqual(told)
  expect(await readChoices()).toEqual([
    { who: 'viewer@example.com', number: 'organization', date: 'points', zone: null },
    { who: 'First', number: 'point-comma', date: 'points', zone: 'Europe/Berlin' },
  ])
})

test.each([
  ['names that look alike count as one', 'settings/names', 'foldsNames', 'organization.names', 'names', false],
  ['two people have to sign', 'settings/sign-off', 'fourEyes', 'organization.four-eyes', 'signing', true],
])('an admin says whether %s, and the audit what it was before', async (_, path, rule, action, section, atFirst) => {
  const turn = (isOn: boolean) => (isOn ? { [rule]: 'on' } : {})
  const told = (isOn: boolean) => ({ action, before: `{"${rule}":${!isOn}}`, after: `{"${rule}":${isOn}}` })
  const landing = `/settings?said=${section}-saved#${section}`
  expect(location(await post('admin', path, turn(!atFirst), FORM))).toEqual([303, landing])
  expect(await lastEntry()).toEqual(told(!atFirst))
  expect((await post('finance', path, turn(atFirst))).status).toBe(403)
  expect((await post('admin', path, turn(atFirst))).status).toBe(200)
  expect(await lastEntry()).toEqual(told(atFirst))
  expect((await post('admin', path, turn(atFirst))).status).toBe(200)
  expect(await lastEntry()).toEqual(told(atFirst))
})

test.each([
  ['a format that there is not', 'account/formats', { numberFormat: 'roman' }],
  ['a word that every object has', 'account/formats', { numberFormat: 'constructor' }],
  ['a zone that there is not', 'account/formats', { timeZone: 'Europe/Atlantis' }],
  ['the organization’s format as that of the organization', 'settings/formats', { dateFormat: 'organization' }],
])('A14: %s is refused, and nothing is chosen', async (_title, path, body) => {
  const before = await readChoices()
  expect((await post('admin', path, { ...GERMAN, ...body })).status).toBe(400)
  expect(await readChoices()).toEqual(before)
})

test('only admins change people, invite, and name the organization', async () => {
  const before = await snapshot()
  for (const who of ['finance', 'viewer']) {
    expect((await post(who, 'people', { action: 'role', user: id(who), role: 'admin' })).status).toBe(403)
    const invited = { action: 'invite', email: 'x@example.com', role: 'admin' }
    expect((await post(who, 'people/invitations', invited)).status).toBe(403)
    expect((await post(who, 'settings/name', { name: 'Ours' })).status).toBe(403)
    expect((await post(who, 'settings/formats', GERMAN)).status).toBe(403)
  }
  expect(await snapshot()).toEqual(before)
})

test.each([
  ['an unknown role', { action: 'role', role: 'owner' }],
  ['an unknown action', { action: 'promote' }],
  ['no name', { action: 'name', name: ' ' }],
  ['a name with a line break', { action: 'name', name: 'Ada\nAdmin' }],
  ['a name that turns the text around it', { action: 'name', name: 'Ada \u202enimda' }],
  ['an id that is none', { action: 'remove', user: 'all' }],
])('refuses %s', async (_title, body) => {
  expect((await post('admin', 'people', { user: id('viewer'), ...body })).status).toBe(400)
})

test('the last admin is told to make another one first', async () => {
  const body = { action: 'deactivate', user: id('admin') }
  expect((await post('admin', 'people', body)).status).toBe(409)
  expect(location(await post('admin', 'people', body, FORM))).toEqual([303, '/people?error=last-admin'])
})

test('a form that changes a person leads back to the page; the audit names who did it and from where', async () => {
  const body = { action: 'role', user: id('viewer'), role: 'finance' }
  expect(location(await post('admin', 'people', body, FORM))).toEqual([303, '/people?said=role'])
  const [entry] = await world.database.query(
    'select actor_id, actor_name, network, action, subject_name from audit_entry order by number desc limit 1',
  )
  expect(entry).toEqual({
    actor_id: id('admin'),
    actor_name: 'admin@example.com',
    network: 'unknown',
    action: 'people.role',
    subject_name: 'viewer@example.com',
  })
})

test('everybody names themselves, and nobody else', async () => {
  expect((await post('finance', 'account/name', { name: ' Fay ' })).status).toBe(200)
  const names = await world.database.query(
    `select name from app_user where email like 'fin%' or email like 'adm%' order by 1`,
  )
  expect(names).toEqual([{ name: 'Fay' }, { name: 'admin@example.com' }])
})

test('the organization’s name is changed for everybody, and only this one’s', async () => {
  expect((await post('admin', 'settings/name', { name: 'First Ltd' })).status).toBe(200)
  const names = await world.database.query('select name from organization order by 1')
  expect(names).toEqual([{ name: 'First Ltd' }, { name: 'Second' }])
  const [entry] = await world.database.query('select action, before, after from audit_entry order by at desc limit 1')
  expect(entry).toEqual({ action: 'organization.name', before: '{"name":"First"}', after: '{"name":"First Ltd"}' })
})

test('a link is handed to the browser that made it, not in the address; pasted as a whole, it lets somebody in', async () => {
  const invited = { action: 'invite', email: 'ada@example.com', name: '', role: 'viewer' }
  const made = await post('admin', 'people/invitations', invited, FORM)
  expect(location(made)).toEqual([303, '/people?said=invite'])
  const [cookie = ''] = made.headers.getSetCookie()
  expect(cookie).toMatch(/^tieout\.invitation=[\w.-]{80}; Path=\/people; Max-Age=60; HttpOnly; SameSite=Lax$/)
  const { link } = await (await post('admin', 'people/invitations', invited)).json()
  expect(link).toMatch(/^http:\/\/localhost:3000\/invite#[\w.-]{80}$/)
  const join = (change: object) =>
    post('nobody', 'invite', { invitation: link, name: 'Ada', password: 'analytical engine', ...change }, FORM)
  const key = link.split('#')[1]
  expect(location(await join({ password: 'short' }))).toEqual([303, `/invite?error=password#${key}`])
  expect(location(await join({ name: '' }))).toEqual([303, `/invite?error=name#${key}`])
  expect(location(await join({ invitation: 'a\nb' }))).toEqual([303, '/invite?error=unusable'])
  const joined = await join({})
  expect(location(joined)).toEqual([303, '/sign-in?said=joined'])
  expect(joined.headers.getSetCookie()).toEqual([])
  expect(location(await join({}))).toEqual([303, '/invite?error=unusable'])
  const again = await post('admin', 'people/invitations', invited)
  expect([again.status, (await again.json()).error.code]).toEqual([409, 'member'])
})

test('an invitation is refused before a password is hashed, and its secret is in no log line', async () => {
  const { link } = await (
    await post('admin', 'people/invitations', { action: 'invite', email: 'eve@example.com', role: 'viewer' })
  ).json()
  const wrong = link.replace(/.$/, link.endsWith('A') ? 'B' : 'A')
  const reply = await post('nobody', 'invite', { invitation: wrong, name: 'Eve', password: 'analytical engine' })
  expect([reply.status, (await reply.json()).error.code]).toEqual([404, 'unusable'])
  expect(world.logLines.join()).not.toContain(link.slice(-43, -1))
})

test('invites by mail: nobody here gets the link, which waits for the worker; without mail it says so', async () => {
  const invited = { action: 'invite', email: 'mailed@example.com', role: 'viewer', by: 'mail' }
  const refused = await post('admin', 'people/invitations', invited)
  expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: 'no-mail' } }])
  expect(await world.database.query(`select from invitation where email = 'mailed@example.com'`)).toEqual([])
  const { settings } = await import('#lib/env.ts')
  const { Secret } = await import('#lib/secret.ts')
  const kept = settings().mail
  settings().mail = { smtpUrl: new Secret('smtp://127.0.0.1:1'), from: 'desk@example.com' }
  const made = await post('admin', 'people/invitations', invited)
  expect([made.status, await made.json()]).toEqual([200, { mailed: true }])
  const waiting = () =>
    world.database.query<{ id: string; waits: boolean }>(
      `select id, mail_wanted_at is not null as waits from invitation where email = 'mailed@example.com'`,
    )
  const [invitation] = await waiting()
  expect(invitation?.waits).toBe(true)
  const byHand = await post('admin', 'people/invitations', { action: 'renew', invitation: invitation?.id })
  expect(await byHand.json()).toMatchObject({ link: expect.stringContaining('/invite#') })
  expect((await waiting())[0]?.waits).toBe(false)
  const form = await post(
    'admin',
    'people/invitations',
    { action: 'renew', invitation: invitation?.id as string, by: 'mail' },
    FORM,
  )
  expect(location(form)).toEqual([303, '/people?said=mailed#invitations'])
  settings().mail = kept
})
