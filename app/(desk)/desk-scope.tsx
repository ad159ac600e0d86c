import type { FilterOptions } from '#components/filters/filter-fields.ts'
import type { ListQuery } from '#components/query/list-address.ts'
import { ScopeBar, type ScopeBarProps } from '#components/scope/scope-bar.tsx'
import { ViewBar } from '#components/views/view-bar.tsx'
import type { AppSession } from '#lib/auth/model.ts'
import type { RawSearchParams } from '#lib/ledger/query/search-params.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import type { SavedView } from '#lib/views/list-views.ts'

type DeskScopeProps = Omit<ScopeBarProps, 'person' | 'today' | 'fiscalMonth'> & { session: AppSession }

/** The scope bar of the person who looks at the page. */
export function DeskScope({ session: { userId, fiscalMonth }, ...bar }: DeskScopeProps) {
  return <ScopeBar {...bar} person={userId} today={dayOf(Date.now())} fiscalMonth={fiscalMonth} />
}

type ListBarsProps = {
  target: Exclude<ListQuery, { list: 'review' }>
  session: AppSession
  searchParams: RawSearchParams
  views: SavedView[]
  options: FilterOptions
}

/** Above each list: its views, and what it is about. */
export function ListBars({ target, session, searchParams, views, options }: ListBarsProps) {
  return (
    <>
      <ViewBar target={target} searchParams={searchParams} views={views} role={session.role} />
      <DeskScope path={`/${target.list}`} session={session} searchParams={searchParams} {...toScopeChoices(options)} />
    </>
  )
}

/** What a list's bar offers: all that its invoices and lines have. */
export function toScopeChoices({ connections, profiles, currencies }: FilterOptions) {
  const toChoices = (options: FilterOptions['profiles']) =>
    options.flatMap(({ value, name }) => (value === null ? [] : { id: value, name: name ?? value }))
  return {
    accounts: toChoices(connections),
    profiles: toChoices(profiles),
    currencies: currencies.flatMap(({ value }) => value ?? []),
  }
}
