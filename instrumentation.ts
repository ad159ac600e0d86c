import { warmRecords } from '#lib/db/records.ts'
import { limitStatements } from '#lib/db/tenant.ts'
import { log } from '#lib/log.ts'

/**
 * Nobody waits longer for a page, and a statement that runs on holds one of the few connections.
 */
const STATEMENT_MS = 30_000

/** Called by Next.js once, before the web server answers its first request. */
export function register(): void {
  limitStatements(STATEMENT_MS)
  // nobody has to wait for it: who comes earlier loads it himself
  warmRecords().catch((thrown: unknown) => log.warn({ reason: String(thrown) }, 'Prisma Client could not be loaded'))
}
