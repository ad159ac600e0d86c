/** For tests: sandbox platform, database, our routes as functions, browsers with cookie jars. */
import { randomBytes } from 'node:crypto'
import pino from 'pino'
import type { TestDatabase } from '#lib/db/test-support/test-database.ts'
import { type Sandbox, startSandbox } from '#lib/sandbox/server.ts'
import { ROUTES } from '../../../app/test-support/test-routes.ts'

export const APP_URL = 'http://localhost:3000'
export const CALLBACK = '/api/auth/callback/partner'
export const PASSWORD = 'correct horse battery'
/** A test browser's address by default. */
const ADDRESS = '203.0.113.1'
/** In the web server a preload makes the name up (lib/cli/run/request-door.mjs). */
const ADDRESS_HEADER = 'x-client-address-of-tests'

type Handler = (request: Request, context: { params: Promise<Record<string, string> | undefined> }) => Promise<Response>

/** Where a reply leads: by a redirect, or by a page that moves on (`leaveTo`). */
export function leadsTo(response: Response): string {
  const [, left] = /^0; url=(.*)$/.exec(response.headers.get('refresh') ?? '') ?? []
  return left ?? response.headers.get('location') ?? ''
}

export type World = {
  sandbox: Sandbox
  database: TestDatabase
  /** Every log line of this process since the start, at level trace. */
  logLines: string[]
  /** Calls one of our routes. */
  call: (request: Request) => Promise<Response>
  addUser: (email: string, role: string, organizationName?: string) => Promise<string>
  /** `address` is the client end of its socket. */
  browser: (address?: string) => Browser
  close: () => Promise<void>
}

export type Browser = {
  /** Cookies by name, as the browser keeps them. */
  cookies: Map<string, { value: string; path: string }>
  /** Sends a request as it is, with the cookies. */
  send: (path: string, init: RequestInit) => Promise<Response>
  get: (path: string, headers?: Record<string, string>) => Promise<Response>
  /** Posts a plain form as one of our pages would. */
  post: (
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ) => Promise<Response>
  /** Posts JSON as a script of ours would. */
  postJson: (path: string, body?: unknown) => Promise<Response>
  signIn: (email: string, password?: string) => Promise<Response>
}

/**
 * Settings are read once per process: the sandbox and the environment come first, then the
 * project's modules. Uses the database as the web server does, or `as` a role that does the
 * worker's part too.
 */
export async function startWorld(environment: Record<string, string> = {}, as: 'web' | 'both' = 'web'): Promise<World> {
  const secrets = { clientId: 'client-1', clientSecret: `secret-${randomBytes(12).toString('hex')}` }
  const sandbox = await startSandbox({
    ...secrets,
    redirectUris: [`${environment.APP_URL ?? APP_URL}${CALLBACK}`],
    controlKey: 'control',
    scimApiKey: 'scim',
    size: 'hostile',
  })
  const { generateTokenKeys } = await import('#lib/connections/tokens/vault.ts')
  const { publicKeys, privateKeys } = await generateTokenKeys()
  Object.assign(process.env, {
    APP_URL,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    PARTNER_BASE_URL: sandbox.baseUrl,
    PARTNER_AUTH_URL: sandbox.authUrl,
    PARTNER_CLIENT_ID: secrets.clientId,
    PARTNER_CLIENT_SECRET: secrets.clientSecret,
    TOKEN_PUBLIC_KEYS: JSON.stringify(publicKeys),
    TOKEN_PRIVATE_KEYS: JSON.stringify(privateKeys),
    LOG_LEVEL: 'trace',
    // tests send faster than people
    REQUEST_BUDGET_FACTOR: '1000',
    ...environment,
  })
  const { createTestDatabase } = await import('#lib/db/test-support/test-database.ts')
  const database = await createTestDatabase(as)
  const logLines = await captureLog()
  await import('./test-cheap-passwords.ts')
  const { hashPassword } = await import('../passwords/password.ts')
  const passwordHash = await hashPassword(PASSWORD)
  Object.assign(globalThis, { tieoutDoor: { addressHeader: ADDRESS_HEADER } })
  return {
    sandbox,
    database,
    logLines,
    call: dispatch,
    addUser: async (email, role, organizationName = 'First') => {
      const [organization] = await database.query<{ id: string }>(
        `with made as (insert into organization (name) select $1 where not exists (select from organization where name = $1)
                       returning id)
         select id from made union select id from organization where name = $1`,
        [organizationName],
      )
      const [user] = await database.query<{ id: string }>(
        `insert into app_user (organization_id, email, name, role, password_hash) values ($1, $2, $2, $3, $4) returning id`,
        [organization?.id, email, role, passwordHash],
      )
      return user?.id as string
    },
    browser: (address = ADDRESS) => createBrowser(dispatch, address),
    close: async () => {
      await sandbox.close()
      await database.drop()
    },
  }
}

async function captureLog(): Promise<string[]> {
  const { log } = await import('#lib/log.ts')
  const lines: string[] = []
  const stream = (log as unknown as Record<symbol, { write: (line: string) => boolean }>)[pino.symbols.streamSym]
  if (stream === undefined) throw new Error('the log has no stream')
  stream.write = (line) => lines.push(line) > 0
  return lines
}

/** A path with parameters as a pattern; one without comes before it, one with a rest after it. */
const PATTERNS = Object.entries(ROUTES)
  .map(([path, { load }]) => {
    const pattern = path.replace(/\[\.\.\.(\w+)\]/g, '(?<$1>.+)').replace(/\[(\w+)\]/g, '(?<$1>[^/]+)')
    return { path: new RegExp(`^${pattern}$`), load, rank: path.includes('[...') ? 2 : Number(path.includes('[')) }
  })
  .sort((a, b) => a.rank - b.rank)

/** A route is loaded when it is first asked: a test of signing in needs few of them. */
async function dispatch(request: Request): Promise<Response> {
  for (const { path, load } of PATTERNS) {
    const match = path.exec(new URL(request.url).pathname)
    if (match === null) continue
    const methods = (await load()) as Record<string, Handler | undefined>
    // as in the web server, HEAD runs the handler of GET
    const handler = methods[request.method === 'HEAD' ? 'GET' : request.method]
    return handler?.(request, { params: Promise.resolve(match.groups) }) ?? new Response(null, { status: 405 })
  }
  return new Response(null, { status: 404 })
}

function createBrowser(call: World['call'], address: string): Browser {
  const cookies: Browser['cookies'] = new Map()
  const send = async (path: string, init: RequestInit) => {
    const { pathname } = new URL(path, APP_URL)
    const sent = [...cookies].filter(([, cookie]) => pathname.startsWith(cookie.path))
    const headers = new Headers(init.headers)
    headers.set(ADDRESS_HEADER, address)
    if (sent.length > 0) headers.set('cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '))
    const response = await call(new Request(new URL(path, APP_URL), { ...init, headers }))
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line)
    return response
  }
  const post: Browser['post'] = (path, fields = {}, headers = {}, signal = undefined) =>
    send(path, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: APP_URL,
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    })
  return {
    cookies,
    send,
    get: (path, headers = {}) => send(path, { headers }),
    post,
    postJson: (path, body = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: APP_URL, 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify(body),
      }),
    signIn: (email, password = PASSWORD) => post('/api/sign-in', { email, password }),
  }
}

function keepCookie(cookies: Browser['cookies'], line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const name = pair.slice(0, pair.indexOf('='))
  const find = (attribute: string) =>
    attributes.find((each) => each.toLowerCase().startsWith(`${attribute}=`))?.slice(attribute.length + 1)
  const expires = find('expires')
  const isGone = find('max-age') === '0' || (expires !== undefined && new Date(expires) <= new Date())
  if (isGone) cookies.delete(name)
  else cookies.set(name, { value: pair.slice(pair.indexOf('=') + 1), path: find('path') ?? '/' })
}
