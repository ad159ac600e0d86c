/** The doors of all routes. They check session, role and origin; no route can forget (A7, A11). */
import { randomBytes } from 'node:crypto'
import type { ZodType } from 'zod'
import type { Actor } from '#lib/audit/model.ts'
import { getConnection } from '#lib/connections/life/list-connections.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { toKnownError } from '#lib/db/database-trouble.ts'
import { withStatementLimit } from '#lib/db/tenant.ts'
import type { OperationalError } from '#lib/errors.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { toReply } from '#lib/http/outcome.ts'
import { readBody } from '#lib/http/read-form.ts'
import { readScimBody } from '#lib/http/read-scim.ts'
import { errorReply, PRIVATE_HEADERS, redirectTo } from '#lib/http/replies.ts'
import { isSameOrigin } from '#lib/http/same-origin.ts'
import { scimError } from '#lib/http/scim-replies.ts'
import { isStorableValue } from '#lib/http/storable.ts'
import { toTooManyText } from '#lib/http/wait-reply.ts'
import { log } from '#lib/log.ts'
import type { Directory } from '../directory-token.ts'
import { countRequest } from '../limits/request-budget.ts'
import { type CountedKind, REQUEST_KINDS, type RequestKind } from '../limits/request-kinds.ts'
import type { AppSession } from '../model.ts'
import { isAllowed, type Permission } from '../permissions.ts'
import { admitDirectory } from './directory-door.ts'
import { readRequestSession } from './read-session.ts'

/** GET reads and changes nothing, POST changes something. Our pages need no other methods. */
export type Method = 'GET' | 'POST'
/** SCIM needs the others too (RFC 7644, 3.2). */
export type DirectoryMethod = Method | 'PUT' | 'PATCH' | 'DELETE'

/**
 * What the address names: nothing, a connection, loaded before the handler runs, or what a company
 * directory provisions.
 */
export type Subject = 'connection' | 'directory' | 'none'

/** Who may use a route, as data: enforced below, and shown in the table of all routes. */
export type RouteAccess<M extends DirectoryMethod = DirectoryMethod, S extends Subject = Subject> = {
  readonly method: M
  readonly subject: S
  /**
   * What the person needs to be allowed; `directory`: no person, but the token of a directory; null
   * when nobody has to be signed in.
   */
  readonly may: Permission | 'directory' | null
  /** Whose pages may send it. Whatever changes something takes only ours, or says why not. */
  readonly origin: 'ours' | 'anyone'
  /** What its answers cost: how many a person may ask for, and how long a statement may take. */
  readonly kind: RequestKind
  /** Why it is open to people who are not signed in. */
  readonly because?: string
}

const ACCESS = Symbol('access')

/**
 * A route handler that declares its access. Only this file's functions make one, and the table that
 * names every route (`app/test-support/test-routes.ts`) takes nothing else: a route without a
 * declared access does not compile.
 */
export type DeclaredRoute<M extends DirectoryMethod = DirectoryMethod, S extends Subject = Subject> = {
  (request: Request, context?: RouteContext): Promise<Response>
  readonly [ACCESS]: RouteAccess<M, S>
}

/** The web server passes undefined for a path without dynamic parts. */
type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> }

export type PublicCall = { request: Request; now: Date }

/** A handler gets no parts of the path: what they name is loaded for it, or the answer is 404. */
export type ReadCall = PublicCall & {
  session: AppSession
  /** The person, as the audit names them. */
  actor: Actor
}

export type WriteCall<Body = undefined> = ReadCall & { body: Body }

export type DirectoryCall = PublicCall & {
  directory: Directory
  /** The directory, as the audit names it. */
  actor: Actor
  /** The last part of the path where it is a parameter: letters, digits, `-`, `_`, `:` and dots. */
  id: string
  /** Empty for GET and DELETE. */
  body: Record<string, unknown>
}

type Handler<Call> = (call: Call) => Promise<unknown>
type OfConnection = { connection: ConnectionSummary }
/** `kind`: of request-kinds.ts; without it the one of all reading or changing. */
type ReadOptions = { may: Permission; kind?: CountedKind }
/** `body`: the schema of the body; without it no body is read. */
type WriteOptions<Body> = ReadOptions & { body?: ZodType<Body> }

/**
 * GET for whoever `may`; it must not change anything. The handler returns a Response, or
 * a value to send as JSON.
 */
export function readRoute(
  { may, kind = 'read' }: ReadOptions,
  handler: Handler<ReadCall>,
): DeclaredRoute<'GET', 'none'> {
  return signedInRoute({ method: 'GET', subject: 'none', may, origin: 'anyone', kind }, undefined, handler)
}

/**
 * POST from our own pages, for whoever `may`. Where a form gets another answer than a script, the
 * handler returns an outcome (lib/http/outcome.ts).
 */
export function writeRoute<Body = undefined>(
  { may, kind = 'write', body }: WriteOptions<Body>,
  handler: Handler<WriteCall<Body>>,
): DeclaredRoute<'POST', 'none'> {
  return signedInRoute({ method: 'POST', subject: 'none', may, origin: 'ours', kind }, body, handler)
}

/** As `readRoute`, where `[id]` names a connection: 404 unless it is the organization's. */
export function connectionReadRoute(
  { may, kind = 'read' }: ReadOptions,
  handler: Handler<ReadCall & OfConnection>,
): DeclaredRoute<'GET', 'connection'> {
  const access = { method: 'GET', subject: 'connection', may, origin: 'anyone', kind } as const
  return signedInRoute(access, undefined, withConnection(handler))
}

/** As `writeRoute`, where `[id]` names a connection: 404 unless it is the organization's. */
export function connectionWriteRoute<Body = undefined>(
  { may, kind = 'write', body }: WriteOptions<Body>,
  handler: Handler<WriteCall<Body> & OfConnection>,
): DeclaredRoute<'POST', 'connection'> {
  const access = { method: 'POST', subject: 'connection', may, origin: 'ours', kind } as const
  return signedInRoute(access, body, withConnection(handler))
}

/** GET for everyone. */
export function publicReadRoute(
  { because }: { because: string },
  handler: (call: PublicCall) => Promise<Response>,
): DeclaredRoute<'GET', 'none'> {
  return declare({ method: 'GET', subject: 'none', may: null, origin: 'anyone', kind: 'open', because }, handler)
}

type OpenOptions = { because: string; origin: 'ours' | 'anyone'; kind?: 'open' | 'sign-in'; refusal?: () => Response }

/** POST for everyone. `refusal` (403) answers other sites unless `origin` allows anyone. */
export function publicWriteRoute(
  { because, origin, kind = 'open', refusal }: OpenOptions,
  handler: (call: PublicCall) => Promise<Response>,
): DeclaredRoute<'POST', 'none'> {
  return declare({ method: 'POST', subject: 'none', may: null, origin, kind, because }, handler, refusal)
}

/**
 * Any method, for a company directory with its bearer token (401, 429). No cookie counts, and so no
 * origin is checked: no browser sends the token by itself. Errors have SCIM's form.
 */
export function directoryRoute<const M extends DirectoryMethod>(
  method: M,
  handler: (call: DirectoryCall) => Promise<Response>,
): DeclaredRoute<M, 'directory'> {
  const access = { method, subject: 'directory', may: 'directory', origin: 'anyone', kind: 'open' } as const
  return declare(access, async ({ request, now }, context) => {
    try {
      const directory = await admitDirectory(request, now)
      if (directory instanceof Response) return directory
      const { id } = (await context?.params) ?? {}
      if (typeof id === 'string' && !/^[\w:.-]{1,200}$/.test(id)) return scimError(404, 'There is nothing here.')
      const read = /^P/.test(method) ? await readScimBody(request) : { kind: 'read' as const, value: {} }
      if (read.kind === 'refused') return toScimRefusal(read)
      const actor = { kind: 'directory', name: directory.name, network: toClientNetwork(request.headers) } as const
      return await handler({ request, now, directory, actor, id: typeof id === 'string' ? id : '', body: read.value })
    } catch (thrown) {
      const { error, status, reference } = noteFailure(thrown, request)
      return scimError(status, `${error.userText} Reference ${reference}.`)
    }
  })
}

/** The rest of a request that is not awaited ends with its connection (RFC 9110, 15.5.9). */
function toScimRefusal({ status, text }: { status: number; text: string }): Response {
  const headers: Record<string, string> = status === 408 || status === 413 ? { connection: 'close' } : {}
  return scimError(status, text, status === 400 ? 'invalidSyntax' : undefined, headers)
}

/** @internal The declared access of what a route file exports, or null when it declares none. */
export function readRouteAccess(exported: unknown): RouteAccess | null {
  return typeof exported === 'function' && ACCESS in exported ? (exported as DeclaredRoute)[ACCESS] : null
}

/** The one 404 for connections: another organization's looks like one that never existed. */
export function noSuchConnection(): Response {
  return errorReply(404, 'not-found', 'There is no such connection.')
}

/**
 * The outermost layer of every route: checks the origin (403), then calls `handle`. Failures get
 * the catalog's text and a reference found in the log; `error.message` is never sent.
 */
function declare<M extends DirectoryMethod, S extends Subject>(
  access: RouteAccess<M, S>,
  handle: (call: PublicCall, context: RouteContext | undefined) => Promise<Response>,
  refusal = () => errorReply(403, 'forbidden', 'This request does not come from our own pages.'),
): DeclaredRoute<M, S> {
  const route = async (request: Request, context?: RouteContext) => {
    try {
      const isForeign = access.origin === 'ours' && !isSameOrigin(request.headers)
      const { statementMs } = REQUEST_KINDS[access.kind]
      const reply = isForeign
        ? refusal()
        : await withStatementLimit(statementMs, () => handle({ request, now: new Date() }, context))
      for (const [name, value] of Object.entries(PRIVATE_HEADERS))
        if (!reply.headers.has(name)) reply.headers.set(name, value)
      return reply
    } catch (thrown) {
      return toFailure(thrown, request)
    }
  }
  return Object.assign(route, { [ACCESS]: access })
}

/**
 * After the origin: the session (401, or the sign-in page for a plain form), the budget (429), the
 * role (403), the body (413, 415, 400).
 */
function signedInRoute<M extends Method, S extends Subject, Body>(
  access: RouteAccess<M, S> & { may: Permission; kind: CountedKind },
  body: ZodType<Body> | undefined,
  handler: (call: WriteCall<Body>, context: RouteContext | undefined) => Promise<unknown>,
): DeclaredRoute<M, S> {
  return declare(access, async ({ request, now }, context) => {
    const isForm = request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false
    const session = await readRequestSession(request, now)
    if (session === null)
      return isForm ? redirectTo('/sign-in') : errorReply(401, 'signed-out', 'Please sign in first.')
    const sender = { userId: session.userId, network: toClientNetwork(request.headers) }
    const waitSeconds = countRequest(access.kind, sender, now)
    if (waitSeconds > 0) return tooManyRequests(waitSeconds)
    if (!isAllowed(session.role, access.may)) return errorReply(403, 'forbidden', 'Your role does not allow this.')
    if (session.mustEnrol && access.may !== 'own-account')
      return errorReply(403, 'forbidden', 'Your organization asks you to set up a second step of signing in first.')
    const parsed = await parseBody(body, request)
    if (parsed instanceof Response) return parsed
    const call = { request, session, actor: toActor(session, request), body: parsed, now }
    return toReply(await handler(call, context), isForm)
  })
}

function tooManyRequests(waitSeconds: number): Response {
  const reply = errorReply(429, 'too-many-requests', toTooManyText(waitSeconds))
  reply.headers.set('retry-after', `${waitSeconds}`)
  return reply
}

/** The signed-in person who makes a request, as the audit names them: by their address. */
export function toActor({ userId, email }: AppSession, request: Request): Actor {
  return { kind: 'person', userId, name: email, network: toClientNetwork(request.headers) }
}

function withConnection<Call extends ReadCall>(handler: Handler<Call & OfConnection>) {
  return async (call: Call, context: RouteContext | undefined): Promise<unknown> => {
    const { id } = (await context?.params) ?? {}
    const connection = typeof id === 'string' ? await getConnection(call.session.organizationId, id) : null
    return connection === null ? noSuchConnection() : handler({ ...call, connection })
  }
}

/** No text of a body reaches a handler that no column holds. */
async function parseBody<Body>(schema: ZodType<Body> | undefined, request: Request): Promise<Body | Response> {
  if (schema === undefined) return undefined as Body
  const read = await readBody(request)
  if (read.kind === 'refused') return errorReply(read.status, 'bad-request', read.text)
  const parsed = isStorableValue(read.value) ? schema.safeParse(read.value) : { success: false as const }
  return parsed.success ? parsed.data : errorReply(400, 'bad-request', 'The request could not be understood.')
}

const STATUS: Partial<Record<OperationalError['code'], number>> = {
  'database-unavailable': 503,
  'commit-unknown': 503,
  'database-slow': 503,
  'attachments-unavailable': 503,
  'export-busy': 429,
  'connection-busy': 409,
  'connection-needs-reconnect': 409,
  'connection-disconnected': 409,
  'four-eyes': 409,
  'no-step-before': 409,
  'period-locked': 409,
  'sign-off-changed': 409,
  'decision-under-way': 409,
  'not-own-sign-off': 409,
}

function toFailure(thrown: unknown, request: Request): Response {
  const { error, status, reference } = noteFailure(thrown, request)
  const reply = errorReply(status, error.code, error.userText, reference)
  if (error.retryAfterMs !== undefined) reply.headers.set('retry-after', `${Math.ceil(error.retryAfterMs / 1000)}`)
  return reply
}

/** Logs a failure, and says how to answer it. */
function noteFailure(
  thrown: unknown,
  request: Request,
): { error: OperationalError; status: number; reference: string } {
  const error = toKnownError(thrown)
  const reference = randomBytes(4).toString('hex')
  const { pathname } = new URL(request.url)
  log.error(
    { errorCode: error.code, reference, path: pathname, reason: error.message, stack: error.stack },
    'request failed',
  )
  return { error, status: STATUS[error.code] ?? 500, reference }
}
