import { toAccountName } from '#components/connections/connection-state.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { describeTime, isOfLinesOnly, type OverviewView } from '#components/overview/overview-view.ts'
import { Freshness } from '#components/text/freshness.tsx'
import { plural } from '#components/text/plural.ts'
import type { AppSession } from '#lib/auth/model.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { Overview } from '#lib/ledger/model.ts'
import type { RawSearchParams } from '#lib/ledger/query/search-params.ts'
import type { Proofs } from '#lib/ledger/read/get-proofs.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { DeskScope } from '../desk-scope.tsx'

type OverviewHeaderProps = {
  session: AppSession
  searchParams: RawSearchParams
  view: OverviewView
  overview: Overview
  proofs: Proofs
  connections: ConnectionSummary[]
  now: number
}

/** How much is in the scope, and the scope. */
export function OverviewHeader(props: OverviewHeaderProps) {
  const { session, searchParams, view, overview, proofs, connections, now } = props
  if (connections.length === 0) return <PageHeader title="Overview" scope="No account connected yet" />
  const { scope } = view
  const isOfScope = ({ id }: ConnectionSummary) => scope.connections.length === 0 || scope.connections.includes(id)
  const accounts = connections.filter(isOfScope)
  const invoiceCount = proofs.scoped.currencies.reduce((count, { invoices }) => count + invoices.count, 0)
  const ownProfiles = overview.profiles.filter(
    ({ connectionId }) => scope.connections.length === 0 || scope.connections.includes(connectionId),
  )
  const profiles = new Map(ownProfiles.map(({ id, name }) => [id, name ?? id]))
  return (
    <>
      <PageHeader
        title="Overview"
        scope={
          <>
            {plural(accounts.length, 'account')} · {!isOfLinesOnly(scope) && <>{plural(invoiceCount, 'invoice')} · </>}
            {plural(overview.lineCount, 'line')}
            <Freshness syncedAt={accounts.map((connection) => connection.lastGoodSyncAt)} now={now} />
          </>
        }
      />
      <DeskScope
        path="/"
        session={session}
        searchParams={searchParams}
        accounts={connections.map((connection) => ({ id: connection.id, name: toAccountName(connection) }))}
        profiles={[...profiles].map(([id, name]) => ({ id, name }))}
        currencies={proofs.tieOut.currencies.map(({ currency }) => currency)}
      >
        <ScopeWords view={view} />
      </DeskScope>
    </>
  )
}

function ScopeWords({ view }: { view: OverviewView }) {
  const { from, to, dateField } = view.scope
  if (from === null || to === null) return null
  return (
    <p className="text-[12px] text-ink3">
      {dateField === 'issued' ? 'Invoices and lines issued' : 'Lines with expenses'} {formatDay(from)} to{' '}
      {formatDay(to)}
      {view.isWidened && `: invoices are counted by month, so this page shows all of ${describeTime(view)}`}
    </p>
  )
}
