import type { ConnectionSummary } from '#lib/connections/model.ts'

/**
 * What every part of the page is about; each reads what else it shows. `now` is in milliseconds.
 */
export type ConnectionPart = { organizationId: string; connection: ConnectionSummary; now: number; isAdmin: boolean }
