'use client'

import { useRef, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Ellipsis } from '#components/primitives/icons.tsx'
import { Menu } from '#components/primitives/menu.client.tsx'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { isConnected } from '#lib/connections/states.ts'
import { isUnderWay } from '#lib/reconcile/sync-run.ts'
import { toAccountName } from './connection-state.ts'

export type ConnectionRights = { canSync: boolean; canConnect: boolean }

type ActionsProps = ConnectionRights & {
  connection: ConnectionSummary
  onSync: (connection: ConnectionSummary) => Promise<void>
}

/** The connection's main action, and a menu with the others. */
export function ConnectionActions({ connection, canSync, canConnect, onSync }: ActionsProps) {
  const form = useRef<HTMLFormElement>(null)
  const name = toAccountName(connection)
  const { id, state } = connection
  const canReconnect = canConnect && state !== 'disconnecting'
  const isDown = state === 'needs_reconnect' || state === 'disconnected'
  const canDisconnect = canConnect && state !== 'disconnecting' && state !== 'disconnected'
  return (
    <div className="flex items-center justify-end gap-1.5">
      {canReconnect && (
        <form ref={form} method="post" action="/api/connections/connect" className={isDown ? '' : 'hidden'}>
          <input type="hidden" name="connection" value={id} />
          <button type="submit" aria-label={`Reconnect: ${name}`} className={buttonClass()}>
            Reconnect
          </button>
        </form>
      )}
      {canSync && isConnected(connection) && <SyncButton connection={connection} onSync={onSync} />}
      <Menu
        label={`More about ${name}`}
        width={176}
        trigger={
          <button
            type="button"
            aria-label={`More about ${name}`}
            title="More"
            className={buttonClass({ look: 'quiet', size: 'icon' })}
          >
            <Ellipsis size={16} />
          </button>
        }
        items={[
          { label: 'Details and history', href: `/connections/${id}` },
          { label: 'SCIM discovery', href: `/connections/${id}/scim` },
          { label: 'Coverage', href: `/connections/${id}/coverage` },
          { label: 'Interface', href: `/connections/${id}/drift` },
          ...(canReconnect ? [{ label: 'Reconnect', choose: () => form.current?.requestSubmit() }] : []),
          ...(canDisconnect
            ? [{ label: 'Disconnect…', href: `/connections/${id}?ask=disconnect`, className: 'text-bad' }]
            : []),
        ]}
      />
    </div>
  )
}

/** "Sync now". During a sync it stays in place, disabled. */
function SyncButton({ connection, onSync }: Pick<ActionsProps, 'connection' | 'onSync'>) {
  const [isAsking, setAsking] = useState(false)
  const isBusy = isUnderWay(connection.run) || isAsking
  return (
    <button
      type="button"
      data-verb={`Sync ${toAccountName(connection)} now`}
      aria-disabled={isBusy}
      title={`Read ${toAccountName(connection)} again`}
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
