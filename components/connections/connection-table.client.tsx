'use client'

import Link from 'next/link'
import { useState } from 'react'
import type { ConnectionSummary } from '../../lib/connections/model.ts'
import { DEFAULT_LINE_QUERY, writeLineQuery } from '../../lib/ledger/line-query.ts'
import { formatCount } from '../../lib/reconcile/format.ts'
import { classNames } from '../class-names.ts'
import { Banner } from '../primitives/banner.tsx'
import { buttonClass } from '../primitives/button.ts'
import { ScrollBox } from '../primitives/scroll-box.tsx'
import { toAddress } from '../query/list-address.ts'
import { readAnswer } from '../query/read-answer.ts'
import { plural } from '../text/plural.ts'
import { RelativeTime } from '../text/relative-time.client.tsx'
import { Unknown } from '../text/upstream-text.tsx'
import { isUnderWay, toAccountName } from './connection-state.ts'
import { ConnectionStateCell } from './connection-state-cell.tsx'
import { useLiveConnections } from './live-connections.client.tsx'

type ConnectionTableProps = {
  connections: ConnectionSummary[]
  /** The server's clock in milliseconds. */
  now: number
  canSync: boolean
  canConnect: boolean
}

const SOON_MS = 7 * 86_400_000
const CELL = 'cell h-11 max-md:h-auto max-md:border-0 max-md:p-0! max-md:whitespace-normal'

/** The connected accounts: how each is, what it holds, and what can be done about it. */
export function ConnectionTable({ connections: drawn, now, canSync, canConnect }: ConnectionTableProps) {
  const { connections, isStale, look } = useLiveConnections(drawn)
  const [failure, setFailure] = useState<string | null>(null)

  const sync = async (connection: ConnectionSummary) => {
    setFailure(null)
    const answer = await readAnswer(`/api/connections/${connection.id}/sync`, undefined, { method: 'POST' })
    if (answer.status === 'ready') look()
    else
      setFailure(
        answer.status === 'failed'
          ? `${toAccountName(connection)} was not synced. ${answer.text}${answer.reference ? ` Reference ${answer.reference}.` : ''}`
          : 'This connection is no longer there. Reload the page.',
      )
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col border-t max-md:flex-none">
      {failure !== null && (
        <Banner tone="bad" className="border-b">
          {failure}
        </Banner>
      )}
      {isStale && (
        <Banner tone="warn" className="border-b">
          The server does not answer; the progress below may be old. Asking again each second.
        </Banner>
      )}
      <ScrollBox
        label="Connections"
        className="list-body min-h-0 flex-1 overflow-auto -outline-offset-2 max-md:overflow-visible"
      >
        <table className="w-full border-separate border-spacing-0 text-[13px] tabular-nums max-md:block md:min-w-[920px]">
          <thead className="max-md:sr-only">
            <tr>
              {['Account', 'State', 'Lines held', 'Rejected', 'Last good sync', 'Link ends unless used'].map((name) => (
                <th key={name} scope="col" className={classNames('cell-head', name === 'Rejected' && 'text-right')}>
                  {name}
                </th>
              ))}
              <th scope="col" className="cell-head">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody className="max-md:block">
            {connections.map((connection) => (
              <tr
                key={connection.id}
                className="hover:bg-hover max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3 max-md:gap-y-1 max-md:border-b max-md:px-4 max-md:py-2.5"
              >
                <td className={classNames(CELL, 'max-w-60 max-md:w-full max-md:max-w-none')}>
                  <AccountName connection={connection} />
                </td>
                <td className={classNames(CELL, 'w-[34%] max-md:w-full')}>
                  <ConnectionStateCell connection={connection} />
                </td>
                <td className={CELL}>
                  <Link
                    href={toAddress('/lines', writeLineQuery({ ...DEFAULT_LINE_QUERY, connections: [connection.id] }))}
                    className="hover:underline"
                  >
                    {formatCount(connection.lineCount)}
                    <span className="md:sr-only"> lines</span>
                  </Link>
                  <Link
                    href={`/connections/${connection.id}/coverage`}
                    aria-label={`Coverage of ${toAccountName(connection)}`}
                    className="ml-3 text-accent hover:underline"
                  >
                    coverage
                  </Link>
                </td>
                <td className={classNames(CELL, 'text-right', connection.rejectedCount === 0 && 'max-md:hidden')}>
                  {connection.rejectedCount > 0 && (
                    <Link href="/rejected" className="text-accent hover:underline">
                      {formatCount(connection.rejectedCount)}
                      <span className="md:sr-only"> rejected</span>
                    </Link>
                  )}
                </td>
                <td className={classNames(CELL, 'max-md:text-ink2')}>
                  {connection.lastGoodSyncAt === null ? (
                    <span className="text-ink3">not yet</span>
                  ) : (
                    <>
                      <span className="md:hidden">synced </span>
                      <RelativeTime at={connection.lastGoodSyncAt} now={now} />
                    </>
                  )}
                </td>
                <td className={classNames(CELL, 'max-md:hidden')}>
                  <LinkEnd at={connection.refreshExpiresAt} now={now} />
                </td>
                <td className={classNames(CELL, 'text-right max-md:ml-auto')}>
                  <Action connection={connection} canSync={canSync} canConnect={canConnect} onSync={sync} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  )
}

function AccountName({ connection }: { connection: ConnectionSummary }) {
  const others = connection.profiles.length - 1
  return (
    <span className="flex gap-1.5" title={connection.profiles.map((profile) => profile.name ?? profile.id).join('\n')}>
      <bdi dir="auto" className="truncate font-medium">
        {toAccountName(connection)}
      </bdi>
      {others > 0 && <span className="shrink-0 text-ink3">+{plural(others, 'profile')}</span>}
    </span>
  )
}

function LinkEnd({ at, now }: { at: string | null; now: number }) {
  if (at === null) return <Unknown label="no link" />
  return (
    <span className={Date.parse(at) - now < SOON_MS ? 'text-warn' : undefined}>
      <RelativeTime at={at} now={now} />
    </span>
  )
}

type ActionProps = {
  connection: ConnectionSummary
  canSync: boolean
  canConnect: boolean
  onSync: (connection: ConnectionSummary) => Promise<void>
}

function Action({ connection, canSync, canConnect, onSync }: ActionProps) {
  const [isAsking, setAsking] = useState(false)
  if (connection.state === 'needs_reconnect' || connection.state === 'disconnected')
    return canConnect ? (
      <form method="post" action="/api/connections/connect">
        <input type="hidden" name="connection" value={connection.id} />
        <button type="submit" className={buttonClass({ look: 'primary' })}>
          Reconnect
        </button>
      </form>
    ) : null
  if (!canSync || connection.state === 'pending' || connection.state === 'disconnecting') return null
  const isBusy = isUnderWay(connection.run) || isAsking
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      aria-label={`Sync now: ${toAccountName(connection)}`}
      onClick={async () => {
        if (isBusy) return
        setAsking(true)
        await onSync(connection)
        setAsking(false)
      }}
      className={buttonClass()}
    >
      Sync now
    </button>
  )
}
