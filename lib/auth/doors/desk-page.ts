/** The doors of all pages. They always check session and role: no page can forget to (A7, A8). */
import { notFound, redirect } from 'next/navigation'
import { cache, type ReactNode } from 'react'
import { getConnection } from '#lib/connections/life/list-connections.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { settings } from '#lib/env.ts'
import { toSafePath } from '#lib/http/safe-path.ts'
import type { AppSession } from '../model.ts'
import { isAllowed, type Permission } from '../permissions.ts'
import { hasEndedSession, readSession } from './page-session.ts'

/** Who may see a page, as data: enforced below, and shown in the table of all pages. */
export type PageAccess<Path extends string = string> = {
  /** The page's path as the web server writes it, with its dynamic parts in brackets. */
  readonly path: Path
  /** What the person needs to be allowed; null when nobody has to be signed in. */
  readonly may: Permission | null
  /** Why it is open to people who are not signed in. */
  readonly because?: string
}

const ACCESS = Symbol('access')

/** Where somebody is led who has to set up a second step before anything else. */
const ENROL = '/account?error=required#second-step'

type Parts = Record<string, string | string[] | undefined>
type PageProps = { params: Promise<Parts>; searchParams: Promise<Parts> }

/**
 * A page that declares its access. Only this file's functions make one, and the table that names
 * every page (`app/test-support/test-routes.ts`) takes nothing else: a page without a declared
 * access does not compile.
 */
export type DeclaredPage<Path extends string = string> = {
  (props: PageProps): Promise<ReactNode>
  readonly [ACCESS]: PageAccess<Path>
}

type PartOf<Path extends string> = Path extends `${string}[${infer Name}]${infer Rest}` ? Name | PartOf<Rest> : never

export type Visit<Path extends string> = {
  session: AppSession
  /** The path's dynamic parts, unescaped. What they name may not be the organization's. */
  params: Record<PartOf<Path>, string>
  searchParams: Parts
}

export type ConnectionVisit = { session: AppSession; connection: ConnectionSummary; searchParams: Parts }

/** A page's access, and how it is shown to who has it: `render` makes the page, once. */
type Shown<Path extends string, Seen> = {
  path: Path
  may: Permission
  show: (visit: Seen, render: () => Promise<ReactNode>) => Promise<ReactNode>
}

/**
 * A page for whoever `may`; others get 404. Without a session, it redirects to sign in
 * and from there back to this address.
 */
export function deskPage<const Path extends string>(
  { path, may, show }: Shown<Path, Visit<Path>>,
  render: (visit: Visit<Path>) => Promise<ReactNode>,
): DeclaredPage<Path> {
  return declare({ path, may }, async (props) => {
    const visit = (await enter({ path, may }, props)) as Visit<Path>
    return show(visit, () => render(visit))
  })
}

/** As `deskPage`, where `[id]` names a connection: 404 unless it is the organization's. */
export function connectionPage<const Path extends `/connections/[id]${string}`>(
  { path, may, show }: Shown<Path, ConnectionVisit>,
  render: (visit: ConnectionVisit) => Promise<ReactNode>,
): DeclaredPage<Path> {
  return declare({ path, may }, async (props) => {
    const { session, params, searchParams } = await enter({ path, may }, props)
    const connection = await readConnection(session.organizationId, params.id ?? '')
    if (connection === null) notFound()
    const visit = { session, connection, searchParams }
    return show(visit, () => render(visit))
  })
}

/** A page for everyone; `session` is null without one. */
export function publicPage<const Path extends string>(
  { path, because }: { path: Path; because: string },
  render: (visit: { session: AppSession | null; searchParams: Parts }) => Promise<ReactNode>,
): DeclaredPage<Path> {
  return declare({ path, may: null, because }, async ({ searchParams }) => {
    const session = await readSession()
    if (session?.mustEnrol) redirect(ENROL)
    return render({ session, searchParams: await searchParams })
  })
}

/**
 * A layout that answers 404 unless its pages' subject exists for the session. It must stand above
 * their skeletons (`loading.tsx`): once a skeleton has begun the reply, its status is 200, no
 * matter what the page finds. The pages check too, since a layout does not run again when only the
 * page below it changes.
 */
export function existingOnly(isThere: (session: AppSession, params: Record<string, string>) => Promise<boolean>) {
  return async ({ params, children }: { params: Promise<Parts>; children: ReactNode }): Promise<ReactNode> => {
    const session = await readSession()
    // without a session the page redirects to sign in: only it knows the way back
    if (session !== null && !(await isThere(session, toParams(await params)))) notFound()
    return children
  }
}

/** The connection of the page being rendered; one look-up per request, shared by its components. */
export const readConnection = cache(getConnection)

/** @internal The declared access of a page file's default export, or null when it declares none. */
export function readPageAccess(exported: unknown): PageAccess | null {
  return typeof exported === 'function' && ACCESS in exported ? (exported as DeclaredPage)[ACCESS] : null
}

/** A path's part with its escapes decoded; a badly escaped one is returned as it is. */
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

async function enter(access: { path: string; may: Permission }, props: PageProps): Promise<Entered> {
  const [escaped, searchParams, session] = await Promise.all([props.params, props.searchParams, readSession()])
  const params = toParams(escaped)
  if (session === null) redirect(toSignIn(toHere(access.path, params, searchParams), await hasEndedSession()))
  if (session.mustEnrol && access.may !== 'own-account') redirect(ENROL)
  if (!isAllowed(session.role, access.may)) notFound()
  return { session, params, searchParams }
}

function toParams(escaped: Parts): Record<string, string> {
  return Object.fromEntries(Object.entries(escaped).map(([name, part]) => [name, unescapePart(`${part}`)]))
}

/** The address of the page being rendered, without the fragment, which the server never sees. */
function toHere(path: string, params: Record<string, string>, searchParams: Parts): string {
  const filled = path.replace(/\[(\w+)\]/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(searchParams).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  )
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`
}

function toSignIn(here: string, isEnded: boolean): string {
  const next = toSafePath(here, settings().appUrl)
  const search = [...(isEnded ? ['error=ended'] : []), ...(next === '/' ? [] : [`next=${encodeURIComponent(next)}`])]
  return search.length === 0 ? '/sign-in' : `/sign-in?${search.join('&')}`
}
