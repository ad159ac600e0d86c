'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { ConnectionSummary } from '../../lib/connections/model.ts'
import { SyncButton } from './connection-actions.client.tsx'
import { wishSync } from './sync-wish.ts'

/** "Sync now" on a connection's own page. */
export function SyncNow({ connection }: { connection: ConnectionSummary }) {
  const router = useRouter()
  const [failure, setFailure] = useState<string | null>(null)
  return (
    <>
      {failure !== null && (
        <p role="alert" className="max-w-80 text-[12px] text-bad">
          {failure}
        </p>
      )}
      <SyncButton
        connection={connection}
        onSync={async () => {
          setFailure(await wishSync(connection))
          router.refresh()
        }}
      />
    </>
  )
}
