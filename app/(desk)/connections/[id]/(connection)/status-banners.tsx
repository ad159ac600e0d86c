import { describeConcern } from '#components/connections/concern-words.ts'
import { Banner } from '#components/primitives/banner.tsx'
import { AcceptedLossNote, DecidedLossNote, HeldLoss } from '#components/sync/held-loss.tsx'
import { HostBanner } from '#components/sync/platform-hosts.tsx'
import { type ConcernCode, listConcerns } from '#lib/connections/concerns.ts'
import { getOpenLoss } from '#lib/sync/losses/decide-loss.ts'
import { listAcceptedLosses } from '#lib/sync/losses/take-back-loss.ts'
import type { ConnectionPart } from './part.ts'
import { readOwnHosts, readRuns } from './read-parts.ts'

const DAY_MS = 86_400_000
/** Concerns that have their own panel on the page. */
const PANELS: ConcernCode[] = ['other_account', 'loss_held', 'sync_put_off']

/** What needs attention or a decision first: a loss, a failing platform, and every concern. */
export async function StatusBanners({
  organizationId,
  connection,
  now,
  isAdmin,
  platform,
}: ConnectionPart & { platform: string }) {
  const [loss, { losses }, hosts, accepted] = await Promise.all([
    getOpenLoss(organizationId, connection.id),
    readRuns(organizationId, connection.id),
    readOwnHosts(),
    listAcceptedLosses(organizationId, connection.id),
  ])
  const [decided] = losses.filter(({ decidedAt }) => now - Date.parse(decidedAt) < DAY_MS)
  const concerns = listConcerns(connection, now).filter(({ code }) => !PANELS.includes(code))
  const { state, dataDeletedAt } = connection
  return (
    <>
      {loss && <HeldLoss connectionId={connection.id} loss={loss} canDecide={isAdmin} now={now} />}
      {!loss && decided && <DecidedLossNote loss={decided} now={now} />}
      {accepted.map((each) => (
        <AcceptedLossNote key={each.runId} connectionId={connection.id} loss={each} canDecide={isAdmin} now={now} />
      ))}
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
    </>
  )
}
