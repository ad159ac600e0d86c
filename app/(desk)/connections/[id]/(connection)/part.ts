import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** What all parts of the page share; each reads the rest itself. `now` is in milliseconds. */
export type ConnectionPart = {
  organizationId: OrganizationId
  connection: ConnectionSummary
  now: number
  isAdmin: boolean
  /** May see failed answers and the interface's changes. */
  seesEvidence: boolean
}
