import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { settings } from '#lib/env.ts'
import { createTestAuthenticator } from '../test-support/test-authenticator.ts'
import { APP_URL, type Browser, startWorld, type World } from '../test-support/test-world.ts'

const PERSON = 'person@example.com'
const SIGN_IN = '/api/sign-in/passkey'

type Options = { challenge: string; user?: { id: string }; userVerification?: string }
type Authenticator = ReturnType<typeof createTestAuthenticator>

let world: World
let userId: string
let organizationId: string

beforeAll(async () => {
  world = await startWorld()
  userId = await world.addUser(PERSON, 'finance')
  await world.addUser('other@example.com', 'finance')
  const [organization] = await world.database.query<{ id: string }>('select id from organization')
  organizationId = organization?.id ?? ''
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const table of ['throttle', 'passkey', 'passkey_challenge', 'authenticator', 'user_session'])
    await world.database.query(`delete from ${table}`)
  await world.database.query('update app_user set disabled_at = null')
})

const query = <Row extends Record<string, unknown>>(text: string) => world.database.query<Row>(text)
const isSignedIn = async (browser: Browser) => (await browser.get('/api/connections')).status === 200
const ask = async (browser: Browser, path: string): Promise<Options> => (await browser.postJson(path)).json()

async function signedIn(email = PERSON): Promise<Browser> {
  const browser = world.browser()
  await browser.signIn(email)
  return browser
}

async function register(email = PERSON): Promise<Authenticator> {
  const browser = await signedIn(email)
  const authenticator = createTestAuthenticator(APP_URL)
  const response = authenticator.create(await ask(browser, '/api/account/passkeys/options'))
  expect((await browser.postJson('/api/account/passkeys', { name: 'Laptop', response })).status).toBe(200)
  await query('delete from user_session')
  return authenticator
}

test('a passkey signs its person in, without password and without a second step', async () => {
  const passkey = await register()
  await query(`insert into authenticator values ('${organizationId}', '${userId}', 'x', now(), now(), 0)`)
  const browser = world.browser()
  const options = await ask(browser, `${SIGN_IN}/options`)
  expect(options.userVerification).toBe('required')
  expect((await browser.postJson(SIGN_IN, passkey.get(options))).status).toBe(200)
  expect(await isSignedIn(browser)).toBe(true)
  const [stored] = await query('select name, last_used_at is not null as used from passkey')
  expect(stored).toEqual({ name: 'Laptop', used: true })
  const actions = await query(`select action, after from audit_entry where action like 'passkey.%'`)
  expect(actions).toEqual([{ action: 'passkey.add', after: '{"name":"Laptop"}' }])
})

test('an answer signs in once, even when it is sent 20 times at once', async () => {
  const passkey = await register()
  const browser = world.browser()
  const answer = passkey.get(await ask(browser, `${SIGN_IN}/options`))
  const cookies = new Map(browser.cookies)
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => {
      const copy = world.browser()
      for (const [name, cookie] of cookies) copy.cookies.set(name, cookie)
      return copy.postJson(SIGN_IN, answer)
    }),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await query('select from user_session where ended_at is null')).toHaveLength(1)
})

test.each([
  ['of another browser', async () => ({ browser: await askedBrowser() })],
  [
    'that is older than five minutes',
    async () => void (await query(`update passkey_challenge set expires_at = now() - interval '1 second'`)),
  ],
  ['made for registering', async () => void (await query(`update passkey_challenge set purpose = 'register'`))],
])('refuses the answer to a challenge %s', async (_, change) => {
  const passkey = await register()
  const asked = await askedBrowser()
  const { browser = asked } = (await change()) ?? {}
  expect((await browser.postJson(SIGN_IN, passkey.get(asked.options))).status).toBe(401)
  expect(await query('select from user_session')).toEqual([])
})

/** A browser that has asked for a challenge. */
async function askedBrowser(): Promise<Browser & { options: Options }> {
  const browser = world.browser()
  const options = await ask(browser, `${SIGN_IN}/options`)
  return Object.assign(browser, { options })
}

test.each([
  ['an authenticator that did not verify the person', { isVerified: false }],
  ['another origin', { origin: 'https://evil.example' }],
  ['another host', { host: 'evil.example' }],
])('refuses what was signed for %s', async (_, options) => {
  const passkey = await register()
  const browser = await askedBrowser()
  expect((await browser.postJson(SIGN_IN, passkey.get(browser.options, options))).status).toBe(401)
})

test('refuses another key, another person’s name on a key, and what is no answer at all', async () => {
  const [passkey, other] = [await register(), await register('other@example.com')]
  const answers: ((options: Options) => unknown)[] = [
    (options) => ({ ...passkey.get(options), response: other.get(options).response }),
    (options) => {
      const { response, ...rest } = passkey.get(options)
      return {
        ...rest,
        response: { ...response, userHandle: (other.get(options).response as typeof response).userHandle },
      }
    },
    (options) => createTestAuthenticator(APP_URL).get(options),
    () => ({}),
    () => [],
    () => 'x',
    () => ({ id: 'x\0', response: { userHandle: '\0', clientDataJSON: 'x' } }),
  ]
  for (const toAnswer of answers) {
    const browser = await askedBrowser()
    expect((await browser.postJson(SIGN_IN, toAnswer(browser.options))).status).toBe(401)
  }
  expect(await query('select from user_session')).toEqual([])
})

test('refuses a count of uses that does not grow, and takes 0 from an authenticator that never counts', async () => {
  const passkey = await register()
  const use = async (counter: number) => {
    const browser = await askedBrowser()
    return (await browser.postJson(SIGN_IN, passkey.get(browser.options, { counter }))).status
  }
  expect([await use(0), await use(0), await use(5)]).toEqual([200, 200, 200])
  expect([await use(5), await use(4), await use(0)]).toEqual([401, 401, 401])
  expect(await use(6)).toBe(200)
})

test('of two answers with the same count, signed at once by a copied key, one signs in', async () => {
  const passkey = await register()
  const browsers = [await askedBrowser(), await askedBrowser(), await askedBrowser(), await askedBrowser()]
  const replies = await Promise.all(
    browsers.map((browser) => browser.postJson(SIGN_IN, passkey.get(browser.options, { counter: 1 }))),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('A17: a disabled person’s passkey, and a removed one, sign nobody in', async () => {
  const passkey = await register()
  await query(`update app_user set disabled_at = now() where email = '${PERSON}'`)
  const first = await askedBrowser()
  expect((await first.postJson(SIGN_IN, passkey.get(first.options))).status).toBe(401)
  await query('update app_user set disabled_at = null')
  const owner = await signedIn()
  const [stored] = await query<{ id: string }>('select credential_id as id from passkey')
  const other = await signedIn('other@example.com')
  await other.post('/api/account/passkeys/remove', { id: stored?.id ?? '' })
  expect(await query('select from passkey')).toHaveLength(1)
  await owner.post('/api/account/passkeys/remove', { id: stored?.id ?? '' })
  expect(await query('select from passkey')).toEqual([])
  expect(await query(`select from audit_entry where action = 'passkey.remove'`)).toHaveLength(1)
  const second = await askedBrowser()
  expect((await second.postJson(SIGN_IN, passkey.get(second.options))).status).toBe(401)
})

test('a challenge of one session registers nothing in another, nor twice', async () => {
  const [owner, other] = [await signedIn(), await signedIn('other@example.com')]
  const passkey = createTestAuthenticator(APP_URL)
  const options = await ask(owner, '/api/account/passkeys/options')
  const add = (browser: Browser) =>
    browser.postJson('/api/account/passkeys', { name: 'x', response: passkey.create(options) })
  expect((await add(other)).status).toBe(409)
  expect([(await add(owner)).status, (await add(owner)).status]).toEqual([200, 409])
  expect(await query('select from passkey')).toHaveLength(1)
})

test('registers nothing that has not verified its person', async () => {
  const browser = await signedIn()
  const options = await ask(browser, '/api/account/passkeys/options')
  const response = createTestAuthenticator(APP_URL).create(options, { isVerified: false })
  expect((await browser.postJson('/api/account/passkeys', { name: 'x', response })).status).toBe(409)
})

test('A18: a network that asks for challenges without end gets no more than 200 at a time', async () => {
  const browser = world.browser()
  await query(
    `insert into passkey_challenge select 'x' || n, 'sign-in', 'x', 'elsewhere', now() + interval '1 minute' from generate_series(1, 300) n`,
  )
  expect((await browser.postJson(`${SIGN_IN}/options`)).status).toBe(200)
  await query(
    `insert into passkey_challenge select 'y' || n, 'sign-in', 'x', network, expires_at from passkey_challenge, generate_series(1, 199) n where network <> 'elsewhere'`,
  )
  expect((await browser.postJson(`${SIGN_IN}/options`)).status).toBe(429)
  expect((await world.browser('198.51.100.9').postJson(`${SIGN_IN}/options`)).status).toBe(200)
})

test.each([
  ['http://localhost:3000', true],
  ['https://desk.example.com', true],
  ['https://192.0.2.1', false],
  ['https://[2001:db8::1]', false],
  ['http://127.0.0.1:3000', false],
])('at %s passkeys are offered: %s', async (appUrl, isOffered) => {
  const { hasPasskeys } = await import('../factors/passkeys.ts')
  const before = settings().appUrl
  settings().appUrl = appUrl
  try {
    expect(hasPasskeys()).toBe(isOffered)
  } finally {
    settings().appUrl = before
  }
})
