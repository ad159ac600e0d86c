import type { ReactNode } from 'react'
import { classNames } from '#components/class-names.ts'
import { describeDays } from '#components/filters/filter-scope.ts'
import { PeriodPicker } from '#components/period/period-picker.tsx'
import { describePeriod } from '#components/period/period-words.ts'
import { Link } from '#components/query/link.client.tsx'
import type { RawSearchParams } from '#lib/ledger/query/search-params.ts'
import { type Day, parseDay } from '#lib/reconcile/day.ts'
import { findPeriod, parsePeriod } from '#lib/reconcile/period.ts'
import { KeepScope } from './kept-scope.client.tsx'
import { ALL_TIME, namesTime, readScope, type ScopeName, toSearch, withScope } from './scope.ts'
import { ScopeMenu } from './scope-menu.client.tsx'

export type ScopeChoice = { id: string; name: string }

export type ScopeBarProps = {
  path: string
  searchParams: RawSearchParams
  /** Whose choice is kept. */
  person: string
  today: Day
  fiscalMonth: number
  accounts: ScopeChoice[]
  profiles: ScopeChoice[]
  currencies: string[]
  /** At its right. */
  children?: ReactNode
}

/**
 * What the page is about, the same on every page: days of issue or of expense, account, profile and
 * currency. It is in the address, and kept for the person.
 */
export function ScopeBar(props: ScopeBarProps) {
  const { path, searchParams, person, today, fiscalMonth, accounts, profiles, currencies, children } = props
  const here = { path, search: toSearch(searchParams) }
  const scope = new URLSearchParams(readScope(here))
  const [from, to] = [parseDay(scope.get('from') ?? ''), parseDay(scope.get('to') ?? '')]
  const period = parsePeriod(scope.get('period') ?? '') ?? findPeriod(from, to)
  // an invoice has no day of expense
  const isOfExpense = scope.get('date') === 'expense' && path !== '/invoices'
  const menu = (name: ScopeName, label: string, all: string, choices: ScopeChoice[], many: string) => ({
    label,
    chosen: describeChosen(scope.getAll(name), choices, all, many),
    isOn: scope.has(name),
    items: [{ id: null, name: all }, ...choices].map(({ id, name: text }) => ({
      label: text,
      // a profile is of one account
      href: withScope(here, { [name]: id, ...(name === 'connection' && { profile: null }) }),
    })),
  })
  const onPaper = [
    `${isOfExpense ? 'Days of expense' : 'Days of issue'}: ${period === null ? (describeDays(from, to) ?? 'all') : describePeriod(period)}`,
    describeChosen(scope.getAll('connection'), accounts, 'all accounts', 'accounts'),
    describeChosen(scope.getAll('profile'), profiles, 'all profiles', 'profiles'),
    scope.has('currency') ? scope.getAll('currency').join(', ') : 'all currencies',
  ]
  return (
    <div className="scope-bar">
      <p className="on-paper">{onPaper.join(' · ')}</p>
      {namesTime(here.search) && <KeepScope person={person} scope={readScope(here)} />}
      <PeriodPicker
        label={isOfExpense ? 'Period of expense' : 'Period of issue'}
        period={period}
        otherDays={period === null ? describeDays(from, to) : null}
        toHref={(next) => withScope(here, { period: next?.text ?? ALL_TIME })}
        today={today}
        fiscalMonth={fiscalMonth}
      />
      <nav aria-label="Which day" className="scope-dates">
        <DateLink isOn={!isOfExpense} href={withScope(here, { date: null })}>
          By issue
        </DateLink>
        <DateLink isOn={isOfExpense} href={path === '/invoices' ? null : withScope(here, { date: 'expense' })}>
          By expense
        </DateLink>
      </nav>
      {accounts.length > 1 && <ScopeMenu {...menu('connection', 'Account', 'All accounts', accounts, 'accounts')} />}
      {profiles.length > 1 && <ScopeMenu {...menu('profile', 'Profile', 'All profiles', profiles, 'profiles')} />}
      {currencies.length > 1 && (
        <ScopeMenu
          {...menu(
            'currency',
            'Currency',
            'All currencies',
            currencies.map((code) => ({ id: code, name: code })),
            'currencies',
          )}
        />
      )}
      {children}
    </div>
  )
}

type DateLinkProps = { isOn: boolean; href: string | null; children: ReactNode }

function DateLink({ isOn, href, children }: DateLinkProps) {
  if (href === null) return <span title="An invoice has no day of expense">{children}</span>
  return (
    <Link href={href} aria-current={isOn ? 'true' : undefined} className={classNames(isOn && 'font-medium')}>
      {children}
    </Link>
  )
}

function describeChosen(chosen: string[], choices: ScopeChoice[], all: string, many: string): string {
  const [only] = chosen
  if (only === undefined) return all
  if (chosen.length > 1) return `${chosen.length} ${many}`
  return choices.find(({ id }) => id === only)?.name ?? only
}
