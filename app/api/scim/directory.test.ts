import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '#lib/audit/model.ts'
import { APP_URL, startWorld, type World } from '#lib/auth/test-support/test-world.ts'
import { hashSecret } from '#lib/connections/secret-hash.ts'

type Json = Record<string, unknown>
type Handler = (request: Request, context?: { params: Promise<Record<string, string>> }) => Promise<Response>

let world: World
let organizationId: string
let adminId: string
let token: string
let tokens: typeof import('#lib/auth/directory-token.ts')
let mapping: typeof import('#lib/directory/role-mapping.ts')
let people: typeof import('#lib/auth/people/users.ts')
let routes: [RegExp, Record<string, Handler>][]
let readsSession: Handler
let network = 0

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const admin: Actor = { kind: 'operator', name: 'a test' }

beforeAll(async () => {
  world = await startWorld()
  adminId = await world.addUser('admin@example.com', 'admin')
  await world.addUser('stranger@example.com', 'admin', 'Second')
  const [found] = await world.database.query<{ id: string }>(
    'select organization_id as id from app_user where id = $1',
    [adminId],
  )
  organizationId = found?.id as string
  tokens = await import('#lib/auth/directory-token.ts')
  mapping = await import('#lib/directory/role-mapping.ts')
  people = await import('#lib/auth/people/users.ts')
  readsSession = (await import('../connections/hosts/route.ts')).GET
  routes = [
    [/\/Users$/, (await import('./v2/Users/route.ts')) as never],
    [/\/Users\/(?<id>[^/]+)$/, (await import('./v2/Users/[id]/route.ts')) as never],
    [/\/Groups$/, (await import('./v2/Groups/route.ts')) as never],
    [/\/Groups\/(?<id>[^/]+)$/, (await import('./v2/Groups/[id]/route.ts')) as never],
    [/\/Schemas$/, (await import('./v2/Schemas/route.ts')) as never],
    [/\/ResourceTypes\/(?<id>[^/]+)$/, (await import('./v2/ResourceTypes/[id]/route.ts')) as never],
    [/\/ServiceProviderConfig$/, (await import('./v2/ServiceProviderConfig/route.ts')) as never],
    [/\/v2\/(?<rest>.+)$/, (await import('./v2/[...rest]/route.ts')) as never],
  ]
  token = (await tokens.addDirectoryToken(
    organizationId,
    { name: 'Entra ID', days: null },
    admin,
    new Date(),
  )) as string
})
afterAll(() => world.close())
beforeEach(() => {
  network += 1
})

type Sent = { body?: unknown; token?: string | null; headers?: Record<string, string> }
type Reply = { status: number; body: Json; headers: Headers }

async function send(
  method: string,
  path: string,
  { body, token: shown = token, headers = {} }: Sent = {},
): Promise<Reply> {
  const request = new Request(`${APP_URL}/api/scim/v2${path}`, {
    method,
    headers: {
      'x-client-address-of-tests': `198.51.100.${network}`,
      ...(shown === null ? {} : { authorization: `Bearer ${shown}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { pathname } = new URL(request.url)
  for (const [pattern, handlers] of routes) {
    const match = pattern.exec(pathname)
    const handler = handlers[method]
    if (match === null || handler === undefined) continue
    const response = await handler(request, { params: Promise.resolve({ ...match.groups }) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers }
  }
  throw new Error(`no route for ${method} ${path}`)
}

const patch = (path: string, ...operations: unknown[]) =>
  send('PATCH', path, { body: { schemas: [PATCH_SCHEMA], Operations: operations } })

let made = 0
/** A person of the directory with a role by a group of their own. */
async function provision(role: 'viewer' | 'finance' | 'admin' | null = 'finance') {
  made += 1
  const email = `person-${made}@example.com`
  const person = await send('POST', '/Users', {
    body: { userName: email, externalId: `ext-${made}`, displayName: 'P' },
  })
  const id = person.body.id as string
  const group = await send('POST', '/Groups', { body: { displayName: `Group ${made}`, members: [{ value: id }] } })
  const groupId = group.body.id as string
  await mapping.setGroupRole(organizationId, { group: groupId, role }, admin, new Date())
  return { id, email, groupId }
}

/** The answer of a route for signed-in people to this person's cookie. */
async function signInAs(email: string) {
  const { hashPassword } = await import('#lib/auth/passwords/password.ts')
  await world.database.query('update app_user set password_hash = $2 where email = $1', [
    email,
    await hashPassword('correct horse battery'),
  ])
  const browser = world.browser(`203.0.113.${network}`)
  await browser.signIn(email)
  const cookie = `tieout.session=${browser.cookies.get('tieout.session')?.value}`
  return async () =>
    (await readsSession(new Request(`${APP_URL}/api/connections/hosts`, { headers: { cookie } }))).status
}

async function standing(id: string) {
  const [row] = await world.database.query<{ role: string; isIn: boolean; hash: string | null }>(
    'select role, disabled_at is null as "isIn", password_hash as hash from app_user where id = $1',
    [id],
  )
  return row
}

const countAudit = async (action: string, subject: string) =>
  (
    await world.database.query(
      `select actor_kind, actor_name, network, before, after from audit_entry
       where organization_id = $1 and action = $2 and (subject_id = $3 or subject_name = $3) order by number`,
      [organizationId, action, subject],
    )
  ).length

describe('A34: the token', () => {
  test.each([
    ['none', null],
    ['one of another shape', 'tie_scim_x'],
    ['an unknown one', `tie_scim_${'a'.repeat(43)}`],
  ])('%s is answered 401 with a challenge', async (_, shown) => {
    const reply = await send('GET', '/Users', { token: shown })
    expect(reply.status).toBe(401)
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(reply.body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' })
  })

  test('is no cookie: an admin’s session opens nothing here', async () => {
    const browser = world.browser()
    await browser.signIn('admin@example.com')
    const cookie = `tieout.session=${browser.cookies.get('tieout.session')?.value}`
    expect((await send('GET', '/Users', { token: null, headers: { cookie } })).status).toBe(401)
  })

  test('is shown once and stored as a hash; two at most, which expire, are revoked and are noted', async () => {
    expect(token).toMatch(/^tie_scim_[0-9A-Za-z]{43}$/)
    const now = new Date()
    const add = (days: number | null, at = now) =>
      tokens.addDirectoryToken(organizationId, { name: 'Okta', days }, admin, at)
    const second = (await add(90, new Date(now.getTime() - 89 * 86_400_000))) as string
    expect(await add(null)).toBeNull()
    expect((await send('GET', '/Users', { token: second })).status).toBe(200)
    expect(await tokens.findDirectory(second, new Date(now.getTime() + 2 * 86_400_000))).toBeNull()
    const stored = await world.database.query<{ hash: string }>('select * from directory_token where name = $1', [
      'Okta',
    ])
    expect(stored[0]?.hash).toBe(hashSecret(second))
    expect(JSON.stringify(stored)).not.toContain(second)
    expect(stored[0]).toMatchObject({ last_used_at: expect.any(Date) })
    const [listed] = (await tokens.listDirectoryTokens(organizationId, now)).filter(({ name }) => name === 'Okta')
    await tokens.revokeDirectoryToken(organizationId, listed?.id as string, admin, now)
    expect((await send('GET', '/Users', { token: second })).status).toBe(401)
    expect([
      await countAudit('directory.token-made', listed?.id as string),
      await countAudit('directory.token-revoked', listed?.id as string),
    ]).toEqual([1, 1])
    const entries = await world.database.query('select * from audit_entry')
    expect(JSON.stringify(entries)).not.toContain(second.slice(9))
  })

  test('wrong ones make their network wait, with Retry-After, and no directory with a right one', async () => {
    const wrong = { token: `tie_scim_${'b'.repeat(43)}` }
    const answers: number[] = []
    // without a token nothing is guessed, and nothing counted
    for (let attempt = 0; attempt < 12; attempt++)
      expect((await send('GET', '/Users', { token: null })).status).toBe(401)
    for (let attempt = 0; attempt < 12; attempt++) answers.push((await send('GET', '/Users', wrong)).status)
    expect(answers.slice(0, 10)).toEqual(Array(10).fill(401))
    const reply = await send('GET', '/Users', wrong)
    expect([reply.status, reply.body.status]).toEqual([429, '429'])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send('GET', '/Users')).status).toBe(200)
  })

  test('has an allowance of requests, after which it waits', async () => {
    const throttle = await import('#lib/auth/limits/throttle.ts')
    await world.database.query(
      `insert into throttle (kind, key, level, counted_at) values ('directory-token', 'full', 600, clock_timestamp() + interval '1 hour')`,
    )
    expect(await throttle.countTry([{ kind: 'directory-token', key: 'full' }])).toBeGreaterThan(0)
    expect(await throttle.countTry([{ kind: 'directory-token', key: 'fresh' }])).toBe(0)
  })
})

describe('people', () => {
  test('are made without a password, found by filter, and read with a version', async () => {
    const { id, email } = await provision('finance')
    expect(await standing(id)).toEqual({ role: 'finance', isIn: true, hash: null })
    for (const filter of [
      `userName eq "${email.toUpperCase()}"`,
      `externalId eq "ext-${made}"`,
      `id eq "${id}"`,
      `userName eq "${email}" and active eq true`,
      `username sw "${email}"`,
    ]) {
      const { body } = await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect([filter, (body.Resources as Json[]).map((each) => each.id)]).toEqual([filter, [id]])
    }
    const reply = await send('GET', `/Users/${id}`)
    const version = (reply.body.meta as Json).version as string
    expect(reply.headers.get('content-type')).toMatch(/^application\/scim\+json/)
    expect(reply.headers.get('etag')).toBe(version)
    expect(reply.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id,
      userName: email,
      displayName: 'P',
      active: true,
      externalId: `ext-${made}`,
      meta: { resourceType: 'User', location: `${APP_URL}/api/scim/v2/Users/${id}` },
    })
    expect((await send('GET', `/Users/${id}`, { headers: { 'if-none-match': version } })).status).toBe(304)
    const stale = { headers: { 'if-match': 'W/"999"' }, body: { userName: email, active: true } }
    expect((await send('PUT', `/Users/${id}`, stale)).status).toBe(412)
  })

  test('come in pages, of this organization only', async () => {
    await provision()
    const first = await send('GET', '/Users?startIndex=1&count=1')
    const next = await send('GET', '/Users?startIndex=2&count=1')
    expect(first.body).toMatchObject({ startIndex: 1, itemsPerPage: 1, totalResults: expect.any(Number) })
    expect((first.body.Resources as Json[])[0]?.id).not.toBe((next.body.Resources as Json[])[0]?.id)
    const all = await send('GET', '/Users?count=200&attributes=userName')
    expect(JSON.stringify(all.body)).not.toContain('stranger@example.com')
    expect(JSON.stringify(all.body.Resources)).not.toMatch(/"(active|displayName)"/)
    expect((await send('GET', '/Users?count=0')).body).toMatchObject({ itemsPerPage: 0, Resources: [] })
  })

  test('A8: of another organization are as missing as those who never existed', async () => {
    const [stranger] = await world.database.query<{ id: string }>(
      `select id from app_user where email = 'stranger@example.com'`,
    )
    const id = stranger?.id as string
    for (const each of [id, '00000000-0000-4000-8000-000000000000', 'x', id.toUpperCase(), '%00', '__proto__'])
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const body =
          method === 'PUT'
            ? { userName: 'x@example.com' }
            : { Operations: [{ op: 'replace', path: 'active', value: false }] }
        const reply = await send(method, `/Users/${each}`, /^P/.test(method) ? { body } : {})
        expect([each, method, reply.status]).toEqual([each, method, 404])
      }
    const taken = await send('POST', '/Users', { body: { userName: 'Stranger@example.com' } })
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness'])
    const group = await send('POST', '/Groups', { body: { displayName: 'G', members: [{ value: id }] } })
    expect(group.status).toBe(400)
    expect(await standing(id)).toMatchObject({ role: 'admin', isIn: true })
  })

  test('made by hand are the directory’s once it changes them, and the same account when they come back', async () => {
    const id = await world.addUser('hand@example.com', 'finance')
    expect((await send('POST', '/Users', { body: { userName: 'hand@example.com' } })).status).toBe(409)
    expect((await send('GET', `/Users/${id}`)).body).toMatchObject({ active: true })
    expect(await standing(id)).toMatchObject({ role: 'finance', isIn: true })
    await patch(`/Users/${id}`, { op: 'add', path: 'externalId', value: 'h-1' })
    expect(await countAudit('directory.person-taken', id)).toBe(1)
    expect(await standing(id)).toMatchObject({ isIn: false })
    expect((await send('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await send('GET', `/Users/${id}`)).status).toBe(404)
    const back = await send('POST', '/Users', { body: { userName: 'hand@example.com' } })
    expect([back.status, back.body.id]).toEqual([201, id])
  })

  test('keep the role and the end that the directory gave them, until no directory speaks any more', async () => {
    const { id } = await provision('viewer')
    const asRole = () => people.setRole(organizationId as never, id as never, 'finance', admin)
    const reactivate = () => people.enableUser(organizationId as never, id as never, admin)
    expect(await asRole()).toEqual({ kind: 'managed' })
    await people.disableUser(organizationId as never, id as never, admin, new Date())
    expect(await reactivate()).toMatchObject({ kind: 'done' })
    await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect(await reactivate()).toEqual({ kind: 'managed' })
    expect(await standing(id)).toMatchObject({ role: 'viewer', isIn: false })
    const listed = async () =>
      (await people.listUsers(organizationId as never, new Date())).find(({ userId }) => userId === id)
    expect(await listed()).toMatchObject({ isManaged: true })
    await world.database.query(`update directory_token set revoked_at = '2026-01-01' where revoked_at is null`)
    expect(await listed()).toMatchObject({ isManaged: false })
    expect(await asRole()).toMatchObject({ kind: 'done' })
    await world.database.query(`update directory_token set revoked_at = null where revoked_at = '2026-01-01'`)
  })

  test('have the highest role of their groups; without one the default; without a default no access', async () => {
    const { id, groupId } = await provision('viewer')
    expect([await countAudit('directory.person-made', id), await countAudit('directory.group-made', groupId)]).toEqual([
      1, 1,
    ])
    const higher = await send('POST', '/Groups', { body: { displayName: 'Higher', members: [{ value: id }] } })
    const role = async (group: string, to: 'viewer' | 'admin' | null) =>
      mapping.setGroupRole(organizationId, { group, role: to }, admin, new Date())
    await role(higher.body.id as string, 'admin')
    expect(await standing(id)).toMatchObject({ role: 'admin', isIn: true })
    await role(higher.body.id as string, null)
    expect(await standing(id)).toMatchObject({ role: 'viewer', isIn: true })
    await role(groupId, null)
    expect(await standing(id)).toMatchObject({ isIn: false })
    expect(await countAudit('directory.group-role', groupId)).toBe(2)
    await mapping.setDefaultRole(organizationId, 'viewer', admin, new Date())
    expect(await standing(id)).toMatchObject({ role: 'viewer', isIn: true })
    await mapping.setDefaultRole(organizationId, null, admin, new Date())
    expect(await standing(id)).toMatchObject({ isIn: false })
  })

  test('whom an operator disabled are not let in again by the directory', async () => {
    const { id, groupId } = await provision('viewer')
    await people.disableUser(organizationId, id, { kind: 'operator', name: 'a test' }, new Date())
    await patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Other' })
    await mapping.setGroupRole(organizationId, { group: groupId, role: 'finance' }, admin, new Date())
    expect(await standing(id)).toMatchObject({ role: 'finance', isIn: false })
  })

  test('that are no such thing are refused with SCIM’s words', async () => {
    const cases: [unknown, number, string | undefined][] = [
      [{ userName: 'no-address' }, 400, 'invalidValue'],
      [{ displayName: 'nobody' }, 400, 'invalidValue'],
      [{ userName: 'x@example.com', active: 'perhaps' }, 400, 'invalidValue'],
      ['[]', 400, 'invalidSyntax'],
      ['{"userName":"a\\u0000@example.com"}', 400, 'invalidSyntax'],
      ['{', 400, 'invalidSyntax'],
      [{ userName: 'ops@example.com\u00ad' }, 400, 'invalidValue'],
      [{ userName: 'o\u200bps@example.com' }, 400, 'invalidValue'],
      [`{"userName":"${'x'.repeat(1_100_000)}"}`, 413, undefined],
    ]
    for (const [body, status, scimType] of cases) {
      const reply = await send('POST', '/Users', { body })
      expect([String(body).slice(0, 40), reply.status, reply.body.scimType]).toEqual([
        String(body).slice(0, 40),
        status,
        scimType,
      ])
    }
    const form = { body: 'userName=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await send('POST', '/Users', form)).status).toBe(415)
    for (const filter of ['(((', 'userName', `${'a eq 1 or '.repeat(10)}b eq 2`, '\0', 'userName eq "\\u0000"'])
      expect([filter, (await send('GET', `/Users?filter=${encodeURIComponent(filter)}`)).status]).toEqual([filter, 400])
  })
})

describe('A34: who leaves is out at once', () => {
  const remove = (id: string) => ({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] })
  const ways: [string, (person: { id: string; email: string; groupId: string }) => Promise<Reply>][] = [
    ['Entra ID: active "False"', ({ id }) => patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })],
    [
      'Okta: active false without a path',
      ({ id }) => patch(`/Users/${id}`, { op: 'replace', value: { active: false } }),
    ],
    [
      'others: the whole user with active 0',
      ({ id, email }) => send('PUT', `/Users/${id}`, { body: { userName: email, active: 0 } }),
    ],
    ['DELETE', ({ id }) => send('DELETE', `/Users/${id}`)],
    ['Entra ID: removed from the group', ({ id, groupId }) => patch(`/Groups/${groupId}`, remove(id))],
    [
      'the group replaced without them',
      ({ groupId }) => send('PUT', `/Groups/${groupId}`, { body: { displayName: 'G' } }),
    ],
    ['the group deleted', ({ groupId }) => send('DELETE', `/Groups/${groupId}`)],
  ]

  test.each(ways)('%s', async (_, leave) => {
    const person = await provision('finance')
    const read = await signInAs(person.email)
    expect(await read()).toBe(200)
    expect((await leave(person)).status).toBeLessThan(300)
    expect(await read()).toBe(401)
    expect(await standing(person.id)).toMatchObject({ isIn: false })
    const sessions = 'select from user_session where user_id = $1 and ended_at is null'
    expect(await world.database.query(sessions, [person.id])).toHaveLength(0)
    const browser = world.browser()
    await browser.signIn(person.email)
    expect(browser.cookies.has('tieout.session')).toBe(false)
  })

  test('and back in by active true, with a sign-in of their own', async () => {
    const { id, email } = await provision('viewer')
    const read = await signInAs(email)
    await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
    await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })
    expect(await standing(id)).toMatchObject({ role: 'viewer', isIn: true })
    expect(await read()).toBe(401)
  })

  test('the audit has the directory as who did it', async () => {
    const { id } = await provision('viewer')
    await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
    const entries = await world.database.query(
      `select actor_kind, actor_name, network, before, after from audit_entry
       where action = 'directory.access' and subject_id = $1 order by number desc limit 1`,
      [id],
    )
    expect(entries).toEqual([
      {
        actor_kind: 'directory',
        actor_name: 'Entra ID',
        network: `198.51.100.${network}`,
        before: '{"role":"viewer","maySignIn":true}',
        after: '{"role":"viewer","maySignIn":false}',
      },
    ])
  })
})

describe('A34: the last admin who can sign in', () => {
  test('is not lost by the directory, whatever it sends; the refusal is audited, and nothing else of the request is done', async () => {
    const other = await provision('viewer')
    const group = await send('POST', '/Groups', { body: { displayName: 'Admins', members: [] } })
    const path = `/Groups/${group.body.id}`
    await mapping.setGroupRole(organizationId, { group: group.body.id as string, role: 'admin' }, admin, new Date())
    await patch(path, { op: 'add', path: 'members', value: [{ value: adminId }, { value: other.id }] })
    expect(await standing(adminId)).toMatchObject({ role: 'admin', isIn: true })
    // the other admin has no password, so nobody else can sign in
    const attempts = [
      () => patch(`/Users/${adminId}`, { op: 'Replace', path: 'active', value: 'False' }),
      () => send('DELETE', `/Users/${adminId}`),
      () => send('DELETE', path),
      () => patch(path, { op: 'Remove', path: 'members', value: [{ value: other.id }, { value: adminId }] }),
    ]
    for (const attempt of attempts) expect((await attempt()).status).toBe(403)
    expect(await countAudit('directory.refused', 'admin@example.com')).toBe(attempts.length)
    expect(await standing(adminId)).toMatchObject({ role: 'admin', isIn: true })
    expect(await standing(other.id)).toMatchObject({ role: 'admin', isIn: true })
    const unmapped = { group: group.body.id as string, role: null }
    expect(await mapping.setGroupRole(organizationId, unmapped, admin, new Date())).toBe('last-admin')
  })

  test('two admins change places in one request', async () => {
    const heir = await provision(null)
    await signInAs(heir.email)
    const [group] = await world.database.query<{ id: string }>(
      `select id from directory_group where display_name = 'Admins'`,
    )
    const { status } = await send('PUT', `/Groups/${group?.id}`, {
      body: { displayName: 'Admins', members: [{ value: heir.id }] },
    })
    expect([status, await standing(adminId)]).toEqual([200, expect.objectContaining({ isIn: false })])
    expect(await standing(heir.id)).toMatchObject({ role: 'admin' })
  })
})

test('groups are found by name, and without their members when these are left out', async () => {
  const { id, groupId } = await provision()
  const filter = encodeURIComponent(`displayName eq "group ${made}"`)
  const bare = await send('GET', `/Groups?excludedAttributes=members&filter=${filter}`)
  expect((bare.body.Resources as Json[]).map((each) => [each.id, each.members])).toEqual([[groupId, undefined]])
  const whole = await send('GET', `/Groups/${groupId}`)
  expect(whole.body.members).toMatchObject([{ value: id, $ref: `${APP_URL}/api/scim/v2/Users/${id}`, type: 'User' }])
})

test('says what it can do, and refuses what it does not offer in SCIM’s form', async () => {
  expect((await send('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
  })
  const { body } = await send('GET', '/Schemas')
  const kept = (body.Resources as { attributes: { name: string }[] }[]).map((each) =>
    each.attributes.map(({ name }) => name),
  )
  expect(kept).toEqual([
    ['userName', 'name', 'displayName', 'active', 'emails'],
    ['displayName', 'members'],
  ])
  expect((await send('GET', '/ResourceTypes/User')).body).toMatchObject({ endpoint: '/Users' })
  expect((await send('GET', '/ResourceTypes/Device')).status).toBe(404)
  expect((await send('POST', '/Bulk', { body: {} })).status).toBe(501)
  expect((await send('GET', '/Me')).status).toBe(501)
  expect((await send('GET', '/Devices')).status).toBe(404)
})
