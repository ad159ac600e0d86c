import { REQUEST_KINDS } from '#lib/auth/limits/request-kinds.ts'
import { beginSharingCounts } from '#lib/auth/limits/share-counts.ts'
import { beginFollowingKeys } from '#lib/connections/tokens/key-ring.ts'
import { warmRecords } from '#lib/db/records.ts'
import { limitStatements } from '#lib/db/tenant.ts'
import { settings } from '#lib/env.ts'
import { noteStopSignals } from '#lib/http/stopping.ts'
import { log } from '#lib/log.ts'

/**
 * Next.js calls this once, before the web server answers its first request. Nobody waits longer for
 * a page, and a runaway statement holds one of the few connections; routes have limits of their own
 * kind (lib/auth/doors/api-route.ts).
 */
export async function register(): Promise<void> {
  noteStopSignals()
  limitStatements(REQUEST_KINDS.page.statementMs)
  beginFollowingKeys()
  beginSharingCounts()
  // in the background: an earlier request loads it itself
  warmRecords().catch((thrown: unknown) => log.warn({ reason: String(thrown) }, 'Prisma Client could not be loaded'))
  const { host, webPort } = settings().metrics
  // loaded only where somebody asks for metrics
  if (webPort !== null) await (await import('#lib/metrics/web-metrics.ts')).serveWebMetrics({ host, port: webPort })
}
