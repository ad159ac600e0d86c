import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { OrganizationId } from '#lib/ids.ts'

/**
 * What every part of the page is about; each reads what else it shows. `now` is in milliseconds.
 */
export type ConnectionPart = {
  organizationId: OrganizationId
  connection: ConnectionSummary
  now: number
  isAdmin: boolean
}
