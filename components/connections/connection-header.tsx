import { PageHeader } from '#components/frame/page-header.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Mark } from '#components/primitives/mark.tsx'
import { Link } from '#components/query/link.client.tsx'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { LineTotal } from '#lib/ledger/model.ts'
import { toAccountName, toStateText } from './connection-state.ts'
import { DisconnectDialog } from './disconnect-dialog.client.tsx'

const SUBPAGES = [
  { name: 'coverage', label: 'Coverage', isEvidence: false },
  { name: 'drift', label: 'Interface', isEvidence: true },
  { name: 'answers', label: 'Failed API calls', isEvidence: true },
  { name: 'scim', label: 'SCIM discovery', isEvidence: false },
]

type ConnectionHeaderProps = {
  connection: ConnectionSummary
  platform: string
  isAdmin: boolean
  seesEvidence: boolean
  /** The address asks to disconnect, so the dialog starts open. */
  isAskedToDisconnect: boolean
  /** What was typed instead of the account's name to disconnect it. */
  mistyped: string | null
  /** What its lines come to, per currency. */
  totals: LineTotal[]
}

/** A connection's name, state and sub-pages; admins can also reconnect or disconnect it. */
export function ConnectionHeader({
  connection,
  platform,
  isAdmin,
  seesEvidence,
  isAskedToDisconnect,
  mistyped,
  totals,
}: ConnectionHeaderProps) {
  const { state } = connection
  const name = toAccountName(connection)
  const { mark, text, detail } = toStateText(connection)
  return (
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
              {SUBPAGES.filter(({ isEvidence }) => seesEvidence || !isEvidence).map(({ name: subpage, label }) => (
                <Link
                  key={subpage}
                  href={`/connections/${connection.id}/${subpage}`}
                  className="small-target text-accent"
                >
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
            totals={totals}
            isOpenAtFirst={isAskedToDisconnect}
            mistyped={mistyped}
          />
        )}
      </div>
    </div>
  )
}
