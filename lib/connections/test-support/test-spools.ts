/**
 * Vitest's global set-up: one folder for the spools of all test processes (test-spool.ts), removed
 * once the last of them is over. A process that is killed at its end cannot remove its own.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export default function makeSpools(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-spools-'))
  process.env.TEST_SPOOLS = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
