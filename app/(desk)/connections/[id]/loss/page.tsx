import type { Metadata } from 'next'
import { toAccountName } from '#components/connections/connection-state.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { Link } from '#components/query/link.client.tsx'
import { EmptyState } from '#components/states/empty-state.tsx'
import { LossPreview } from '#components/sync/loss-preview.tsx'
import { toLossCounts } from '#components/sync/loss-words.ts'
import { plural } from '#components/text/plural.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { readValue } from '#lib/ledger/query/search-params.ts'
import { formatDayOf } from '#lib/reconcile/moment.ts'
import { getOpenLoss } from '#lib/sync/losses/decide-loss.ts'
import { previewLoss } from '#lib/sync/losses/preview-loss.ts'
import { countToType, TAKE_BACK_DAYS } from '#lib/sync/model.ts'
import { connectionPage } from '../../../desk-page.tsx'

export const metadata: Metadata = { title: 'Accept a removal' }

const DAY_MS = 86_400_000

/** Everybody may look at what an admin would decide. */
export default connectionPage(
  { path: '/connections/[id]/loss', may: 'read' },
  async ({ session, connection, searchParams }) => {
    const { id } = connection
    const loss = await getOpenLoss(session.organizationId, id)
    const figures = loss && (await previewLoss(session.organizationId, id, loss.runId))
    const parent = { href: `/connections/${id}`, name: <bdi>{toAccountName(connection)}</bdi> }
    if (!loss || !figures || figures.set.lineCount + figures.set.invoiceCount === 0)
      return (
        <>
          <PageHeader parent={parent} title="Accept a removal" scope="Nothing waits for a decision" />
          <EmptyState
            title="Nothing to decide"
            action={
              <Link href={parent.href} className="text-accent hover:underline">
                Back to the connection
              </Link>
            }
          >
            When so much is missing on the platform that it may be an outage, it waits here for an admin.
          </EmptyState>
        </>
      )
    const { set } = figures
    return (
      <>
        <PageHeader
          parent={parent}
          title={`Accept removal of ${set.lineCount > 0 ? plural(set.lineCount, 'line') : plural(set.invoiceCount, 'invoice')}`}
          scope={`${toLossCounts(set.lineCount, set.invoiceCount)} are no longer on the platform. Nothing is changed yet. What is accepted stays stored and dated, and leaves lists, totals and exports.`}
        />
        <LossPreview
          connectionId={id}
          runId={loss.runId}
          figures={figures}
          toType={countToType(set)}
          refused={readRefusal(searchParams)}
          canDecide={isAllowed(session.role, 'decide-losses')}
          until={formatDayOf(Date.now() + TAKE_BACK_DAYS * DAY_MS)}
        />
      </>
    )
  },
)

/** As POST /api/connections/[id]/sync/loss sends a form back. */
function readRefusal(searchParams: Record<string, string | string[] | undefined>) {
  const typed = readValue(searchParams, 'typed')
  if (typed !== null) return { typed }
  const [, lines, invoices] = /^(\d{1,9})-(\d{1,9})$/.exec(readValue(searchParams, 'seen') ?? '') ?? []
  return lines === undefined || invoices === undefined
    ? null
    : { seen: { lines: Number(lines), invoices: Number(invoices) } }
}
