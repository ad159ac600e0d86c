import type { FilterOptions } from '#components/filters/filter-fields.ts'
import { ScopeBar, type ScopeBarProps } from '#components/scope/scope-bar.tsx'
import type { AppSession } from '#lib/auth/model.ts'
import { dayOf } from '#lib/reconcile/day.ts'

type DeskScopeProps = Omit<ScopeBarProps, 'person' | 'today' | 'fiscalMonth'> & { session: AppSession }

/** The scope bar of the person who looks at the page. */
export function DeskScope({ session: { userId, fiscalMonth }, ...bar }: DeskScopeProps) {
  return <ScopeBar {...bar} person={userId} today={dayOf(Date.now())} fiscalMonth={fiscalMonth} />
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
