import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { toAccountName } from '#components/connections/connection-state.ts'
import type { FilterOptions } from '#components/filters/filter-fields.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { BridgeMoment } from '#components/history/moments/bridge-moment.tsx'
import { toMomentAddress } from '#components/history/moments/moment-address.ts'
import { MomentChooser } from '#components/history/moments/moment-chooser.tsx'
import { MomentLines } from '#components/history/moments/moment-lines.tsx'
import { MomentTable } from '#components/history/moments/moment-table.tsx'
import { describeMomentScope } from '#components/history/moments/moment-words.ts'
import { Freshness } from '#components/text/freshness.tsx'
import { listConnections } from '#lib/connections/life/list-connections.ts'
import { listSignedMoments } from '#lib/ledger/close/list-signed-moments.ts'
import { readMoments } from '#lib/ledger/history/moments.ts'
import { parseMomentQuery } from '#lib/ledger/query/moments/moment-query.ts'
import { currentFormats } from '#lib/reconcile/formats.ts'
import { toInstant, toWallText } from '#lib/reconcile/moments/wall-time.ts'
import { deskPage } from '../../desk-page.tsx'
import { readFilterOptions } from '../../read-filter-options.ts'

/** Names of what scopes know by its id. */
function toNames(choices: FilterOptions['profiles']): Map<string, string> {
  return new Map(choices.map(({ value, name }) => [value ?? '', name ?? value ?? '']))
}

export const metadata: Metadata = { title: 'Bridge' }

export default deskPage({ path: '/changes/bridge', may: 'read' }, async ({ session, searchParams }) => {
  const { timeZone } = currentFormats()
  const now = Date.now()
  const asked = parseMomentQuery(searchParams, { timeZone, foldsNames: session.foldsNames })
  const from = asked.from ?? (toInstant(`${toWallText(now, timeZone).slice(0, 8)}01`, timeZone) as string)
  const query = { ...asked, from }
  // what stands in the address is what anybody else sees who gets it
  if (searchParams.from !== from || (searchParams.to ?? 'now') !== (query.to ?? 'now')) redirect(toMomentAddress(query))
  const [list, signed, connections, options] = await Promise.all([
    readMoments(session.organizationId, query),
    listSignedMoments(session.organizationId, query.scope),
    listConnections(session.organizationId),
    readFilterOptions(session, query.scope.trips),
  ])
  const accounts = new Map(connections.map((connection) => [connection.id as string, toAccountName(connection)]))
  const profiles = toNames(options.profiles)
  const words = describeMomentScope(query.scope, { connections: accounts, profiles, trips: toNames(options.trips) })
  return (
    <>
      <PageHeader
        parent={{ href: '/changes', name: 'Changes' }}
        title="Bridge"
        scope={
          <>
            <bdi>{words.length === 0 ? 'All lines' : words.join(' · ')}</bdi> · from <BridgeMoment at={from} /> to{' '}
            {query.to === null ? 'now' : <BridgeMoment at={query.to} />}
            <Freshness syncedAt={connections.map((connection) => connection.lastGoodSyncAt)} now={now} />
          </>
        }
      />
      <MomentChooser query={query} signed={signed} now={now} />
      {list.bridges.length > 0 && <MomentTable bridges={list.bridges} query={query} />}
      <MomentLines list={list} query={query} profiles={profiles} withConnection={connections.length > 1} />
    </>
  )
})
