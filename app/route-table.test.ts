import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  connectionReadRoute,
  directoryRoute,
  publicWriteRoute,
  readRoute,
  readRouteAccess,
  writeRoute,
} from '#lib/auth/doors/api-route.ts'
import { deskPage, publicPage, readPageAccess } from '#lib/auth/doors/desk-page.ts'
import { isAllowed, PERMISSIONS, type Permission, ROLES, type Role } from '#lib/auth/permissions.ts'
import { listSources } from '#lib/cli/test/source-graph.ts'
import {
  ADMITTED,
  HANDLERS,
  OPEN_TO_OTHER_ORIGINS,
  PAGES,
  type PageModule,
  ROUTES,
  type RouteModule,
} from './test-support/test-routes.ts'

/** The exports that Next.js turns into routes. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The least role that may, by the table that the screen reads too. */
function toLeast(permission: Permission | 'directory' | null) {
  if (permission === 'directory') return 'directory'
  return permission === null ? 'anyone' : PERMISSIONS[permission].least
}

function toHandwritten(handlers: typeof HANDLERS): Record<string, string> {
  return Object.fromEntries(handlers.map(({ method, path, least }) => [`${method} ${path}`, least]))
}

async function listHandlers() {
  const handlers: { path: string; method: string; access: ReturnType<typeof readRouteAccess> }[] = []
  for (const [path, { load }] of Object.entries(ROUTES)) {
    const exported: Record<string, unknown> = await load()
    for (const method of METHODS.filter((each) => each in exported))
      handlers.push({ path, method, access: readRouteAccess(exported[method]) })
  }
  return handlers
}

/** One sentence for each route and page that the table lacks: what has to be added to it. */
function listUnnamed(files: string[]): string[] {
  return files.flatMap((file) => {
    const [, folders, kind] = /^app(\/.*|)\/(route|page)\.tsx?$/.exec(file) ?? []
    if (folders === undefined) return []
    const path = folders.replace(/\/\([^/]+\)/g, '') || '/'
    const [table, name] = kind === 'route' ? [ROUTES, 'ROUTES'] : [PAGES, 'PAGES']
    return path in table
      ? []
      : [`${path}: add a row to ${name} in app/test-support/test-routes.ts, with load and its least role`]
  })
}

/** One sentence for each handler of which its row says nothing. */
function listUnsaid(exported: { path: string; method: string }[]): string[] {
  return exported.flatMap(({ path, method }) =>
    HANDLERS.some((said) => !said.isPage && said.path === path && said.method === method)
      ? []
      : [
          `${method} ${path}: say in its row of app/test-support/test-routes.ts who may at least, what is audited, and what it takes`,
        ],
  )
}

test('a route, page or method that the table lacks is named, with what to add', async () => {
  expect(listUnnamed(listSources().map(({ path }) => path))).toEqual([])
  expect(listUnsaid(await listHandlers())).toEqual([])
  const named = ['app/api/people/route.ts', 'app/(desk)/(overview)/page.tsx', 'app/(desk)/own-scope.ts']
  expect(listUnnamed(['app/api/x/route.ts', 'app/(desk)/x/page.tsx', ...named])).toEqual([
    expect.stringMatching(/^\/api\/x: add a row to ROUTES/),
    expect.stringMatching(/^\/x: add a row to PAGES/),
  ])
  expect(listUnsaid([{ path: '/api/people', method: 'GET' }])).toEqual([
    expect.stringMatching(/^GET \/api\/people: say/),
  ])
})

describe('A7: roles', () => {
  test('each route has the least role of the handwritten list, and the method it is exported as', async () => {
    const declared: Record<string, string> = {}
    for (const { path, method, access } of await listHandlers())
      declared[`${method} ${path}`] = access?.method === method ? toLeast(access.may) : 'not declared'
    expect(declared).toEqual(toHandwritten(HANDLERS.filter(({ isPage }) => !isPage)))
  })

  test('each page has the least role of the handwritten list, and its own path', async () => {
    const declared: Record<string, string> = {}
    for (const [path, { load }] of Object.entries(PAGES)) {
      const access = readPageAccess((await load()).default)
      declared[`GET ${path}`] = access?.path === path ? toLeast(access.may) : 'not declared'
    }
    expect(declared).toEqual(toHandwritten(HANDLERS.filter(({ isPage }) => isPage)))
  }, 60_000)

  test('who gets in by a role is who the handwritten table says', () => {
    for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
      const least: Role = PERMISSIONS[permission].least
      expect(ROLES.filter((role) => isAllowed(role, permission))).toEqual(ADMITTED[least])
    }
  })

  test('what is open to everyone says why', async () => {
    for (const { path, access } of await listHandlers())
      if (access?.may === null) expect(access.because, path).toMatch(/\w+ \w+/)
    for (const [path, { load }] of Object.entries(PAGES)) {
      const access = readPageAccess((await load()).default)
      if (access?.may === null) expect(access.because, path).toMatch(/\w+ \w+/)
    }
  })
})

test('A11: only the listed routes and those of directories change something for a request from another site', async () => {
  const open = (await listHandlers()).filter(
    ({ method, access }) => method !== 'GET' && access?.origin !== 'ours' && access?.may !== 'directory',
  )
  expect(open.map(({ path }) => path)).toEqual(OPEN_TO_OTHER_ORIGINS)
})

test('A18: costly answers are counted for what they are; all others by their method', async () => {
  const handlers = await listHandlers()
  const costly = handlers.filter(({ access }) => !/^(read|write|open)$/.test(access?.kind ?? ''))
  expect(Object.fromEntries(costly.map(({ path, access }) => [path, access?.kind]))).toEqual({
    '/api/close/preview': 'rows',
    '/api/export/[list]': 'export',
    '/api/filter-options': 'search',
    '/api/groups': 'summary',
    '/api/invoices/document': 'document',
    '/api/invoices/rows': 'rows',
    '/api/lines': 'summary',
    '/api/lines/detail': 'rows',
    '/api/lines/rows': 'rows',
    '/api/packs': 'document',
    '/api/packs/file': 'document',
    '/api/palette': 'search',
    '/api/review/answers': 'rows',
    '/api/review/decisions': 'rows',
    '/api/review/letter': 'rows',
    '/api/review/line': 'rows',
    '/api/review/news': 'rows',
    '/api/review/preview': 'rows',
    '/api/review/rows': 'rows',
    '/api/sign-in': 'sign-in',
    '/api/summaries': 'summary',
    '/api/talk/files': 'upload',
    '/api/talk/seen': 'rows',
  })
  for (const { path, access } of handlers)
    if (access?.may === null) expect(access.kind, path).toMatch(/^(open|sign-in)$/)
})

// the compiler keeps the promises of this test (`npm test -- types`): an expected error that does
// not occur is an error
test('A7, A11: a route or page without a declared access, role or method does not compile', () => {
  const answer = async () => new Response()
  const show = async () => null
  const body = z.object({})
  const cases = [
    // @ts-expect-error a bare function is no route
    (): RouteModule<'/api/x'> => ({ GET: answer }),
    // @ts-expect-error nor for a method that the table does not know
    (): RouteModule<'/api/x'> => ({ PUT: answer, GET: readRoute({ may: 'read' }, answer) }),
    // @ts-expect-error what is declared for GET may not change anything
    (): RouteModule<'/api/x'> => ({ POST: readRoute({ may: 'read' }, answer) }),
    // @ts-expect-error under a connection's address the connection is looked up
    (): RouteModule<'/api/connections/[id]/x'> => ({ POST: writeRoute({ may: 'connect-accounts' }, answer) }),
    // @ts-expect-error and only there
    (): RouteModule<'/api/x'> => ({ GET: connectionReadRoute({ may: 'read' }, answer) }),
    // @ts-expect-error what a directory provisions is for directories alone
    (): RouteModule<'/api/scim/v2/x'> => ({ GET: readRoute({ may: 'read' }, answer) }),
    // @ts-expect-error and a directory gets nothing else
    (): RouteModule<'/api/x'> => ({ GET: directoryRoute('GET', answer) }),
    // @ts-expect-error a directory's route stands under its method
    (): RouteModule<'/api/scim/v2/x'> => ({ DELETE: directoryRoute('PUT', answer) }),
    // @ts-expect-error nor do directories have every method
    (): RouteModule<'/api/scim/v2/x'> => ({ OPTIONS: directoryRoute('GET', answer) }),
    // @ts-expect-error no permission
    () => writeRoute({ body }, answer),
    // @ts-expect-error no permission
    () => readRoute({}, answer),
    // @ts-expect-error a permission that there is not
    () => readRoute({ may: 'everything' }, answer),
    // @ts-expect-error the origin is no option
    () => writeRoute({ may: 'read', origin: 'anyone' }, answer),
    // @ts-expect-error a public route that changes something says whose pages may send it
    () => publicWriteRoute({ because: 'a test' }, answer),
    // @ts-expect-error and why it is public
    () => publicWriteRoute({ origin: 'ours' }, answer),
    // @ts-expect-error handlers get no part of the path: it might be no id at all
    () => readRoute({ may: 'read' }, async ({ params }) => params),
    // @ts-expect-error a bare function is no page
    (): PageModule<'/x'> => ({ default: async () => null }),
    // @ts-expect-error a page stands at its own path
    (): PageModule<'/x'> => ({ default: deskPage({ path: '/y', may: 'read', show }, async () => null) }),
    // @ts-expect-error no permission
    () => deskPage({ path: '/x', show }, async () => null),
    // @ts-expect-error no word about how it is shown while its answer takes long
    () => deskPage({ path: '/x', may: 'read' }, async () => null),
    // @ts-expect-error no reason
    () => publicPage({ path: '/x' }, async () => null),
  ]
  expect(cases).toHaveLength(21)
  const right: RouteModule<'/api/connections/[id]/x'> = { GET: connectionReadRoute({ may: 'read' }, answer) }
  expect(readRouteAccess(right.GET)).toMatchObject({ may: 'read', subject: 'connection' })
})
