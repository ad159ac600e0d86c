import { toAddress } from '#components/query/address.ts'

/** Pages that show a period of issue. */
const PERIOD_PAGES = ['/', '/invoices', '/lines', '/groups']

type Here = { path: string; search: URLSearchParams; period: string }

/**
 * The address of a page with the period of the page that one is on, all time included; from a page
 * without one, with `period`. Days of expense are no period of issue, and are not kept.
 */
export function carryPeriod(href: string, { path, search, period }: Here): string {
  if (!PERIOD_PAGES.includes(path)) return toAddress(href, `period=${period}`)
  const named = search.get('period')
  if (named !== null) return toAddress(href, new URLSearchParams({ period: named }).toString())
  const [from, to] = [search.get('from'), search.get('to')]
  const isIssued = path === '/invoices' || search.get('date') === 'issued'
  if (!isIssued || from === null || to === null) return href
  return toAddress(href, new URLSearchParams({ from, to, date: 'issued' }).toString())
}
