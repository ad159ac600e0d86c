/**
 * What a page is about: days, account, profile and currency, under the same names in every address.
 * Pure and small: the frame's links have it in the browser.
 */
import { toAddress } from '#components/query/address.ts'
import { PLACE_PARAMETERS, writePairs } from '#lib/ledger/query/list-place.ts'

/** The parameters that say it, in the order in which addresses have them. */
const NAMES = ['connection', 'profile', 'currency', 'period', 'from', 'to', 'date'] as const
export type ScopeName = (typeof NAMES)[number]

const OF_TIME: readonly ScopeName[] = ['period', 'from', 'to']
/** `period=all`: an address that means every day, and not that it does not say. */
export const ALL_TIME = 'all'

/** Pages of figures. Each keeps the scope in its address, and passes it on. */
const SCOPED = /^\/(review|invoices|lines|groups|changes)?$|^\/connections\/[^/]+\/coverage$/

export const isScoped = (path: string) => SCOPED.test(path)

export type Here = { path: string; search: URLSearchParams }

/**
 * The scope in an address, as the text of its parameters. Days without a word on which they are
 * get one: lists of invoices mean those of issue, lists of lines those of expense.
 */
export function readScope({ path, search }: Here): string {
  const pairs = NAMES.flatMap((name) => search.getAll(name).map((value): [string, string] => [name, value]))
  const hasDays = search.has('from') || search.has('to')
  if (hasDays && !search.has('period') && !search.has('date'))
    pairs.push(['date', path === '/invoices' ? 'issued' : 'expense'])
  return writePairs(pairs)
}

/** The parameters of an address as a page gets them, of a repeated one each value. */
export function toSearch(searchParams: Record<string, string | string[] | undefined>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(searchParams).flatMap(([name, given]) =>
      [given ?? []].flat().map((value): [string, string] => [name, value]),
    ),
  )
}

/** Whether an address says which days it is about, if only that it is about all. */
export function namesTime(search: URLSearchParams): boolean {
  return OF_TIME.some((name) => search.has(name))
}

/**
 * Another page in the scope of the one that one is on; where that has none, in the scope that the
 * person keeps. An address that names no days was not chosen in the bar, so nobody's period
 * changes by a visit to it.
 */
export function carryScope(href: string, here: Here, kept: string): string {
  if (!SCOPED.test(href)) return href
  return toAddress(href, SCOPED.test(here.path) && namesTime(here.search) ? readScope(here) : kept)
}

/** The person's own scope, for an address that says nothing at all; null for any other. */
export function findOwn({ path, search }: Here, kept: string): string | null {
  // what every address without a word has always meant
  if (!SCOPED.test(path) || search.size > 0 || kept === `period=${ALL_TIME}`) return null
  return toAddress(path, kept)
}

/** The same page in another scope, from its beginning; null takes a part away. */
export function withScope(here: Here, change: Partial<Record<ScopeName, string | null>>): string {
  const params = new URLSearchParams(here.search)
  for (const name of [...PLACE_PARAMETERS, 'line', 'open', 'said', 'error', ...NAMES]) params.delete(name)
  const scope = new URLSearchParams(readScope(here))
  if (change.period !== undefined) for (const name of OF_TIME) scope.delete(name)
  for (const [name, value] of Object.entries(change)) {
    scope.delete(name)
    if (value !== null) scope.set(name, value)
  }
  if (!namesTime(scope)) scope.set('period', ALL_TIME)
  return toAddress(here.path, writePairs(new URLSearchParams([...params, ...scope])))
}

/** The cookie of what each person last chose; the next one at this browser has another. */
export const SCOPE_COOKIE = 'tieout_scope'

export function writeKept(person: string, scope: string): string {
  return encodeURIComponent(`${person} ${scope}`)
}

/** What `writeKept` wrote for this person; null without it, and for anything that is no scope. */
export function readKept(text: string | undefined, person: string): string | null {
  const [owner, scope = ''] = (text ?? '').split(' ')
  if (owner !== person) return null
  const search = new URLSearchParams(scope)
  return namesTime(search) ? readScope({ path: '/lines', search }) : null
}
