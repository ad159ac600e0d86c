import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toTotpCode } from '../factors/totp.ts'
import { type Browser, PASSWORD, startWorld, type World } from '../test-support/test-world.ts'

const PERSON = 'person@example.com'
const ADMIN = 'admin@example.com'
const FORM = '/api/sign-in/second-step'

let world: World
let userId: string
let organizationId: string
let adminId: string
let authenticator: typeof import('../factors/authenticator.ts')

beforeAll(async () => {
  world = await startWorld()
  authenticator = await import('../factors/authenticator.ts')
  adminId = await world.addUser(ADMIN, 'admin')
  userId = await world.addUser(PERSON, 'finance')
  const [user] = await world.database.query<{ id: string }>('select id from organization')
  organizationId = user?.id ?? ''
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const table of ['throttle', 'authenticator', 'recovery_code', 'pending_sign_in', 'user_session'])
    await world.database.query(`delete from ${table}`)
  await world.database.query('delete from invitation')
  await world.database.query('update app_user set disabled_at = null')
  await world.database.query(`update app_user set role = 'finance' where id = $1`, [userId])
  await world.database.query('update organization set second_step_required = false')
})

const query = <Row extends Record<string, unknown>>(text: string) => world.database.query<Row>(text)
const isSignedIn = async (browser: Browser) => (await browser.get('/api/connections')).status === 200
const person = () => ({ organizationId, userId })
const step = (offset = 0, now = new Date()) => Math.floor(now.getTime() / 30_000) + offset
const to = (response: Response) => response.headers.get('location')

/** Turns the second step on, with a code of the step before: later ones are still unused. */
async function enrol(whose = person()): Promise<{ secret: Buffer; codes: string[] }> {
  const actor = { kind: 'person', userId: whose.userId, name: PERSON, network: null } as const
  const now = new Date()
  await authenticator.beginEnrolment(whose, now)
  const secret = await authenticator.findEnrolment(whose, now)
  if (secret === null) throw new Error('no secret was made')
  const codes = await authenticator.confirmEnrolment(whose, toTotpCode(secret, step(-1, now)), actor, now)
  return { secret, codes: codes ?? [] }
}

/** A browser that has given the right password, and waits for the code. */
async function pending(address?: string): Promise<Browser> {
  const browser = world.browser(address)
  expect(to(await browser.signIn(PERSON))).toBe('/sign-in/second-step')
  return browser
}

async function sessions(): Promise<number> {
  return (await query('select from user_session where ended_at is null')).length
}

test('the right password alone signs in nobody who has a second step; the right code then does', async () => {
  const { secret } = await enrol()
  const browser = await pending()
  expect([browser.cookies.has('tieout.session'), await isSignedIn(browser), await sessions()]).toEqual([
    false,
    false,
    0,
  ])
  expect(to(await browser.post(FORM, { code: toTotpCode(secret, step()) }))).toBe('/')
  expect([await isSignedIn(browser), await sessions()]).toEqual([true, 1])
  expect(browser.cookies.has('tieout.second-step')).toBe(false)
})

test('a secret without a first right code counts for nothing', async () => {
  await authenticator.beginEnrolment(person(), new Date())
  expect(to(await world.browser().signIn(PERSON))).toBe('/')
})

test('goes on to where the person wanted to go', async () => {
  const { secret } = await enrol()
  const browser = world.browser()
  await browser.post('/api/sign-in', { email: PERSON, password: PASSWORD, next: '/lines?q=1' })
  expect(to(await browser.post(FORM, { code: toTotpCode(secret, step()) }))).toBe('/lines?q=1')
})

test('the same code sent 20 times at once, in one sign-in, signs in once', async () => {
  const { secret } = await enrol()
  const browser = await pending()
  const code = toTotpCode(secret, step())
  const replies = await Promise.all(Array.from({ length: 20 }, () => browser.post(FORM, { code })))
  expect(replies.filter((reply) => to(reply) === '/')).toHaveLength(1)
  expect(await sessions()).toBe(1)
})

test('the same code sent by several sign-ins at once, from many networks, signs in once', async () => {
  const { secret } = await enrol()
  const browsers: Browser[] = []
  for (let at = 0; at < 6; at++) browsers.push(await pending(`198.51.100.${at}`))
  const code = toTotpCode(secret, step())
  const replies = await Promise.all(browsers.map((browser) => browser.post(FORM, { code })))
  expect(replies.filter((reply) => to(reply) === '/')).toHaveLength(1)
  expect(await sessions()).toBe(1)
})

test('a code that was used, or an earlier one, is refused in the next sign-in', async () => {
  const { secret } = await enrol()
  // the clock may go on to the next step meanwhile
  const used = step()
  const post = async (each: number) => to(await (await pending()).post(FORM, { code: toTotpCode(secret, each) }))
  expect(await post(used)).toBe('/')
  expect([await post(used), await post(used - 1)]).toEqual(Array(2).fill('/sign-in/second-step?error=code'))
  expect(await post(used + 1)).toBe('/')
})

test('a pending sign-in dies with its fifth wrong code, and the right one comes too late', async () => {
  const { secret } = await enrol()
  const browser = await pending()
  const cookie = browser.cookies.get('tieout.second-step')
  const replies: (string | null)[] = []
  for (let wrong = 0; wrong < 5; wrong++) {
    // other networks: the throttle is another promise
    await query('delete from throttle')
    replies.push(to(await browser.post(FORM, { code: '000000' })))
  }
  expect(replies).toEqual([...Array(4).fill('/sign-in/second-step?error=code'), '/sign-in?error=second-step'])
  if (cookie) browser.cookies.set('tieout.second-step', cookie)
  expect(to(await browser.post(FORM, { code: toTotpCode(secret, step()) }))).toBe('/sign-in?error=second-step')
  expect(await sessions()).toBe(0)
})

test('A18: wrong codes are counted for the account over all sign-ins, and the password does not reset them', async () => {
  const { secret } = await enrol()
  for (let wrong = 0; wrong < 4; wrong++) await (await pending()).post(FORM, { code: '000000' })
  // both passwords first: the time to wait is short, and a hash takes a part of it
  const [fifth, browser] = [await pending(), await pending()]
  await fifth.post(FORM, { code: '000000' })
  const reply = await browser.post(FORM, { code: toTotpCode(secret, step()) })
  expect([reply.status, Number(reply.headers.get('retry-after')) > 0, await sessions()]).toEqual([429, true, 0])
  expect(await reply.text()).toContain('/sign-in/second-step?error=wait')
  // a throttled code takes none of the five tries
  expect(await query('select from pending_sign_in where tries = 0')).toHaveLength(1)
})

test('A18: a browser is known to the throttle only after its second step', async () => {
  const { secret } = await enrol()
  const browser = await pending()
  const known = () => [...browser.cookies.keys()].some((name) => name.startsWith('tieout.browser'))
  expect(known()).toBe(false)
  await browser.post(FORM, { code: toTotpCode(secret, step()) })
  expect(known()).toBe(true)
})

test.each([
  [
    'five minutes',
    `update pending_sign_in set expires_at = (expires_at at time zone 'UTC' - interval '5 minutes') at time zone 'UTC'`,
  ],
  ['the user was disabled', `update app_user set disabled_at = now()`],
  ['the password was changed', `update app_user set password_hash = 'scrypt$1,1,1$x$y' where email = '${PERSON}'`],
  ['the second step was removed', 'delete from authenticator'],
])('after %s the right code signs nobody in', async (_, change) => {
  const { secret } = await enrol()
  const browser = await pending()
  const [before] = await query<{ hash: string }>(`select password_hash as hash from app_user where email = '${PERSON}'`)
  await query(change)
  await browser.post(FORM, { code: toTotpCode(secret, step()) })
  expect([await isSignedIn(browser), await sessions()]).toEqual([false, 0])
  await query(`update app_user set password_hash = '${before?.hash}' where email = '${PERSON}'`)
})

test('A17: a second step ends the browser’s earlier session and makes a new id', async () => {
  const browser = world.browser()
  await browser.signIn(ADMIN)
  const earlier = browser.cookies.get('tieout.session')
  const { secret } = await enrol()
  await browser.signIn(PERSON)
  expect(await isSignedIn(browser)).toBe(true)
  await browser.post(FORM, { code: toTotpCode(secret, step()) })
  expect(browser.cookies.get('tieout.session')?.value).not.toBe(earlier?.value)
  if (earlier) browser.cookies.set('tieout.session', earlier)
  expect(await isSignedIn(browser)).toBe(false)
})

test('another person’s pending sign-in, a made-up or no cookie takes no code', async () => {
  const { secret } = await enrol()
  const code = toTotpCode(secret, step())
  const browser = await pending()
  const cookie = browser.cookies.get('tieout.second-step')?.value ?? ''
  const other = '00000000-0000-4000-8000-000000000000'
  for (const value of ['', 'x', `${organizationId}.x`, cookie.replace(organizationId, other), `${cookie}x`]) {
    const stranger = world.browser()
    stranger.cookies.set('tieout.second-step', { value, path: '/' })
    expect(to(await stranger.post(FORM, { code }))).toBe('/sign-in?error=second-step')
  }
  expect(await sessions()).toBe(0)
})

test('a recovery code signs in once, however it is typed, and says how many are left', async () => {
  const { codes } = await enrol()
  expect(codes).toHaveLength(10)
  const [code = '', second = ''] = codes
  expect(to(await (await pending()).post(FORM, { code: ` ${code.toUpperCase().replaceAll('-', ' ')} ` }))).toBe(
    '/account?said=recovery-code#second-step',
  )
  expect(to(await (await pending()).post(FORM, { code }))).toContain('error=code')
  const browsers = [await pending('198.51.100.1'), await pending('198.51.100.2'), await pending('198.51.100.3')]
  await Promise.all(browsers.map((browser) => browser.post(FORM, { code: second })))
  expect(await sessions()).toBe(2)
  const told = await query<{ after: string }>(
    `select after from audit_entry where action = 'second-step.use-code' order by number desc limit 2`,
  )
  expect(told.map(({ after }) => after)).toEqual(['{"left":8}', '{"left":9}'])
})

test('new recovery codes end the earlier ones', async () => {
  const { codes } = await enrol()
  const actor = { kind: 'operator', name: 'test' } as const
  const renewed = await authenticator.renewRecoveryCodes(person(), actor, new Date())
  expect(to(await (await pending()).post(FORM, { code: codes[0] ?? '' }))).toContain('error=code')
  expect(to(await (await pending()).post(FORM, { code: renewed?.[0] ?? '' }))).toContain('said=recovery-code')
})

test('A23: a dump holds neither the secret nor a code, nor a plain hash of one', async () => {
  const { secret, codes } = await enrol()
  const browser = await pending()
  const { toBase32 } = await import('../factors/totp.ts')
  const { hashSecret } = await import('#lib/connections/secret-hash.ts')
  const dump = JSON.stringify([
    await query('select * from authenticator'),
    await query('select * from recovery_code'),
    await query('select * from pending_sign_in'),
    await query('select * from audit_entry'),
  ])
  const plain = codes.flatMap((code) => [code, code.replaceAll('-', '')])
  const hidden = [toBase32(secret), secret.toString('hex'), secret.toString('base64url'), ...plain]
  for (const text of [...hidden, ...plain.map(hashSecret)]) expect(dump).not.toContain(text)
  expect(dump).not.toContain(browser.cookies.get('tieout.second-step')?.value.split('.')[1])
  expect(world.logLines.join('\n')).not.toContain(toBase32(secret))
})

test('a sealed secret opens for its own person and purpose only', async () => {
  const { openBytes, sealBytes } = await import('../seal.ts')
  const { toSeal } = await import('../factors/person.ts')
  const open = (...[purpose, whose, sealed]: [...Parameters<typeof toSeal>, string]) =>
    openBytes(sealed, toSeal(purpose, whose))
  const sealed = sealBytes(Buffer.from('secret'), toSeal('authenticator', person()))
  const other = sealed.at(-4) === 'A' ? 'B' : 'A'
  expect(open('authenticator', person(), sealed)?.toString()).toBe('secret')
  expect(open('authenticator', { organizationId, userId: adminId }, sealed)).toBeNull()
  expect(open('shown codes', person(), sealed)).toBeNull()
  expect(open('authenticator', person(), `${sealed.slice(0, -4)}${other}${sealed.slice(-3)}`)).toBeNull()
  expect(open('authenticator', person(), '')).toBeNull()
})

async function signedIn(email = PERSON): Promise<Browser> {
  const browser = world.browser()
  expect(to(await browser.signIn(email))).toBe('/')
  return browser
}

test('the account’s forms turn the second step on with a right code, and off', async () => {
  const browser = await signedIn()
  expect(to(await browser.post('/api/account/second-step/begin'))).toBe('/account?said=begun#second-step')
  expect(to(await browser.post('/api/account/second-step/enable', { code: '000000' }))).toContain('error=code')
  const secret = await authenticator.findEnrolment(person(), new Date())
  const enabled = await browser.post('/api/account/second-step/enable', {
    code: toTotpCode(secret ?? Buffer.alloc(0), step()),
  })
  expect(to(enabled)).toContain('said=second-step-on')
  const { openRecoveryCodes } = await import('../factors/recovery-codes.ts')
  const cookie = browser.cookies.get('tieout.recovery-codes')?.value
  expect(openRecoveryCodes(person(), cookie)).toHaveLength(10)
  expect(openRecoveryCodes({ organizationId, userId: adminId }, cookie)).toEqual([])
  // another secret would lock the person out
  expect(to(await browser.post('/api/account/second-step/begin'))).toContain('error=already-on')
  expect(to(await browser.post('/api/account/second-step/codes'))).toContain('said=codes-made')
  expect(to(await browser.post('/api/account/second-step/disable'))).toContain('said=second-step-off')
  expect(await query('select from recovery_code')).toEqual([])
  await signedIn()
  const actions = await query<{ action: string }>(
    `select action from audit_entry where action like 'second-step.%' order by number desc limit 3`,
  )
  expect(actions.map(({ action }) => action)).toEqual([
    'second-step.disable',
    'second-step.renew-codes',
    'second-step.enable',
  ])
})

test('a session older than ten minutes changes nothing until the password is typed again', async () => {
  const browser = await signedIn()
  await enrol()
  await query(`update user_session set created_at = now() - interval '11 minutes'`)
  for (const path of ['begin', 'enable', 'codes', 'disable'])
    expect(to(await browser.post(`/api/account/second-step/${path}`, { code: '1' }))).toContain('error=confirm')
  expect((await browser.post('/api/account/passkeys/options')).status).toBe(409)
  const confirm = (password: string) => browser.post('/api/account/second-step/confirm', { password })
  expect(to(await confirm('not it'))).toContain('error=password')
  expect(to(await browser.post('/api/account/second-step/disable'))).toContain('error=confirm')
  expect(to(await confirm(PASSWORD))).toContain('said=confirmed')
  expect(to(await browser.post('/api/account/second-step/disable'))).toContain('said=second-step-off')
})

/** What lets somebody in, or in as more than before; and where its form is. */
const LETS_IN: [string, string, () => Record<string, string>, string][] = [
  [
    'setting an identity provider',
    '/api/settings/single-sign-on',
    () => ({ issuer: 'https://x' }),
    'sso_confirm#single-sign-on',
  ],
  ['saying who uses it', '/api/settings/single-sign-on/mode', () => ({ mode: 'off' }), 'sso_confirm#single-sign-on'],
  ['a token of a directory', '/api/settings/directory/token', () => ({ name: 'x' }), 'directory-confirm#directory'],
  [
    'a role for a group',
    '/api/settings/directory/group-role',
    () => ({ group: 'x', role: 'admin' }),
    'directory-confirm#directory',
  ],
  [
    'a role for everybody of a directory',
    '/api/settings/directory/default-role',
    () => ({ role: 'admin' }),
    'directory-confirm#directory',
  ],
  [
    'inviting an admin',
    '/api/people/invitations',
    () => ({ action: 'invite', email: 'x@example.com', role: 'admin' }),
    'confirm#second-steps',
  ],
  ['giving a role', '/api/people', () => ({ action: 'role', user: userId, role: 'admin' }), `person-confirm&person=`],
]

test.each(LETS_IN)('A17: a session that was stolen is not enough for %s', async (_, path, fields, key) => {
  const admin = await signedIn(ADMIN)
  await query(`update user_session set created_at = now() - interval '11 minutes'`)
  const [before] = await query('select count(*)::int as entries from audit_entry')
  const refused = await admin.post(path, fields())
  expect([refused.status, to(refused)]).toEqual([303, expect.stringContaining(`?error=${key}`)])
  expect(await query('select count(*)::int as entries from audit_entry')).toEqual([before])
  const place = { path, place: 'person', person: userId, password: PASSWORD }
  expect(to(await admin.post('/api/account/second-step/confirm', place))).toBe(
    `/people?said=person-confirmed&person=${userId}#person`,
  )
  expect(to(await admin.post(path, fields())) ?? '').not.toContain('confirm')
})

test('A17: another link for an invited admin asks for the password too, one for somebody else does not', async () => {
  const admin = await signedIn(ADMIN)
  for (const role of ['admin', 'viewer'])
    await admin.post('/api/people/invitations', { action: 'invite', email: `${role}@example.org`, role })
  const invited = await query<{ id: string }>('select id from invitation order by role')
  await query(`update user_session set created_at = now() - interval '11 minutes'`)
  const ends = await Promise.all(
    invited.map(({ id }) => admin.post('/api/people/invitations', { action: 'renew', invitation: id }).then(to)),
  )
  expect(ends).toEqual(['/people?error=confirm#second-steps', '/people?said=invite'])
  const another = { action: 'invite', email: 'finance@example.org', role: 'finance' }
  expect(to(await admin.post('/api/people/invitations', another))).toBe('/people?said=invite')
})

const lastAction = async () => (await query('select action from audit_entry order by number desc limit 1'))[0]?.action

test('an admin removes somebody’s second step, which signs them out; nobody else may', async () => {
  const colleague = await signedIn()
  await enrol()
  expect((await colleague.post('/api/people/second-step/reset', { user: adminId })).status).toBe(403)
  const admin = await signedIn(ADMIN)
  expect(to(await admin.post('/api/people/second-step/reset', { user: userId }))).toContain('said=second-step-reset')
  expect([await isSignedIn(colleague), await isSignedIn(admin)]).toEqual([false, true])
  expect(await lastAction()).toBe('second-step.reset')
  await signedIn()
})

test('an admin of another organization removes nobody’s second step here', async () => {
  await world.addUser('stranger@example.com', 'admin', 'Second')
  await enrol()
  const stranger = await signedIn('stranger@example.com')
  await stranger.post('/api/people/second-step/reset', { user: userId })
  await pending()
})

test('once a second step is required, whoever has none may only set one up', async () => {
  const browser = await signedIn()
  const admin = await signedIn(ADMIN)
  expect(to(await admin.post('/api/settings/second-step', { required: 'yes' }))).toContain('said=second-step-rule')
  expect(await lastAction()).toBe('second-step.require')
  expect([await isSignedIn(browser), await isSignedIn(admin)]).toEqual([false, false])
  expect(to(await browser.post('/api/account/second-step/begin'))).toContain('said=begun')
  await enrol()
  expect(await isSignedIn(browser)).toBe(true)
})

test('a hash that is made to cost more meanwhile does not end a sign-in that waits for its code', async () => {
  const { secret } = await enrol()
  const browser = await pending()
  const [before] = await query<{ hash: string }>(`select password_hash as hash from app_user where email = '${PERSON}'`)
  const [kind, , salt, key] = before?.hash.split('$') ?? []
  await query(
    `update app_user set password_hash = '${[kind, '65536,8,3', salt, key].join('$')}' where email = '${PERSON}'`,
  )
  expect(to(await browser.post(FORM, { code: toTotpCode(secret, step()) }))).toBe('/')
  await query(`update app_user set password_hash = '${before?.hash}' where email = '${PERSON}'`)
})

test('where single sign-on became enforced meanwhile, neither code nor passkey begins a session', async () => {
  const { secret } = await enrol()
  const browser = await pending()
  await query(`insert into single_sign_on
      (organization_id, mode, issuer, client_id, auth_method, role_claim, admin_values, finance_values, viewer_values)
    values ('${organizationId}', 'enforced', 'https://issuer.example', 'x', 'none', 'groups', '{}', '{}', '{}')`)
  const end = await browser.post(FORM, { code: toTotpCode(secret, step()) })
  await query('delete from single_sign_on')
  expect([to(end), await sessions()]).toEqual(['/sign-in?error=single_sign_on', 0])
})
