/** Single sign-on through our routes, with oidc-provider as the identity provider. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Seal } from '../seal.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  followToApp,
  type IdentityProvider,
  type KnownPerson,
  startIdentityProvider,
} from '../test-support/test-identity-provider.ts'
import { APP_URL, type Browser, leadsTo, startWorld, type World } from '../test-support/test-world.ts'
import type { SsoMode, SsoProvider } from './model.ts'

const CALLBACK = '/api/auth/callback/sso'
const MINUTE_SECONDS = 60

let world: World
let idp: IdentityProvider
let adminId: string
let organizationId: string
let strangerOrganizationId: string

beforeAll(async () => {
  idp = await startIdentityProvider(APP_URL + CALLBACK)
  world = await startWorld()
})
afterAll(async () => {
  await world.close()
  await idp.close()
})
beforeEach(async () => {
  const { database } = world
  for (const table of [
    'user_identity',
    'single_sign_on_answer',
    'single_sign_on',
    'user_session',
    'app_user',
    'throttle',
  ])
    await database.query(`delete from ${table}`)
  adminId = await world.addUser('admin@example.com', 'admin')
  await world.addUser('else@other.example', 'admin', 'Second')
  const [first, second] = await database.query<{ id: string }>('select id from organization order by name')
  organizationId = first?.id as string
  strangerOrganizationId = second?.id as string
  idp.tamper = null
  idp.instead.clear()
  idp.asked.length = 0
  await idp.rotateKeys()
  const globals = globalThis as { tieoutProviders?: Map<string, unknown>; tieoutProviderKeys?: Map<string, unknown> }
  globals.tieoutProviders?.clear()
  globals.tieoutProviderKeys?.clear()
  world.logLines.length = 0
  await configure()
})

const SETTINGS = {
  clientId: CLIENT_ID,
  secret: CLIENT_SECRET,
  authMethod: 'client_secret_basic',
  roleClaim: 'groups',
  approver: 'desk-approvers',
  auditor: '',
  admin: 'desk-admins',
  finance: 'desk-finance',
  viewer: 'desk-viewers\nauditors',
  domains: 'example.com',
}

async function signedInAdmin(): Promise<Browser> {
  const admin = world.browser()
  await admin.signIn('admin@example.com')
  return admin
}

const PROVIDER: SsoProvider = {
  issuer: '',
  clientId: CLIENT_ID,
  authMethod: 'client_secret_basic',
  roleClaim: 'groups',
  values: {
    viewer: ['desk-viewers', 'auditors'],
    auditor: [],
    finance: ['desk-finance'],
    approver: ['desk-approvers'],
    admin: ['desk-admins'],
  },
  domains: ['example.com'],
}

/** Sets the provider, and who has to use it. */
async function configure(
  changes: Partial<SsoProvider> = {},
  mode: SsoMode = 'optional',
  breakGlass: string[] = [],
): Promise<void> {
  const { saveMode, saveProvider } = await import('./sso-settings.ts')
  const actor = { kind: 'operator', name: 'a test' } as const
  const provider = { ...PROVIDER, issuer: idp.issuer, ...changes }
  expect(await saveProvider(organizationId, provider, CLIENT_SECRET, actor)).toBe(null)
  expect(await saveMode(organizationId, { mode, breakGlass }, actor, new Date())).toBe(null)
}

const MIRA: KnownPerson = {
  sub: 'mira-1',
  email: 'Mira@example.com',
  email_verified: true,
  name: 'Mira Lang',
  groups: ['staff', 'desk-finance'],
}

/** Begins in a browser; returns the callback's path with what the provider says. */
async function begin(browser: Browser, person: KnownPerson): Promise<string> {
  idp.person = person
  const started = await browser.post('/api/sso', { domain: 'mira@example.com', next: '/lines' })
  const callback = new URL(await followToApp(leadsTo(started), APP_URL))
  return callback.pathname + callback.search
}

/** Where a whole sign-in leads. */
async function enter(person: KnownPerson, browser = world.browser()): Promise<string> {
  const response = await browser.get(await begin(browser, person))
  return response.headers.get('location') ?? ''
}

const refused = (key: string) => `/sign-in?error=${key}&next=%2Flines`
const listUsers = (email: string) =>
  world.database.query('select name, role, password_hash from app_user where email = $1', [email])
const listAudit = () =>
  world.database
    .query<{ action: string; after: string | null }>('select action, after from audit_entry order by at desc limit 3')
    .then((entries) => entries.map(({ action, after }) => [action, after]))

/** Who the browser is signed in as: a route for everybody answers, or not. */
async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get('/api/connections')).status === 200
}

test('A40: signs a new person in, with name and role as the provider says, and without a password', async () => {
  const browser = world.browser()
  expect(await enter(MIRA, browser)).toBe('/lines')
  expect(await isSignedIn(browser)).toBe(true)
  expect(await listUsers('mira@example.com')).toEqual([{ name: 'Mira Lang', role: 'finance', password_hash: null }])
  expect((await listAudit()).map(([action]) => action)).toEqual([
    'single-sign-on.signed-in',
    'single-sign-on.created',
    'single-sign-on.mode',
  ])
  expect(await world.database.query('select issuer, subject from user_identity')).toEqual([
    { issuer: idp.issuer, subject: 'mira-1' },
  ])
  // nothing of the attempt stays in the browser
  expect([...browser.cookies.keys()]).toEqual(['tieout.session'])
})

test('A40: a person is issuer and subject: another address is the same user, another subject is not', async () => {
  await enter(MIRA)
  expect(await enter({ ...MIRA, email: 'mira.lang@example.com' })).toBe('/lines')
  expect(await world.database.query('select count(*)::int as n from user_identity')).toEqual([{ n: 1 }])
  // the address was given to somebody else
  expect(await enter({ ...MIRA, sub: 'mira-2' })).toBe(refused('sso_taken'))
})

test('the claimed role counts at every sign-in, and no role is no access', async () => {
  await enter(MIRA)
  await enter({ ...MIRA, groups: ['auditors', 'desk-admins'] })
  expect(await listUsers('mira@example.com')).toMatchObject([{ role: 'admin' }])
  await enter({ ...MIRA, groups: 'auditors' })
  expect(await listUsers('mira@example.com')).toMatchObject([{ role: 'viewer' }])
  expect(await listAudit()).toContainEqual(['single-sign-on.role-changed', '{"role":"viewer"}'])
  expect(await enter({ ...MIRA, groups: ['staff'] })).toBe(refused('sso_no_role'))
  expect(await enter({ ...MIRA, groups: undefined })).toBe(refused('sso_no_role'))
  expect((await listAudit())[0]).toEqual(['single-sign-on.refused', '{"why":"sso_no_role"}'])
})

test('whom the company’s directory manages keeps its role, whatever the claims say', async () => {
  await enter(MIRA)
  const [mira] = await listUsers('mira@example.com')
  await world.database.query(
    `insert into directory_person (organization_id, user_id, active, attributes, created_at, changed_at)
     select organization_id, id, true, '{}', now(), now() from app_user where email = 'mira@example.com'`,
  )
  const token = `insert into directory_token (organization_id, name, hash, created_by_name, created_at, expires_at)
    select organization_id, 'D', $1, 'x', now(), $2 from app_user where email = 'mira@example.com'`
  await world.database.query(token, ['b'.repeat(64), '2026-01-01'])
  await world.database.query(token, ['a'.repeat(64), null])
  const asAdmin = { ...MIRA, groups: ['desk-admins'] }
  expect(await enter(asAdmin)).toBe('/lines')
  expect(await listUsers('mira@example.com')).toEqual([mira])
  await world.database.query(`delete from directory_token where hash like 'a%'`)
  await enter(asAdmin)
  expect(await listUsers('mira@example.com')).toMatchObject([{ role: 'admin' }])
  await world.database.query('delete from directory_token')
  await world.database.query('delete from directory_person')
})

test('the role may stand deeper in the claims', async () => {
  await configure({
    roleClaim: 'app.tieout.roles',
    values: { viewer: ['v'], auditor: [], finance: ['f'], approver: [], admin: ['a'] },
  })
  expect(await enter({ ...MIRA, app: { tieout: { roles: ['v', 'f'] } } })).toBe('/lines')
  expect(await listUsers('mira@example.com')).toMatchObject([{ role: 'finance' }])
})

test('A40: links an existing person by a verified address of a claimed domain only', async () => {
  await world.addUser('mira@example.com', 'viewer')
  expect(await enter({ ...MIRA, email_verified: false })).toBe(refused('sso_taken'))
  expect(await enter({ ...MIRA, email_verified: undefined })).toBe(refused('sso_taken'))
  expect(await enter({ ...MIRA, email_verified: 'true' as unknown as boolean })).toBe(refused('sso_taken'))
  await world.addUser('mira@elsewhere.example', 'viewer')
  expect(await enter({ ...MIRA, email: 'mira@elsewhere.example' })).toBe(refused('sso_taken'))
  expect(await enter(MIRA)).toBe('/lines')
  expect((await listAudit()).map(([action]) => action)).toEqual([
    'single-sign-on.signed-in',
    'single-sign-on.role-changed',
    'single-sign-on.linked',
  ])
})

test('A40: an address of another organization is taken, however verified', async () => {
  expect(await enter({ ...MIRA, email: 'else@other.example' })).toBe(refused('sso_taken'))
  expect(await world.database.query('select from user_identity')).toEqual([])
})

test('an address that is free makes a user even when nobody vouches for it; none makes none', async () => {
  expect(await enter({ ...MIRA, email_verified: false })).toBe('/lines')
  expect(await enter({ sub: 'x', groups: ['auditors'] })).toBe(refused('sso_no_email'))
})

test('deactivated people stay out, known or recognized', async () => {
  await enter(MIRA)
  await world.database.query(`update app_user set disabled_at = now() where email = 'mira@example.com'`)
  expect(await enter(MIRA)).toBe(refused('sso_disabled'))
  await world.database.query('delete from user_identity')
  expect(await enter(MIRA)).toBe(refused('sso_disabled'))
  // neither recognized nor said to have come in
  expect(await world.database.query('select from user_identity')).toEqual([])
  const refusal = ['single-sign-on.refused', '{"why":"sso_disabled"}']
  expect((await listAudit()).slice(0, 2)).toEqual([refusal, refusal])
})

test('the directory cannot demote the last admin who can sign in', async () => {
  const person = { ...MIRA, email: 'admin@example.com', groups: ['auditors'] }
  expect(await enter(person)).toBe('/lines')
  expect(await listUsers('admin@example.com')).toMatchObject([{ role: 'admin' }])
  expect(await listAudit()).toContainEqual(['single-sign-on.role-kept', '{"role":"viewer"}'])
  await world.addUser('second@example.com', 'admin')
  await enter(person)
  expect(await listUsers('admin@example.com')).toMatchObject([{ role: 'viewer' }])
})

test('says so when a person has more groups than the provider sends', async () => {
  const person = { ...MIRA, groups: undefined, _claim_names: { groups: 'src1' } }
  expect(await enter(person)).toBe(refused('sso_overage'))
})

test('asks the userinfo endpoint for what the ID token leaves out, and believes it of the same person only', async () => {
  idp.tamper = ({ groups, email, email_verified, ...claims }) => claims
  expect(await enter(MIRA)).toBe('/lines')
  expect(await listUsers('mira@example.com')).toMatchObject([{ role: 'finance' }])
  idp.instead.set('/me', (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ sub: 'other', groups: ['desk-admins'], email: 'admin@example.com', email_verified: true }),
    )
  })
  expect(await enter(MIRA)).toBe(refused('sso_failed'))
})

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'in userinfo vouches for no address in the ID token',
    { email: 'admin@example.com' },
    { email: 'mira@example.com', email_verified: true },
  ],
  ['in the ID token vouches for no address in userinfo', { email_verified: true }, { email: 'admin@example.com' }],
])('A40: a verified address %s', async (_, inToken, inUserinfo) => {
  idp.tamper = ({ groups, email, email_verified, ...claims }) => ({ ...claims, ...inToken })
  idp.instead.set('/me', (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ sub: MIRA.sub, groups: ['desk-admins'], ...inUserinfo }))
  })
  expect(await enter(MIRA)).toBe(refused('sso_taken'))
  expect(await world.database.query('select from user_identity')).toEqual([])
})

const seconds = () => Math.floor(Date.now() / 1000)

test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
  ['with another nonce', (claims) => ({ ...claims, nonce: 'another' })],
  ['without a nonce', ({ nonce, ...claims }) => claims],
  ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
  ['for another client', (claims) => ({ ...claims, aud: 'another' })],
  ['for several clients, without saying for whom', (claims) => ({ ...claims, aud: [CLIENT_ID, 'another'] })],
  ['for several clients, made for another', (claims) => ({ ...claims, aud: [CLIENT_ID, 'b'], azp: 'b' })],
  ['for this client, made for another', (claims) => ({ ...claims, azp: 'another' })],
  ['that has expired', (claims) => ({ ...claims, exp: seconds() - 2 * MINUTE_SECONDS })],
  ['without an end', ({ exp, ...claims }) => claims],
  ['of the future', (claims) => ({ ...claims, iat: seconds() + 2 * MINUTE_SECONDS })],
  ['of long ago', (claims) => ({ ...claims, iat: seconds() - 20 * MINUTE_SECONDS })],
  ['without a subject', ({ sub, ...claims }) => claims],
])('A40: refuses an ID token %s', async (_, tamper) => {
  idp.tamper = tamper
  expect(await enter(MIRA)).toBe(refused('sso_failed'))
  expect(await world.database.query('select from user_identity')).toEqual([])
  expect(world.logLines.join()).toContain('single sign-on was not believed')
})

test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
  ['for several clients, made for this one', (claims) => ({ ...claims, aud: ['another', CLIENT_ID], azp: CLIENT_ID })],
  ['whose audience is a list of one', (claims) => ({ ...claims, aud: [CLIENT_ID] })],
  ['expired for less than a minute', (claims) => ({ ...claims, exp: seconds() - 40 })],
  ['from a clock less than a minute ahead', (claims) => ({ ...claims, iat: seconds() + 40 })],
])('takes an ID token %s', async (_, tamper) => {
  idp.tamper = tamper
  expect(await enter(MIRA)).toBe('/lines')
})

test('A40: reads the keys again when the provider has changed them, and refuses a forged signature', async () => {
  expect(await enter(MIRA)).toBe('/lines')
  const countKeys = () => idp.asked.filter((path) => path === '/jwks').length
  expect(countKeys()).toBe(1)
  await enter(MIRA)
  expect(countKeys()).toBe(1)
  await idp.rotateKeys()
  const kept = (globalThis as { tieoutProviderKeys?: Map<string, { at: number }> }).tieoutProviderKeys
  // as if they had been read a while ago
  for (const keys of kept?.values() ?? []) keys.at -= 11_000
  expect(await enter(MIRA)).toBe('/lines')
  expect(countKeys()).toBe(2)
  await idp.forge()
  expect(await enter(MIRA)).toBe(refused('sso_failed'))
  // the keys are new: they are not read at each forged token
  expect(countKeys()).toBe(2)
})

test('A40: an answer counts once, in the browser that began, within ten minutes', async () => {
  const browser = world.browser()
  const callback = await begin(browser, MIRA)
  const cookies = new Map(browser.cookies)
  // another browser, without and with an attempt of its own
  const other = world.browser()
  expect((await other.get(callback)).headers.get('location')).toBe('/sign-in?error=sso_expired')
  await begin(other, MIRA)
  expect((await other.get(callback)).headers.get('location')).toBe(refused('sso_expired'))
  expect((await browser.get(callback)).headers.get('location')).toBe('/lines')
  // the same answer again, with the cookies of before
  for (const [name, cookie] of cookies) browser.cookies.set(name, cookie)
  idp.asked.length = 0
  expect((await browser.get(callback)).headers.get('location')).toBe(refused('sso_expired'))
  expect(idp.asked).toEqual([])
  const late = new Date(Date.now() + 11 * 60_000)
  const { finishSso } = await import('./sso-finish.ts')
  const third = world.browser()
  const lateCallback = await begin(third, MIRA)
  const cookie = [...third.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  const answer = await finishSso(new Request(APP_URL + lateCallback, { headers: { cookie } }), late)
  expect(answer.headers.get('location')).toBe('/sign-in?error=sso_expired')
})

test('A40: state, nonce and verifier of another sign-in of the same browser do not fit', async () => {
  const browser = world.browser()
  const first = await begin(browser, MIRA)
  const firstCookies = new Map(browser.cookies)
  const second = await begin(browser, MIRA)
  for (const name of ['tieout.sso.nonce', 'tieout.sso.verifier', 'tieout.sso.state'])
    browser.cookies.set(name, firstCookies.get(name) as { value: string; path: string })
  expect((await browser.get(second)).headers.get('location')).toBe(refused('sso_failed'))
  expect((await browser.get(first)).headers.get('location')).toBe('/sign-in?error=sso_expired')
})

test('A40: nothing of the provider’s error is shown, logged or believed', async () => {
  const browser = world.browser()
  const callback = new URL(await begin(browser, MIRA), APP_URL)
  const state = callback.searchParams.get('state') ?? ''
  const words = '<script>alert(1)</script>'
  const query = new URLSearchParams({ error: 'server_error', error_description: words, state, code: 'a-code' })
  const answer = await browser.get(`${CALLBACK}?${query}`)
  expect(answer.headers.get('location')).toBe(refused('sso_failed'))
  expect(world.logLines.join()).not.toContain('alert(1)')
  const again = world.browser()
  const declined = new URL(await begin(again, MIRA), APP_URL).searchParams.get('state') ?? ''
  const no = new URLSearchParams({ error: 'access_denied', state: declined })
  expect((await again.get(`${CALLBACK}?${no}`)).headers.get('location')).toBe(refused('sso_declined'))
})

test('A40: an answer that names another issuer is refused before its code is sent', async () => {
  const browser = world.browser()
  const callback = new URL(await begin(browser, MIRA), APP_URL)
  callback.searchParams.set('iss', 'https://evil.example')
  idp.asked.length = 0
  expect((await browser.get(callback.pathname + callback.search)).headers.get('location')).toBe(refused('sso_failed'))
  expect(idp.asked).toEqual([])
})

test('A15: an endless, slow or redirecting token answer ends, and no secret is logged', async () => {
  idp.instead.set('/token', (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(`{"id_token":"${'x'.repeat(600_000)}"}`)
  })
  expect(await enter(MIRA)).toBe(refused('sso_failed'))
  idp.instead.set('/token', (_, response) => response.writeHead(307, { location: `${idp.issuer}/elsewhere` }).end())
  expect(await enter(MIRA)).toBe(refused('sso_failed'))
  expect(idp.asked).not.toContain('/elsewhere')
  expect(world.logLines.join()).not.toContain(CLIENT_SECRET)
})

test('A40: a domain that nobody claims, one that is off, and no domain get one answer', async () => {
  await configure({}, 'off')
  const answers = await Promise.all(
    ['mira@unknown.example', 'mira@example.com', 'example.com', 'x', '', '\u0000@example.com', 'a@b@example.com '].map(
      async (domain) => (await world.browser().post('/api/sso', { domain })).headers.get('location'),
    ),
  )
  expect([...new Set(answers)]).toEqual(['/sign-in?error=sso_unknown'])
})

test('an attempt does not outlive a change of the provider', async () => {
  const browser = world.browser()
  const callback = await begin(browser, MIRA)
  await configure({ clientId: 'another' })
  expect((await browser.get(callback)).headers.get('location')).toBe(refused('sso_expired'))
})

test('A40: enforced, passwords open nothing but for break-glass admins, and sessions of passwords end', async () => {
  const financeId = await world.addUser('pay@example.com', 'finance')
  const bySso = world.browser()
  await enter(MIRA, bySso)
  const byPassword = world.browser()
  await byPassword.signIn('pay@example.com')
  expect(await isSignedIn(byPassword)).toBe(true)
  const admin = await signedInAdmin()
  const enforce = (fields: Record<string, string>) =>
    admin
      .post('/api/settings/single-sign-on/mode', { mode: 'enforced', ...fields })
      .then((r) => r.headers.get('location'))
  // somebody must keep a way in: an admin, not just anybody
  const none = '/settings?error=sso_no_admin_left#single-sign-on'
  expect(await enforce({})).toBe(none)
  expect(await enforce({ [`admin.${financeId}`]: 'on' })).toBe(none)
  expect(await isSignedIn(byPassword)).toBe(true)
  expect(await enforce({ [`admin.${adminId}`]: 'on' })).toBe('/settings?said=sso_mode#single-sign-on')
  expect(await isSignedIn(byPassword)).toBe(false)
  expect(await isSignedIn(bySso)).toBe(true)
  expect(await isSignedIn(admin)).toBe(true)
  const again = await byPassword.signIn('pay@example.com')
  expect(again.headers.get('location')).toBe('/sign-in?error=single_sign_on')
  expect(await isSignedIn(byPassword)).toBe(false)
  // a wrong password says nothing about it
  const wrong = await world.browser().signIn('pay@example.com', 'wrong password here')
  expect(wrong.headers.get('location')).toBe('/sign-in?error=credentials')
  expect(await isSignedIn(await signedInAdmin())).toBe(true)
  // a session that a race let begin opens nothing either
  await world.database.query('update user_session set ended_at = null')
  expect(await isSignedIn(byPassword)).toBe(false)
})

test.each<[string, Partial<SsoProvider>, SsoMode, boolean]>([
  ['turning it off ends', {}, 'off', false],
  ['another client ends', { clientId: 'another' }, 'optional', false],
  ['other values of roles keep', { roleClaim: 'roles' }, 'optional', true],
])('A40: %s the sessions that single sign-on began, and no others', async (_, changes, mode, isKept) => {
  const [mira, admin] = [world.browser(), await signedInAdmin()]
  await enter(MIRA, mira)
  expect(await isSignedIn(mira)).toBe(true)
  await configure(changes, mode)
  expect([await isSignedIn(mira), await isSignedIn(admin)]).toEqual([isKept, true])
})

test('A40: the last break-glass admin cannot be lost while single sign-on is enforced', async () => {
  const { disableUser, setRole } = await import('../people/users.ts')
  const second = await world.addUser('second@example.com', 'admin')
  await configure({}, 'enforced', [adminId])
  const actor = { kind: 'operator', name: 'a test' } as const
  const lastAdmin = { kind: 'last-admin' }
  expect(await setRole(organizationId, adminId, 'viewer', actor)).toEqual(lastAdmin)
  expect(await disableUser(organizationId, adminId, actor, new Date())).toEqual(lastAdmin)
  expect(await disableUser(organizationId, second, actor, new Date())).toMatchObject({ kind: 'done' })
  // nor by another choice on the page, nor by the directory
  const admin = await signedInAdmin()
  const unnamed = await admin.post('/api/settings/single-sign-on/mode', { mode: 'enforced' })
  expect(unnamed.headers.get('location')).toContain('sso_no_admin_left')
  await enter({ ...MIRA, email: 'admin@example.com', groups: ['auditors'] })
  expect(await listUsers('admin@example.com')).toMatchObject([{ role: 'admin' }])
})

test('A40: the client secret is sealed, never shown, never audited, and never sent to another provider', async () => {
  const [row] = await world.database.query<{ secret: string; id: string }>(
    'select sealed_secret as secret, organization_id as id from single_sign_on',
  )
  const { openBytes, sealBytes } = await import('../seal.ts')
  const openText = (sealed: string, seal: Seal) => openBytes(sealed, seal)?.toString() ?? null
  expect(row?.secret).not.toContain(CLIENT_SECRET)
  expect(openText(row?.secret ?? '', { purpose: 'client secret', of: row?.id ?? '' })).toBe(CLIENT_SECRET)
  // moved to another organization's row, used for something else, or changed, it opens nothing
  expect(openText(row?.secret ?? '', { purpose: 'client secret', of: strangerOrganizationId })).toBe(null)
  expect(openText(row?.secret ?? '', { purpose: 'sign-on attempt', of: row?.id ?? '' })).toBe(null)
  expect(openText(`${row?.secret.slice(0, -2)}AA`, { purpose: 'client secret', of: row?.id ?? '' })).toBe(null)
  const two = [1, 2].map(() => sealBytes(Buffer.from('x'), { purpose: 'sign-on attempt', of: '' }))
  expect(two[0]).not.toBe(two[1])
  const audit = await world.database.query('select before, after from audit_entry')
  expect(JSON.stringify(audit)).not.toContain(CLIENT_SECRET)
  const { readSsoView } = await import('./sso-settings.ts')
  expect(JSON.stringify(await readSsoView(row?.id as string))).not.toMatch(/secret"|v1\./)
  const admin = await signedInAdmin()
  const save = (changes: Record<string, string>) =>
    admin
      .post('/api/settings/single-sign-on', { issuer: idp.issuer, ...SETTINGS, secret: '', ...changes })
      .then((response) => response.headers.get('location'))
  expect(await save({})).toContain('said=sso_provider')
  expect((await listAudit()).map(([action]) => action)).toContain('single-sign-on.provider')
  expect(await save({ clientId: 'another' })).toContain('error=sso_secret_missing')
  const evil = await startIdentityProvider(APP_URL + CALLBACK)
  expect(await save({ issuer: evil.issuer })).toContain('error=sso_secret_missing')
  await evil.close()
})

test('A40: a domain belongs to one organization, and not to the people of another', async () => {
  const admin = await signedInAdmin()
  const claim = async (domains: string) => {
    const fields = { issuer: idp.issuer, ...SETTINGS, domains }
    return (await admin.post('/api/settings/single-sign-on', fields)).headers.get('location')
  }
  expect(await claim('example.com, other.example')).toContain('error=sso_domain_taken')
  await world.database.query(
    `insert into single_sign_on (organization_id, issuer, client_id, auth_method, role_claim, admin_values, finance_values, viewer_values)
     values ($1, 'https://x.example', 'x', 'none', 'groups', '{}', '{}', '{}')`,
    [strangerOrganizationId],
  )
  await world.database.query(`insert into single_sign_on_domain values ($1, 'third.example')`, [strangerOrganizationId])
  expect(await claim('third.example')).toContain('error=sso_domain_taken')
  expect(await claim('Example.com\nsub.example.com')).toContain('said=sso_provider')
  const domains = await world.database.query('select domain from single_sign_on_domain order by domain')
  expect(domains.map(({ domain }) => domain)).toEqual(['example.com', 'sub.example.com', 'third.example'])
})

test.each(['ftp://idp.example', 'http://idp.example', 'https://user:pass@idp.example', 'nonsense'])(
  'A15: refuses %s as an issuer',
  async (issuer) => {
    const admin = await signedInAdmin()
    const answer = await admin.post('/api/settings/single-sign-on', { ...SETTINGS, issuer })
    expect(answer.headers.get('location')).toBe('/settings?error=sso_field_issuer#single-sign-on')
  },
)

test('A15: reached from elsewhere, the program asks no provider of an inner network', async () => {
  const { settings } = await import('#lib/env.ts')
  const { askProvider, isProviderUrl } = await import('./provider-http.ts')
  const { appUrl } = settings()
  settings().appUrl = 'https://desk.example'
  const inner = [
    '127.0.0.1',
    '10.1.2.3',
    '192.168.1.1',
    '172.20.0.1',
    '169.254.169.254',
    '[::1]',
    '[fd00::1]',
    'localhost',
    '[::ffff:10.0.0.1]',
    '100.64.0.1',
  ]
  expect(inner.filter((host) => isProviderUrl(`https://${host}/`))).toEqual([])
  expect(isProviderUrl('http://idp.example')).toBe(false)
  expect(isProviderUrl('https://idp.example')).toBe(true)
  await expect(askProvider({ url: idp.issuer })).rejects.toThrow('no identity provider')
  settings().appUrl = appUrl
})

test('a provider that does not answer, or states another issuer, is not saved and starts nothing', async () => {
  idp.instead.set('/.well-known/openid-configuration', (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: 'https://evil.example' }))
  })
  const started = await world.browser().post('/api/sso', { domain: 'example.com' })
  // what it said before is kept for ten minutes
  expect(started.status).toBeLessThan(400)
  const kept = (globalThis as { tieoutProviders?: Map<string, unknown> }).tieoutProviders
  kept?.clear()
  expect((await world.browser().post('/api/sso', { domain: 'example.com' })).headers.get('location')).toBe(
    '/sign-in?error=sso_failed',
  )
  const admin = await signedInAdmin()
  const saved = await admin.post('/api/settings/single-sign-on', { issuer: idp.issuer, ...SETTINGS })
  expect(saved.headers.get('location')).toBe('/settings?error=sso_no_answer#single-sign-on')
})
