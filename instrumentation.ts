import { limitStatements } from './lib/db/tenant.ts'

/** Nobody waits longer for a page, and a statement that runs on holds one of the few connections. */
const STATEMENT_MS = 30_000

/** Called by Next.js once, before the web server answers its first request. */
export function register(): void {
  limitStatements(STATEMENT_MS)
}
