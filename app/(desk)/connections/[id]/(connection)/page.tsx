import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { describeConcern } from '../../../../../components/connections/concern-words.ts'
import { ConnectionFacts, ProfileList, ScopeList } from '../../../../../components/connections/connection-facts.tsx'
import { isBusy, toAccountName, toStateText } from '../../../../../components/connections/connection-state.ts'
import { DisconnectDialog } from '../../../../../components/connections/disconnect-dialog.client.tsx'
import { FollowConnection } from '../../../../../components/connections/follow-connection.client.tsx'
import { DecidedLossNote, HeldLoss } from '../../../../../components/connections/held-loss.tsx'
import { HistoryList } from '../../../../../components/connections/history-list.tsx'
import { OtherAccountPanel } from '../../../../../components/connections/other-account-panel.tsx'
import { OutcomeBanner } from '../../../../../components/connections/outcome-banner.tsx'
import { HostBanner, HostList } from '../../../../../components/connections/platform-hosts.tsx'
import { toPlatformName } from '../../../../../components/connections/platform-name.ts'
import { RunList } from '../../../../../components/connections/run-list.tsx'
import { SyncPanel } from '../../../../../components/connections/sync-panel.client.tsx'
import { PageHeader } from '../../../../../components/frame/page-header.tsx'
import { Banner } from '../../../../../components/primitives/banner.tsx'
import { buttonClass } from '../../../../../components/primitives/button.ts'
import { Mark } from '../../../../../components/primitives/mark.tsx'
import { toAddress } from '../../../../../components/query/list-address.ts'
import { connectionPage } from '../../../../../lib/auth/desk-page.ts'
import { hasRole } from '../../../../../lib/auth/model.ts'
import { type ConcernCode, listConcerns } from '../../../../../lib/connections/concerns.ts'
import { toConnectOutcome } from '../../../../../lib/connections/connect-outcomes.ts'
import { listRuns } from '../../../../../lib/connections/connection-rows.ts'
import { listEvents } from '../../../../../lib/connections/history.ts'
import { isConnected } from '../../../../../lib/connections/states.ts'
import { getSyncActivity } from '../../../../../lib/connections/sync-activity.ts'
import { settings } from '../../../../../lib/env.ts'
import { readValue } from '../../../../../lib/ledger/search-params.ts'
import { isUnderWay } from '../../../../../lib/reconcile/sync-run.ts'
import { getOpenLoss } from '../../../../../lib/sync/decide-loss.ts'
import { countBadAnswers } from '../../../../../lib/sync/list-bad-answers.ts'
import { listDecidedLosses } from '../../../../../lib/sync/list-losses.ts'
import type { HostState } from '../../../../../lib/sync/model.ts'
import { listPartnerHosts } from '../../../../../lib/sync/partner-host.ts'

export const metadata: Metadata = { title: 'Connection' }

const EVENTS_PER_PAGE = 25
const DAY_MS = 86_400_000
/** Concerns that a panel of the page says in full. */
const PANELS: ConcernCode[] = ['other_account', 'loss_held', 'sync_put_off']
const SUBPAGES = [
  { name: 'coverage', label: 'Coverage', isForAdmins: false },
  { name: 'drift', label: 'Interface', isForAdmins: true },
  { name: 'answers', label: 'Bad answers', isForAdmins: true },
  { name: 'scim', label: 'SCIM discovery', isForAdmins: false },
]

export default connectionPage({ path: '/connections/[id]', role: 'viewer' }, async (visit) => {
  const { session, connection, searchParams } = visit
  const { id } = connection
  const path = `/connections/${id}`
  const before = readValue(searchParams, 'before')
  const isAdmin = hasRole(session.role, 'admin')
  const [history, runs, loss, activity, hosts] = await Promise.all([
    listEvents(session.organizationId, id, {
      limit: EVENTS_PER_PAGE,
      before: /^\d{1,18}$/.test(before ?? '') ? before : null,
    }),
    listRuns(session.organizationId, id, 8),
    getOpenLoss(session.organizationId, id),
    getSyncActivity(session.organizationId, id),
    listOwnHosts(),
  ])
  const runIds = runs.map((run) => run.id)
  const [losses, badAnswers] = await Promise.all([
    listDecidedLosses(session.organizationId, runIds),
    isAdmin ? countBadAnswers(session.organizationId, runIds) : null,
  ])
  const now = Date.now()
  const platform = toPlatformName(settings().partner?.name)
  const name = toAccountName(connection)
  const { state, candidate, dataDeletedAt } = connection
  const { mark, text, detail } = toStateText(connection)
  const outcome = toConnectOutcome(readValue(searchParams, 'connect'))
  const isOther = candidate?.status === 'other_account'
  const concerns = listConcerns(connection, now).filter(({ code }) => !PANELS.includes(code))
  const isLinked = isConnected(connection)
  const [decided] = losses.filter(({ decidedAt }) => now - Date.parse(decidedAt) < DAY_MS)
  return (
    <>
      {isBusy(connection) && !(isLinked && isUnderWay(connection.run)) && <FollowConnection />}
      <div className="flex shrink-0 items-start max-md:flex-col">
        <div className="min-w-0 flex-1 max-md:w-full">
          <PageHeader
            parent={{ href: '/connections', name: 'Connections' }}
            title={<bdi dir="auto">{name}</bdi>}
            scope={
              <span className="inline-flex flex-wrap items-baseline gap-x-2">
                <Mark kind={mark} />
                <span>
                  {text}
                  {detail && `: ${detail}`}
                </span>
                {SUBPAGES.filter(({ isForAdmins }) => isAdmin || !isForAdmins).map(({ name, label }) => (
                  <Link key={name} href={`${path}/${name}`} className="text-accent hover:underline">
                    {label}
                  </Link>
                ))}
              </span>
            }
          />
        </div>
        <div className="flex shrink-0 flex-wrap items-center gap-2 px-5 pt-4 max-md:px-4 max-md:pt-0 max-md:pb-3 print:hidden">
          {isAdmin && state !== 'disconnecting' && (
            <form method="post" action="/api/connections/connect">
              <input type="hidden" name="connection" value={connection.id} />
              <button
                type="submit"
                className={buttonClass({
                  look: state === 'needs_reconnect' || state === 'disconnected' ? 'primary' : 'plain',
                })}
              >
                Reconnect
              </button>
            </form>
          )}
          {isAdmin && state !== 'disconnecting' && state !== 'disconnected' && (
            <DisconnectDialog
              connectionId={connection.id}
              name={name}
              platform={platform}
              lineCount={connection.lineCount}
              invoiceCount={connection.invoiceCount}
              isOpenAtFirst={readValue(searchParams, 'ask') === 'disconnect'}
            />
          )}
        </div>
      </div>
      <div className="list-body flex min-h-0 flex-1 flex-col overflow-y-auto pb-8 max-md:overflow-visible">
        {outcome && state === 'pending' && <OutcomeBanner outcome={outcome} canConnect={isAdmin} connectionId={id} />}
        {isOther && (
          <OtherAccountPanel
            connectionId={connection.id}
            name={name}
            candidate={candidate}
            canConnect={isAdmin}
            now={now}
          />
        )}
        {loss && <HeldLoss connectionId={connection.id} loss={loss} canDecide={isAdmin} now={now} />}
        {!loss && decided && <DecidedLossNote loss={decided} now={now} />}
        {hosts.map((host) => (
          <HostBanner key={host.host} host={host} now={now} />
        ))}
        {concerns.map((concern) => (
          <Banner key={concern.code} tone={concern.tone} className="border-t">
            {describeConcern(concern, connection, now).text}
          </Banner>
        ))}
        {state === 'disconnected' && (
          <Banner tone="plain" className="border-t">
            {dataDeletedAt === null ? 'Its data is kept and counts in every total. ' : 'Its data was deleted. '}
            To connect it again, the customer first enables the integration in the marketplace of {platform}; then
            reconnect it here.
          </Banner>
        )}
        {isLinked && activity && (
          <SyncPanel
            connectionId={connection.id}
            name={name}
            activity={activity}
            nextSyncAt={connection.nextSyncAt}
            canSync={hasRole(session.role, 'finance')}
          />
        )}
        <ConnectionFacts connection={connection} now={now} canSchedule={isAdmin && isLinked} />
        <div className="grid gap-x-10 gap-y-6 px-5 pt-5 max-md:px-4 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-6">
            <Section title="History">
              <HistoryList events={history.events} now={now} />
              <p className="flex gap-4 pt-2 text-[13px]">
                {before !== null && (
                  <Link href={path} className="text-accent hover:underline">
                    Newest
                  </Link>
                )}
                {history.hasMore && (
                  <Link
                    href={toAddress(path, `before=${history.events.at(-1)?.number}`)}
                    className="text-accent hover:underline"
                  >
                    Older
                  </Link>
                )}
              </p>
            </Section>
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <Section title="Syncs">
              <RunList connectionId={connection.id} runs={runs} losses={losses} badAnswers={badAnswers} now={now} />
            </Section>
            <Section title="Platform">
              <HostList hosts={hosts} now={now} />
            </Section>
            <Section title="Scopes">
              <ScopeList connection={connection} />
            </Section>
            <Section title="Profiles of the account">
              <ProfileList profiles={connection.profiles} />
            </Section>
          </div>
        </div>
      </div>
    </>
  )
})

/** The host that connections are read from; others are of earlier configurations. */
async function listOwnHosts(): Promise<HostState[]> {
  const { partner } = settings()
  if (partner === null) return []
  const { host } = new URL(partner.baseUrl)
  return (await listPartnerHosts()).filter((each) => each.host === host)
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = title.toLowerCase().replaceAll(' ', '-')
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="mb-1 font-semibold text-[14px]">
        {title}
      </h2>
      {children}
    </section>
  )
}
