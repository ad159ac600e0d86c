import { randomBytes } from 'node:crypto'
import type { ZodType } from 'zod'
import { type OperationalError, toOperationalError } from '../errors.ts'
import { log } from '../log.ts'
import { type AppSession, hasRole, type Role } from './model.ts'
import { readBody } from './read-form.ts'
import { readRequestSession } from './read-session.ts'
import { errorReply, jsonReply, PRIVATE_HEADERS, redirectTo } from './replies.ts'
import { isSameOrigin } from './same-origin.ts'

export type ApiOptions<Body> = {
  /** The least role that may; viewer when left out. */
  role?: Role
  /** True for routes that change something: the request must come from our own pages. */
  mutation?: boolean
  /** What the body must be like; mutations without it take no body into account. */
  body?: ZodType<Body>
}

export type ApiCall<Body> = {
  request: Request
  session: AppSession
  body: Body
  /** The dynamic parts of the path. */
  params: Record<string, string>
  /** True when a plain form was sent: the reply is a redirect then. */
  isForm: boolean
  now: Date
}

/** For a path without dynamic parts the web server hands over undefined. */
type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> }

/**
 * Wraps a route handler: session (401, or the sign-in page for a plain form), for mutations the origin (403) and the body
 * (413, 415, 400), then the role (403). The handler returns a Response, or a value that is sent as JSON. Failures are
 * answered from the catalog with a reference that is in the log; `error.message` is never sent.
 */
export function apiRoute<Body = undefined>(
  options: ApiOptions<Body>,
  handler: (call: ApiCall<Body>) => Promise<unknown>,
): (request: Request, context: RouteContext) => Promise<Response> {
  return async (request, context) => {
    try {
      const reply = await handle(options, handler, request, context)
      for (const [name, value] of Object.entries(PRIVATE_HEADERS))
        if (!reply.headers.has(name)) reply.headers.set(name, value)
      return reply
    } catch (thrown) {
      return toFailure(thrown, request)
    }
  }
}

async function handle<Body>(
  options: ApiOptions<Body>,
  handler: (call: ApiCall<Body>) => Promise<unknown>,
  request: Request,
  context: RouteContext,
): Promise<Response> {
  const now = new Date()
  if (options.mutation && !isSameOrigin(request.headers))
    return errorReply(403, 'forbidden', 'This request does not come from our own pages.')
  const isForm = request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false
  const session = await readRequestSession(request, now)
  if (session === null) return isForm ? redirectTo('/sign-in') : errorReply(401, 'signed-out', 'Please sign in first.')
  if (!hasRole(session.role, options.role ?? 'viewer'))
    return errorReply(403, 'forbidden', 'Your role does not include this.')
  const body = await parseBody(options, request)
  if (body instanceof Response) return body
  const params = Object.fromEntries(
    Object.entries((await context.params) ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join('/') : `${value}`,
    ]),
  )
  const reply = await handler({ request, session, body, params, isForm, now })
  return reply instanceof Response ? reply : jsonReply(reply)
}

async function parseBody<Body>(options: ApiOptions<Body>, request: Request): Promise<Body | Response> {
  if (options.body === undefined) return undefined as Body
  const read = await readBody(request)
  if (read.kind === 'refused') return errorReply(read.status, 'bad-request', read.text)
  const parsed = options.body.safeParse(read.value)
  return parsed.success
    ? parsed.data
    : errorReply(400, 'bad-request', 'The request is not one that is understood here.')
}

const STATUS: Partial<Record<OperationalError['code'], number>> = {
  'database-unavailable': 503,
  'connection-busy': 409,
  'connection-needs-reconnect': 409,
}

function toFailure(thrown: unknown, request: Request): Response {
  const error = toOperationalError(thrown)
  const reference = randomBytes(4).toString('hex')
  const { pathname } = new URL(request.url)
  log.error(
    { errorCode: error.code, reference, path: pathname, reason: error.message, stack: error.stack },
    'request failed',
  )
  return errorReply(STATUS[error.code] ?? 500, error.code, error.userText, reference)
}
