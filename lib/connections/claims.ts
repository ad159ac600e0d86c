import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
/**
 * What one worker has taken in hand: it is the only one while `fence` is the current one of its
 * row.
 */

/** A consent that is to be checked. */
export type ClaimedCandidate = {
  organizationId: OrganizationId
  connectionId: ConnectionId
  sealedFor: string
  generation: number
  sealedTokens: string
  attempts: number
  isExpired: boolean
  fence: string
}

/** A wish to disconnect. */
export type ClaimedDisconnect = {
  organizationId: OrganizationId
  id: string
  connectionId: ConnectionId
  dataChoice: 'keep' | 'delete'
  outcome: string | null
  attempts: number
  fence: string
}
