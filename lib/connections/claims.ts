import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
/** Work that one worker has claimed, and may do while the row's `fence` is the one it has. */

/** A consent to check. */
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
