import { buttonClass } from '#components/primitives/button.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'

/** Ends a held loss without a change. */
export function KeepEverything({ connectionId, runId }: { connectionId: ConnectionId; runId: RunId }) {
  return (
    <form method="post" action={`/api/connections/${connectionId}/sync/loss`}>
      <input type="hidden" name="runId" value={runId} />
      <input type="hidden" name="decision" value="rejected" />
      <button type="submit" className={buttonClass()}>
        Keep everything
      </button>
    </form>
  )
}
