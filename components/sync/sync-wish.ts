import { toAccountName } from '#components/connections/connection-state.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'

/** Requests a sync. Null when it was accepted; otherwise why not, in words. */
export async function wishSync(connection: ConnectionSummary): Promise<string | null> {
  const answer = await readAnswer(`/api/connections/${connection.id}/sync`, undefined, { method: 'POST' })
  if (answer.status === 'ready') return null
  if (answer.status === 'missing') return 'This connection is no longer there. Reload the page.'
  return `${toAccountName(connection)} was not synced. ${answer.text}${answer.reference ? ` Reference ${answer.reference}.` : ''}`
}
