import type { Actor } from '#lib/audit/model.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import { decideLoss, type LossOutcome } from '../losses/decide-loss.ts'
import { previewLoss } from '../losses/preview-loss.ts'

/** Accepts a held loss as it is now, as an admin does who has looked at it. */
export async function acceptLoss(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: RunId,
  actor: Actor,
): Promise<LossOutcome> {
  const figures = await previewLoss(organizationId, connectionId, runId)
  const seen = { set: figures?.set.hash ?? '', typed: figures?.set.lineCount ?? null }
  return decideLoss(organizationId, connectionId, runId, { decision: 'accepted', ...seen, actor })
}
