import { HistoryList } from '#components/connections/history-list.tsx'
import { Section } from '#components/connections/section.tsx'
import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { listEvents } from '#lib/connections/events/history.ts'
import type { ConnectionPart } from './part.ts'

const EVENTS_PER_PAGE = 25

/** The connection's events, newest first; `before` (an event's number) pages to older ones. */
export async function HistorySection({
  organizationId,
  connection,
  now,
  before,
}: ConnectionPart & { before?: string }) {
  const path = `/connections/${connection.id}`
  const { events, hasMore } = await listEvents(organizationId, connection.id, {
    limit: EVENTS_PER_PAGE,
    before: before !== undefined && /^\d{1,18}$/.test(before) ? before : null,
  })
  return (
    <Section title="History">
      <HistoryList events={events} now={now} />
      <p className="flex gap-4 pt-2 text-[13px]">
        {before !== undefined && (
          <Link href={path} className="text-accent hover:underline">
            Newest
          </Link>
        )}
        {hasMore && (
          <Link href={toAddress(path, `before=${events.at(-1)?.number}`)} className="text-accent hover:underline">
            Older
          </Link>
        )}
      </p>
    </Section>
  )
}
