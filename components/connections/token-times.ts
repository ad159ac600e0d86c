import { KEEP_ALIVE_DAYS } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { isConnected } from '#lib/connections/states.ts'

const DAY = 86_400_000

/**
 * When an idle connection's tokens are refreshed at the latest; a sync may refresh them earlier.
 * Null without tokens and once they have expired. ISO 8601 in UTC; `now` in milliseconds.
 */
export function toLatestRefresh(connection: ConnectionSummary, now: number): string | null {
  const { refreshObtainedAt, refreshExpiresAt } = connection
  if (!isConnected(connection) || refreshObtainedAt === null || refreshExpiresAt === null) return null
  if (Date.parse(refreshExpiresAt) <= now) return null
  const bornAt = Date.parse(refreshObtainedAt)
  const ages = [...KEEP_ALIVE_DAYS, Math.ceil((now - bornAt) / DAY)].map((days) => bornAt + days * DAY)
  const next = ages.find((at) => at > now)
  return next === undefined ? null : new Date(next).toISOString()
}
