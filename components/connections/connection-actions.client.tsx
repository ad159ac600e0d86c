'use client'

import { MoreHorizontal } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRef, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { isConnected } from '#lib/connections/states.ts'
import { isUnderWay } from '#lib/reconcile/sync-run.ts'
import { toAccountName } from './connection-state.ts'

export type ConnectionRights = { canSync: boolean; canConnect: boolean }

type ActionsProps = ConnectionRights & {
  connection: ConnectionSummary
  onSync: (connection: ConnectionSummary) => Promise<void>
}

const ITEM =
  'flex h-8 select-none items-center rounded-md px-2 outline-none data-highlighted:bg-hover data-highlighted:text-ink'

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
      <DropdownMenu.Root>
        <DropdownMenu.Trigger
          aria-label={`More about ${name}`}
          title="More"
          className={buttonClass({ look: 'quiet', size: 'icon' })}
        >
          <MoreHorizontal size={16} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="end"
            sideOffset={4}
            collisionPadding={8}
            className="z-40 w-44 rounded-lg border border-line2 bg-bg p-1 text-[13px] text-ink2 shadow-[0_8px_30px_var(--lift)]"
          >
            <DropdownMenu.Item asChild className={ITEM}>
              <Link href={`/connections/${id}`}>Details and history</Link>
            </DropdownMenu.Item>
            <DropdownMenu.Item asChild className={ITEM}>
              <Link href={`/connections/${id}/scim`}>SCIM discovery</Link>
            </DropdownMenu.Item>
            <DropdownMenu.Item asChild className={ITEM}>
              <Link href={`/connections/${id}/coverage`}>Coverage</Link>
            </DropdownMenu.Item>
            <DropdownMenu.Item asChild className={ITEM}>
              <Link href={`/connections/${id}/drift`}>Interface</Link>
            </DropdownMenu.Item>
            {canReconnect && (
              <DropdownMenu.Item className={ITEM} onSelect={() => form.current?.requestSubmit()}>
                Reconnect
              </DropdownMenu.Item>
            )}
            {canDisconnect && (
              <DropdownMenu.Item asChild className={`${ITEM} text-bad`}>
                <Link href={`/connections/${id}?ask=disconnect`}>Disconnect…</Link>
              </DropdownMenu.Item>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
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
