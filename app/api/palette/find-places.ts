import type { FoundPlace } from '#components/palette/places.ts'
import { toInvoiceAddress, toTripAddress } from '#components/query/address.ts'
import { toListAddress } from '#components/query/list-address.ts'
import { LISTS } from '#components/query/lists.ts'
import { toSavedAddress } from '#components/query/saved-address.ts'
import type { AppSession } from '#lib/auth/model.ts'
import { foldText } from '#lib/ledger/query/fold-text.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { type FoundInvoice, findInvoices } from '#lib/ledger/read/choices/find-invoices.ts'
import { type SearchedFilter, searchFilterOptions } from '#lib/ledger/read/choices/search-filter-options.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { listAllViews } from '#lib/views/list-views.ts'

/** Of each kind; of all views where nothing is typed. */
const MOST_OF_EACH = 4
const MOST_VIEWS = 12
/** Of one letter nearly every record has one. */
const LEAST_SEARCHED = 2

const KINDS: Record<SearchedFilter, string> = {
  trips: 'trip',
  travelers: 'traveler',
  vendors: 'vendor',
  costCenters: 'cost center',
}

/** The views, invoices, trips and names that have each word of what is typed, in this order. */
export async function findPlaces(session: AppSession, typed: string): Promise<FoundPlace[]> {
  const { organizationId, userId } = session
  const text = typed.trim()
  const views = findViews(organizationId, userId, text)
  if (text.length < LEAST_SEARCHED) return views
  const [named, invoices, ...lists] = await Promise.all([
    views,
    findInvoices(organizationId, text, MOST_OF_EACH),
    ...(Object.keys(KINDS) as SearchedFilter[]).map((filter) => findLists(session, filter, text)),
  ])
  return [...named, ...invoices.map(toInvoicePlace), ...lists.flat()]
}

async function findViews(
  organizationId: AppSession['organizationId'],
  userId: AppSession['userId'],
  text: string,
): Promise<FoundPlace[]> {
  const words = foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '')
  const views = await listAllViews(organizationId, userId)
  return views
    .filter(({ name }) => words.every((word) => foldText(name).includes(word)))
    .slice(0, MOST_VIEWS)
    .map((view) => ({
      kind: view.isTeam ? 'team view' : 'view',
      label: view.name,
      note: LISTS[view.list].label,
      href: toSavedAddress(view.list, view),
    }))
}

function toInvoicePlace({ connectionId, serialNumber, ...invoice }: FoundInvoice): FoundPlace {
  const { issuingDate, profileName, isRemoved } = invoice
  const said = [profileName, issuingDate && formatDay(issuingDate), isRemoved && 'removed']
  return {
    kind: 'invoice',
    label: serialNumber,
    note: said.filter((each) => each).join(' · '),
    href: toInvoiceAddress(connectionId, serialNumber),
  }
}

async function findLists(session: AppSession, filter: SearchedFilter, text: string): Promise<FoundPlace[]> {
  const found = await searchFilterOptions(session, filter, text, MOST_OF_EACH)
  return found.flatMap(({ value, name }) => {
    if (value === null) return []
    const lines = () => toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, [filter]: [value] } })
    const href = filter === 'trips' ? toTripAddress(value) : lines()
    return [{ kind: KINDS[filter], label: name ?? value, ...(name !== null && { note: value }), href }]
  })
}
