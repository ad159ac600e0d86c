/**
 * The doors of all pages. Session and role are not options here that a page could forget (A7, A8).
 */
import { notFound, redirect } from 'next/navigation'
import { cache, type ReactNode } from 'react'
import { getConnection } from '#lib/connections/life/list-connections.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { settings } from '#lib/env.ts'
import { toSafePath } from '#lib/http/safe-path.ts'
import { type AppSession, hasRole, type Role } from './model.ts'
import { readSession } from './page-session.ts'

/**
 * Who may see a page. It is data: the functions below do what it says, and the table of all pages
 * shows it.
 */
export type PageAccess<Path extends string = string> = {
  /** The page's path as the web server writes it, with its dynamic parts in brackets. */
  readonly path: Path
  /** The least role; null when nobody has to be signed in. */
  readonly role: Role | null
  /** Why it is open to who is not signed in. */
  readonly because?: string
}

const ACCESS = Symbol('access')

type Parts = Record<string, string | string[] | undefined>
type PageProps = { params: Promise<Parts>; searchParams: Promise<Parts> }

/**
 * A page that says who may see it. Only the functions of this file make one, and only such a page
 * can stand in `app/route-table.ts`, which names every page there is: a page without a declared
 * access does not compile.
 */
export type DeclaredPage<Path extends string = string> = {
  (props: PageProps): Promise<ReactNode>
  readonly [ACCESS]: PageAccess<Path>
}

type PartOf<Path extends string> = Path extends `${string}[${infer Name}]${infer Rest}` ? Name | PartOf<Rest> : never

export type Visit<Path extends string> = {
  session: AppSession
  /**
   * The dynamic parts of the path, unescaped. What they name may not be there, or not be the
   * organization's.
   */
  params: Record<PartOf<Path>, string>
  searchParams: Parts
}

export type ConnectionVisit = { session: AppSession; connection: ConnectionSummary; searchParams: Parts }

/**
 * A page for users of at least `role`. Others find nothing there (404); who is not signed in is
 * sent to sign in first, and from there back to this address.
 */
export function deskPage<const Path extends string>(
  access: { path: Path; role: Role },
  render: (visit: Visit<Path>) => Promise<ReactNode>,
): DeclaredPage<Path> {
  return declare(access, async (props) => render((await enter(access, props)) as Visit<Path>))
}

/**
 * As `deskPage`, for a path that names a connection by `[id]`: nothing is there (404) unless it is
 * one of the organization's.
 */
export function connectionPage<const Path extends `/connections/[id]${string}`>(
  access: { path: Path; role: Role },
  render: (visit: ConnectionVisit) => Promise<ReactNode>,
): DeclaredPage<Path> {
  return declare(access, async (props) => {
    const { session, params, searchParams } = await enter(access, props)
    const connection = await readConnection(session.organizationId, params.id ?? '')
    return connection === null ? notFound() : render({ session, connection, searchParams })
  })
}

/** A page for everyone; `session` is null for who is not signed in. */
export function publicPage<const Path extends string>(
  { path, because }: { path: Path; because: string },
  render: (visit: { session: AppSession | null; searchParams: Parts }) => Promise<ReactNode>,
): DeclaredPage<Path> {
  return declare({ path, role: null, because }, async ({ searchParams }) =>
    render({ session: await readSession(), searchParams: await searchParams }),
  )
}

/**
 * A layout that answers 404 unless what its pages are about is there for the session. It has to
 * stand above their skeletons (`loading.tsx`): once a skeleton has begun the reply, its status is
 * 200 whatever the page finds. The pages look themselves as well: a layout is not run again when
 * only the page below it changes.
 */
export function existingOnly(isThere: (session: AppSession, params: Record<string, string>) => Promise<boolean>) {
  return async ({ params, children }: { params: Promise<Parts>; children: ReactNode }): Promise<ReactNode> => {
    const session = await readSession()
    // without one, the page sends to sign in: only it knows the way back
    if (session !== null && !(await isThere(session, toParams(await params)))) notFound()
    return children
  }
}

/**
 * The connection of the page being rendered; one look-up per request, however many components ask.
 */
export const readConnection = cache(getConnection)

/**
 * @internal The declared access of what a page file exports by default, or null when it declares
 * none.
 */
export function readPageAccess(exported: unknown): PageAccess | null {
  return typeof exported === 'function' && ACCESS in exported ? (exported as DeclaredPage)[ACCESS] : null
}

/**
 * A part of a path as it was before it was escaped; one that is not escaped right stands for
 * itself.
 */
export function unescapePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function declare<Path extends string>(
  access: PageAccess<Path>,
  page: (props: PageProps) => Promise<ReactNode>,
): DeclaredPage<Path> {
  return Object.assign(page, { [ACCESS]: access })
}

type Entered = { session: AppSession; params: Record<string, string>; searchParams: Parts }

async function enter(access: { path: string; role: Role }, props: PageProps): Promise<Entered> {
  const [escaped, searchParams, session] = await Promise.all([props.params, props.searchParams, readSession()])
  const params = toParams(escaped)
  if (session === null) redirect(toSignIn(toHere(access.path, params, searchParams)))
  if (!hasRole(session.role, access.role)) notFound()
  return { session, params, searchParams }
}

function toParams(escaped: Parts): Record<string, string> {
  return Object.fromEntries(Object.entries(escaped).map(([name, part]) => [name, unescapePart(`${part}`)]))
}

/** The address of the page being rendered, as far as it is known: not what stands behind `#`. */
function toHere(path: string, params: Record<string, string>, searchParams: Parts): string {
  const filled = path.replace(/\[(\w+)\]/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(searchParams).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  )
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`
}

function toSignIn(here: string): string {
  const next = toSafePath(here, settings().appUrl)
  return next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`
}
