import type { ReactNode } from 'react'
import { Mark } from '#components/primitives/mark.tsx'
import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import { Unknown, UpstreamText } from '#components/text/upstream-text.tsx'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { DEFAULT_LINE_QUERY, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { compareScopes } from './connection-state.ts'
import { AccessCell, LinkCell, RefreshCell } from './list/connection-cells.tsx'

type ConnectionFactsProps = { connection: ConnectionSummary; now: number }

export function ConnectionFacts({ connection, now }: ConnectionFactsProps) {
  const { lastGoodSyncAt, connectedAt, connectedBy, lineCount, goneLineCount, invoiceCount, rejectedCount, id } =
    connection
  return (
    <dl className="grid shrink-0 grid-cols-[repeat(auto-fill,minmax(156px,1fr))] border-y bg-panel text-[13px] max-md:grid-cols-2">
      <Fact name="Last good sync">
        {lastGoodSyncAt === null ? (
          <span className="text-ink3">not yet</span>
        ) : (
          <RelativeTime at={lastGoodSyncAt} now={now} />
        )}
      </Fact>
      <Fact name="Access token">
        <AccessCell connection={connection} now={now} />
      </Fact>
      <Fact name="Access valid until">
        <LinkCell connection={connection} now={now} />
      </Fact>
      <Fact name="Renews automatically">
        <RefreshCell connection={connection} now={now} />
      </Fact>
      <Fact name="Connected">
        {connectedAt === null ? (
          <span className="text-ink3">not yet</span>
        ) : (
          <RelativeTime at={connectedAt} now={now} />
        )}
        {connectedBy !== null && <div className="truncate text-[12px] text-ink3 leading-4">by {connectedBy}</div>}
      </Fact>
      <Fact name="Stored">
        <Link
          href={toAddress('/lines', writeLineQuery({ ...DEFAULT_LINE_QUERY, connections: [id] }))}
          className="hover:underline"
        >
          {plural(lineCount, 'line')}
        </Link>
        <div className="text-[12px] text-ink3 leading-4">
          {plural(invoiceCount, 'invoice')}
          {goneLineCount > 0 && ` · ${plural(goneLineCount, 'line')} removed by the platform`}
          {rejectedCount > 0 && (
            <>
              {' · '}
              <Link href="/rejected" className="text-accent underline underline-offset-2">
                {formatCount(rejectedCount)} not imported
              </Link>
            </>
          )}
        </div>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 px-5 py-2 max-md:px-4">
      <dt className="text-[12px] text-ink3 leading-4">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

/** Every scope asked for or granted, and where the two differ. */
export function ScopeList({ connection }: { connection: ConnectionSummary }) {
  const { scopesAsked, scopesGranted } = connection
  const { extra } = compareScopes(connection)
  return (
    <ul className="text-[13px]">
      {[...scopesAsked, ...extra].map((scope) => {
        const isGranted = scopesGranted.includes(scope)
        const isExtra = extra.includes(scope)
        return (
          <li key={scope} className="flex items-baseline gap-2 border-b py-1.5">
            <Mark kind={isGranted ? 'good' : 'partial'} />
            <code className="min-w-0 flex-1 truncate font-mono text-[12px]">{scope}</code>
            <span className={isGranted ? 'text-ink2' : 'text-warn'}>
              {isExtra ? 'granted, not requested' : isGranted ? 'requested and granted' : 'requested, not granted'}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** The profiles identify the account. */
export function ProfileList({ profiles }: Pick<ConnectionSummary, 'profiles'>) {
  if (profiles.length === 0) return <p className="py-1.5 text-[13px] text-ink3">None known yet.</p>
  return (
    <ul className="text-[13px]">
      {profiles.map(({ id, name, currency }) => (
        <li key={id} className="flex items-baseline gap-2 border-b py-1.5">
          <span className="min-w-0 flex-1">
            <UpstreamText text={name} />
            <code className="block font-mono text-[12px] text-ink3 leading-4 [overflow-wrap:anywhere]">{id}</code>
          </span>
          <span className="w-10 text-right text-ink2">{currency ?? <Unknown label="currency unknown" />}</span>
        </li>
      ))}
    </ul>
  )
}
