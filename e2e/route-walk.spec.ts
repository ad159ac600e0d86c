/**
 * Walks every route and page of the production build, as those who may not get in and as those who
 * may.
 */

import { ROLES, type Role } from '#lib/auth/permissions.ts'
import {
  ADMITTED,
  HANDLERS,
  type Handler,
  OPEN_TO_OTHER_ORIGINS,
  PAGES,
  ROUTES,
} from '../app/test-support/test-routes.ts'
import { expect, test } from './fixtures.ts'
import type { App } from './start-app.ts'
import {
  CANARY,
  makeWalkWorld,
  type Reply,
  readManifest,
  SERIAL_NUMBER,
  type Sent,
  TRIP_ID,
  type WalkWorld,
  type Who,
} from './walk-world.ts'

test.describe.configure({ timeout: 600_000 })

/** Waits for a worker. */
const DOCUMENT = '/api/invoices/document'

/** Answers of the first organization without the canary: they tell nothing of the platform's. */
const WITHOUT_CANARY = [
  '/api/connections/hosts',
  '/api/connections/[id]/scim',
  '/api/connections/[id]/sync',
  '/api/connections/[id]/sync/loss',
  '/api/packs',
  '/api/review/answers',
  '/api/review/decisions',
  '/api/review/letter',
  '/api/review/line',
  '/api/review/news',
  '/api/review/rows',
  '/api/talk/mine',
]

/** A page as a browser requests it, as a script of ours does, and as a prefetch. */
const AS_ASKED: Record<string, string>[] = [{}, { rsc: '1' }, { rsc: '1', 'next-router-prefetch': '1' }]

/** For people who are signed in. */
const GUARDED = HANDLERS.filter(({ least }) => least !== 'anyone' && least !== 'directory')
/** For a company directory with its token, which no cookie replaces. */
const PROVISIONING = HANDLERS.filter(({ least }) => least === 'directory')
const WRITING = HANDLERS.filter(({ method, least }) => method === 'POST' && least !== 'directory')

type Attempt = { address: string; sent: Sent }

const SUBREQUESTS = ['middleware', 'src/middleware', 'pages/_middleware', 'proxy', 'src/proxy']

/** Headers that have opened doors elsewhere before. */
const TRICKS: Record<string, string>[] = [
  { rsc: '1' },
  { rsc: '1', 'next-router-prefetch': '1' },
  { rsc: '1', 'next-router-prefetch': '2', 'next-router-segment-prefetch': '/_tree' },
  { purpose: 'prefetch', 'sec-purpose': 'prefetch', 'x-middleware-prefetch': '1' },
  ...SUBREQUESTS.map((name) => ({ 'x-middleware-subrequest': name })),
  ...SUBREQUESTS.map((name) => ({ 'x-middleware-subrequest': Array(5).fill(name).join(':') })),
  { 'x-middleware-rewrite': '/sign-in', 'x-middleware-next': '1', 'x-nextjs-data': '1' },
  {
    'x-matched-path': '/sign-in',
    'x-invoke-path': '/sign-in',
    'x-original-url': '/sign-in',
    'x-rewrite-url': '/sign-in',
  },
  { 'x-http-method-override': 'GET', 'x-method-override': 'GET', 'x-forwarded-for': '127.0.0.1' },
]

let world: WalkWorld

test.beforeAll(async ({ app }) => {
  world = await makeWalkWorld(app)
})

/** The path with its parameters filled in. */
function toAddress({ path, query = '' }: Handler, connectionId = world.connectionId): string {
  const filled = path
    .replace('[...rest]', 'Devices')
    .replace('ResourceTypes/[id]', 'ResourceTypes/User')
    .replace('Schemas/[id]', 'Schemas/urn:ietf:params:scim:schemas:core:2.0:User')
    .replace('Users/[id]', `Users/${world.provisionedId}`)
    .replace('Groups/[id]', `Groups/${world.groupId}`)
    .replace('trips/[id]', `trips/${connectionId === world.connectionId ? TRIP_ID : connectionId}`)
    .replace(/\[id\]|\[connection\]/, connectionId)
    .replace('[list]', 'lines')
    .replace('[serial]', encodeURIComponent(SERIAL_NUMBER))
    .replace('[...nextauth]', 'callback/partner')
  return filled + (typeof query === 'string' ? query : query(toRecords()))
}

function toRecords() {
  return { ...world, serialNumber: SERIAL_NUMBER, canary: CANARY }
}

/** The request that one of our pages makes. */
function toSent({ method, body = {}, bytes }: Handler, cookie: string, headers: Record<string, string> = {}): Sent {
  if (method === 'GET' || method === 'DELETE') return { method, headers: { cookie, ...headers } }
  if (bytes !== undefined)
    return { method, headers: { cookie, 'content-type': 'application/octet-stream', ...headers }, body: bytes }
  const sent = JSON.stringify(typeof body === 'function' ? body(toRecords()) : body)
  return { method, headers: { cookie, 'content-type': 'application/json', ...headers }, body: sent }
}

/** The walk has no worker: says in its place that there is no document. */
async function refuseDocument(app: App): Promise<void> {
  const refuse = () =>
    app.query(`update document_wish set status = 'failed', failure = 'none' where status = 'queued' returning 1 as one`)
  await expect.poll(async () => (await refuse()).length).toBe(1)
}

/**
 * The sign-in page or a redirect to it, also at the end of a reply already begun, or as data for a
 * script.
 */
function leadsToSignIn({ status, headers, text }: Reply): boolean {
  if (status >= 300 && status < 400) return new URL(headers.location ?? '', 'http://x').pathname === '/sign-in'
  return status === 200 && /NEXT_REDIRECT;\w+;\/sign-in|url=\/sign-in/.test(text)
}

/**
 * Refused, missing, or redirected to sign-in. An empty body reveals nothing, and `{}` comes from
 * Next.js itself.
 */
function isRefusal(reply: Reply, { method, headers }: Sent): boolean {
  const isEmpty =
    (reply.text === '' && (reply.status === 204 || method === 'HEAD')) ||
    (reply.text === '{}' && headers?.['x-middleware-prefetch'] !== undefined)
  return [400, 401, 404, 405].includes(reply.status) || isEmpty || leadsToSignIn(reply)
}

/** A page requested by a script starts its reply before it knows; then the body says it. */
function isMissing({ status, text }: Reply): boolean {
  return status === 404 || (text.startsWith('1:') && text.includes('NEXT_HTTP_ERROR_FALLBACK;404'))
}

/** A prefetch: the frame without the page, which everyone gets. */
function isFrame({ status, text }: Reply, { headers }: Sent): boolean {
  return headers?.['next-router-prefetch'] !== undefined && status === 200 && !text.includes(CANARY)
}

/** The request and its reply in one line. */
function toLine(address: string, { method = 'GET', headers = {} }: Sent, { status, text }: Reply): string {
  const { cookie = '', ...others } = headers
  return `${method} ${address} ${cookie.slice(0, 24)} ${JSON.stringify(others)} -> ${status} ${text.slice(0, 300)}`
}

/** Other spellings of the address, which some servers accept and their guards miss. */
function spell(address: string): string[] {
  const [path = '', search = ''] = address.split(/(?=\?)/)
  return [
    `/${path}`,
    `${path}/`,
    `${path}//`,
    `/.${path}`,
    `/x/..${path}`,
    `/%2e${path}`,
    `${path}.rsc`,
    `${path}%2f`,
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    path.toUpperCase(),
    `${path};x`,
    `/_next/data/x${path}.json`,
    `${path}%00`,
    `${path}%3f`,
  ].map((spelling) => spelling + search)
}

/** Redirected to the plain spelling of the address, before the server checks who asks. */
function isRespelled({ status, headers, text }: Reply, address: string): boolean {
  const tidy = (path: string) =>
    path
      .replace(/\?.*/, '')
      .replace(/\/+/g, '/')
      .replace(/(.)\/$/, '$1')
  const { location = '' } = headers
  return status === 308 && /^\/(?!\/)/.test(location) && tidy(location) === tidy(address) && text.length < 2000
}

test('A7: the build has exactly the routes and pages of the handwritten list of least roles', () => {
  const { routes, pages } = readManifest()
  expect(routes).toEqual(Object.keys(ROUTES).sort())
  expect(pages).toEqual(Object.keys(PAGES).sort())
})

test('A7: without a session nobody gets in, for any headers, method and spelling of the path', async ({ app }) => {
  const before = await world.fingerprint()
  const problems: string[] = []
  const tryAll = (handler: Handler, attempts: Attempt[]) =>
    Promise.all(
      attempts.map(async ({ address, sent }) => {
        const reply = await world.send(address, sent)
        const isOut = isRefusal(reply, sent) || isRespelled(reply, address) || (handler.isPage && isFrame(reply, sent))
        if (!isOut || reply.text.includes(CANARY)) problems.push(toLine(address, sent, reply))
      }),
    )
  for (const [index, handler] of [...GUARDED, ...PROVISIONING].entries()) {
    const address = toAddress(handler)
    const toAttempt = (cookie: string, headers: Record<string, string>): Attempt => ({
      address,
      sent: toSent(handler, cookie, { origin: app.appUrl, ...headers }),
    })
    const nobody = ['', 'tieout.session=forged', world.endedCookie]
    // each cookie by itself, and each trick with one of them: with another one at the next address
    await tryAll(handler, [
      ...nobody.map((cookie) => toAttempt(cookie, {})),
      ...TRICKS.map((headers, trick) => toAttempt(nobody[(trick + index) % nobody.length] ?? '', headers)),
    ])
    const { sent } = toAttempt(world.endedCookie, {})
    await tryAll(
      handler,
      spell(address).map((spelling) => ({ address: spelling, sent })),
    )
    const other = handler.method === 'GET' ? 'POST' : 'GET'
    const methods = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', other]
    await tryAll(
      handler,
      methods.map((method) => ({ address, sent: { method, headers: sent.headers ?? {} } })),
    )
  }
  expect(problems).toEqual([])
  expect(await world.fingerprint()).toEqual(before)
})

test('A7, roles: each route and page admits the roles of its row, and no other', async ({ app }) => {
  const problems: string[] = []
  const asked = GUARDED.flatMap((handler) =>
    ROLES.map((role) => ({
      handler,
      role,
      isAllowed: ADMITTED[handler.least as Role].includes(role),
    })),
  )
  // those who are refused first: all of them together change nothing
  const before = await world.fingerprint()
  for (const { handler, role } of asked.filter(({ isAllowed }) => !isAllowed)) {
    const address = toAddress(handler)
    const sent = toSent(handler, world.cookies[role], { origin: app.appUrl })
    const reply = await world.send(address, sent)
    if (reply.status !== (handler.isPage ? 404 : 403)) problems.push(`${role}: ${toLine(address, sent, reply)}`)
  }
  expect(problems).toEqual([])
  expect(await world.fingerprint()).toEqual(before)
  for (const { handler, role } of asked.filter(({ isAllowed }) => isAllowed)) {
    // nothing else uses what a permitted request changes
    const isChange = handler.method === 'POST' && handler.path.includes('[id]')
    const address = toAddress(handler, isChange ? await world.addConnection() : world.connectionId)
    const sent = toSent(handler, world.cookies[role], { origin: app.appUrl })
    const replying = world.send(address, sent)
    if (handler.path === DOCUMENT) await refuseDocument(app)
    const reply = await replying
    const isTold = handler.method === 'POST' || WITHOUT_CANARY.includes(handler.path) || reply.text.includes(CANARY)
    const isIn = reply.status < 400 || reply.status === 409
    if (!isIn || !isTold || leadsToSignIn(reply)) problems.push(`${role}: ${toLine(address, sent, reply)}`)
  }
  expect(problems).toEqual([])
})

test('A34: what a directory provisions opens to its token, and to no cookie and no other organization’s token', async ({
  app,
}) => {
  const problems: string[] = []
  const before = await world.fingerprint()
  for (const handler of PROVISIONING) {
    const address = toAddress(handler)
    const toSentWith = (headers: Record<string, string>) => toSent(handler, '', { origin: app.appUrl, ...headers })
    for (const role of ROLES) {
      const sent = toSentWith({ cookie: world.cookies[role] })
      const reply = await world.send(address, sent)
      if (reply.status !== 401 || reply.headers['www-authenticate'] === undefined)
        problems.push(toLine(address, sent, reply))
    }
    const sent = toSentWith({ authorization: `Bearer ${world.tokens.stranger}` })
    if (handler.method !== 'POST') {
      const reply = await world.send(address, sent)
      if ((/(Users|Groups)\/\[id\]/.test(handler.path) && reply.status !== 404) || reply.text.includes(CANARY))
        problems.push(toLine(address, sent, reply))
    }
  }
  expect(await world.fingerprint()).toEqual(before)
  // last, what ends the person and the group
  const inOrder = [...PROVISIONING].sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
  for (const handler of inOrder) {
    const address = toAddress(handler)
    const sent = toSent(handler, '', { authorization: `Bearer ${world.tokens.own}`, origin: 'https://evil.example' })
    const reply = await world.send(address, sent)
    const isIn = handler.path.endsWith('[...rest]') ? reply.status === 404 : reply.status < 300
    if (!isIn) problems.push(toLine(address, sent, reply))
  }
  expect(problems).toEqual([])
})

test('A8: another organization finds nothing of this one, by routes, pages and filters', async ({ app }) => {
  const before = await world.fingerprint()
  const problems: string[] = []
  // what sends bytes names nothing: the stranger's organization has them then
  for (const handler of GUARDED.filter(({ bytes }) => bytes === undefined)) {
    // a list names no record: the stranger's own file is empty
    const namesSomething =
      /\[(?!list\])/.test(handler.path) ||
      /\/(lines\/detail|invoices\/document|connect|api\/people|invitations|api\/talk|talk\/assign|talk\/files|files\/remove|talk\/seen)$/.test(
        handler.path,
      )
    for (const headers of AS_ASKED) {
      const address = toAddress(handler)
      const sent = toSent(handler, world.cookies.stranger, { origin: app.appUrl, ...headers })
      const reply = await world.send(address, sent)
      const isFound = namesSomething && !isMissing(reply) && !isFrame(reply, sent)
      if (isFound || reply.text.includes(CANARY)) problems.push(toLine(address, sent, reply))
    }
  }
  expect(problems).toEqual([])
  expect(await world.fingerprint()).toEqual(before)
})

test('A8, A14: an id of any shape is as missing as one that never existed', async ({ app }) => {
  const { connectionId } = world
  const ids = [
    '%00',
    `${connectionId}%00`,
    '%22',
    "'",
    '%7B%7D',
    `%7B${connectionId}%7D`,
    connectionId.toUpperCase(),
    'null',
    '__proto__',
    'x'.repeat(5000),
    connectionId.replaceAll('-', ''),
    '%F0%9F%92%A9',
    '%E2%80%AE',
    '%EF%BF%BD',
  ]
  const problems: string[] = []
  for (const handler of GUARDED.filter(({ path }) => /\[(id|connection)\]/.test(path)))
    await Promise.all(
      ids.map(async (id) => {
        const sent = toSent(handler, world.cookies.admin, { origin: app.appUrl })
        const reply = await world.send(toAddress(handler, id), sent)
        if (reply.status !== 404) problems.push(toLine(toAddress(handler, id.slice(0, 60)), sent, reply))
      }),
    )
  expect(problems).toEqual([])
})

test('A11: a write is refused from anywhere but our own pages, and nothing has changed', async ({ app }) => {
  const before = await world.fingerprint()
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: app.appUrl.replace('localhost', 'evil.localhost') },
    { origin: `${app.appUrl}.evil.example` },
    { origin: app.appUrl, 'sec-fetch-site': 'cross-site' },
    { origin: app.appUrl, 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { referer: `${app.appUrl}/connections` },
  ]
  const problems: string[] = []
  for (const handler of WRITING)
    for (const headers of foreign) {
      const address = toAddress(handler)
      const sent = toSent(handler, world.cookies.admin, headers)
      const reply = await world.send(address, sent)
      const isRefused = OPEN_TO_OTHER_ORIGINS.includes(handler.path)
        ? reply.status === (handler.path === '/api/digest/off' ? 404 : 401) // as nobody's link; by its signature
        : handler.least === 'anyone'
          ? reply.status === 303 && reply.headers['set-cookie'] === undefined // back to the form
          : reply.status === 403
      if (!isRefused) problems.push(toLine(address, sent, reply))
    }
  expect(problems).toEqual([])
  expect(await world.fingerprint()).toEqual(before)
  const [{ ended } = { ended: null }] = await app.query(
    `select count(*)::int as ended from user_session where ended_at is not null`,
  )
  expect(ended, 'ended sessions: only the walk’s own').toBe(1)
})

test('A11: GET and HEAD change nothing', async () => {
  const before = await world.fingerprint()
  const problems: string[] = []
  for (const handler of HANDLERS.filter(({ method }) => method === 'GET'))
    for (const method of ['GET', 'HEAD'])
      for (const who of ['admin', 'stranger'] satisfies Who[]) {
        const sent = { method, headers: { cookie: world.cookies[who] } }
        const reply = await world.send(toAddress(handler), sent)
        if (reply.status >= 500) problems.push(toLine(toAddress(handler), sent, reply))
      }
  expect(problems).toEqual([])
  expect(await world.fingerprint()).toEqual(before)
})
