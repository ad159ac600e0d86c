/** Vitest's set-up: each test process gets its own spool and data folder, removed at its end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = join(tmpdir(), 'tieout-spool-')

// files that share a process share its settings, and so the folder
if (!process.env.SPOOL_DIR?.startsWith(PREFIX)) {
  const folder = mkdtempSync(PREFIX)
  process.env.SPOOL_DIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}
