import '#lib/auth/test-support/test-cheap-passwords.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Browser, leadsTo, startWorld, type World } from '#lib/auth/test-support/test-world.ts'

let world: World
let browser: Browser
let userId: string

beforeAll(async () => {
  world = await startWorld({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'desk@example.com' })
  userId = await world.addUser('ana@example.com', 'viewer')
  browser = world.browser()
  await browser.signIn('ana@example.com')
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.query('delete from digest')
  await world.database.query('delete from digest_setting')
  await world.database.query('truncate throttle')
})

const rhythm = async () =>
  (await world.database.query<{ rhythm: string }>('select rhythm from digest_setting')).map((row) => row.rhythm)
const rows = () => world.database.query<{ state: string; asked: boolean }>('select state, asked from digest')
const entries = () =>
  world.database.query<{ before: string; after: string; subject_id: string }>(
    `select before, after, subject_id from audit_entry where action = 'people.digest' order by number`,
  )

test('a viewer chooses their own digest: one entry for what changes, none for what does not', async () => {
  const before = (await entries()).length
  const saved = await browser.post('/api/account/digest', { rhythm: 'daily' })
  expect([saved.status, leadsTo(saved)]).toEqual([303, '/account?said=digest-saved#digest'])
  await browser.post('/api/account/digest', { rhythm: 'daily' })
  await browser.postJson('/api/account/digest', { rhythm: 'weekly' })
  expect(await rhythm()).toEqual(['weekly'])
  const told = (await entries()).slice(before)
  expect(told.map((entry) => [JSON.parse(entry.before).digest, JSON.parse(entry.after).digest])).toEqual([
    ['off', 'daily'],
    ['daily', 'weekly'],
  ])
  expect(told[0]?.subject_id).toBe(userId)
  expect((await browser.postJson('/api/account/digest', { rhythm: 'hourly' })).status).toBe(400)
})

test('one to try is a row for the worker; after a few the person has to wait', async () => {
  const ask = () => browser.post('/api/account/digest/now')
  for (let n = 0; n < 3; n++) expect(leadsTo(await ask())).toBe('/account?said=digest-asked#digest')
  expect(leadsTo(await ask())).toMatch(/^\/account\?error=digest-wait&seconds=\d+#digest$/)
  expect((await rows()).map(({ state, asked }) => [state, asked])).toEqual(Array(3).fill(['waiting', true]))
  // nobody chose anything by that
  expect(await rhythm()).toEqual(['off'])
  const other = world.browser()
  await world.addUser('ben@example.com', 'viewer')
  await other.signIn('ben@example.com')
  expect(leadsTo(await other.post('/api/account/digest/now'))).toBe('/account?said=digest-asked#digest')
})

test('without a mail server none is asked for, and the page says so', async () => {
  const { settings } = await import('#lib/env.ts')
  const kept = settings().mail
  settings().mail = null
  expect(leadsTo(await browser.post('/api/account/digest/now'))).toBe('/account?error=digest-no-mail#digest')
  settings().mail = kept
  expect(await rows()).toEqual([])
})

test('a mail program turns it off by one POST from anywhere; opening the link only asks', async () => {
  await browser.post('/api/account/digest', { rhythm: 'daily' })
  const { toTurnOffKey } = await import('#lib/digest/turn-off-link.ts')
  const [found] = await world.database.query<{ organizationId: string; linkKey: string }>(
    `select organization_id as "organizationId", link_key as "linkKey" from digest_setting`,
  )
  const key = toTurnOffKey({ organizationId: found?.organizationId ?? '', userId, linkKey: found?.linkKey ?? '' })
  const program = world.browser('198.51.100.9')
  const opened = await program.get(`/api/digest/off?key=${key}`)
  expect([opened.status, leadsTo(opened), await rhythm()]).toEqual([303, `/unsubscribe?key=${key}`, ['daily']])
  const click = (of: string, type = 'application/x-www-form-urlencoded') =>
    program.post(
      `/api/digest/off?key=${of}`,
      { 'List-Unsubscribe': 'One-Click' },
      { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site', 'content-type': type },
    )
  const wrong = await click(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)
  expect([wrong.status, await rhythm()]).toEqual([404, ['daily']])
  const done = await click(key, 'multipart/form-data; boundary=x')
  // a mail program follows no redirect (RFC 8058, 3.2)
  expect([done.status, await done.text(), await rhythm()]).toEqual([200, 'You get no more digests by mail.\n', ['off']])
  expect((await click(key)).status).toBe(200)
  const ofPage = await browser.post(`/api/digest/off?key=${key}&page=1`)
  expect(leadsTo(ofPage)).toBe('/unsubscribe?said=off')
})
