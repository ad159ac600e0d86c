import { REQUEST_KINDS } from '#lib/auth/request-kinds.ts'
import { warmRecords } from '#lib/db/records.ts'
import { limitStatements } from '#lib/db/tenant.ts'
import { log } from '#lib/log.ts'

/**
 * Next.js calls this once, before the web server answers its first request. Nobody waits longer for
 * a page, and a runaway statement holds one of the few connections; routes have limits of their own
 * kind (lib/auth/api-route.ts).
 */
export function register(): void {
  limitStatements(REQUEST_KINDS.page.statementMs)
  // in the background: an earlier request loads it itself
  warmRecords().catch((thrown: unknown) => log.warn({ reason: String(thrown) }, 'Prisma Client could not be loaded'))
}
