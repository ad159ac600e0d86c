/** Vitest's set-up: each test process gets a spool of its own (test-spools.ts has their folder). */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'

const PREFIX = join(process.env.TEST_SPOOLS ?? '', 'spool-')

// files that share a process share its settings, and so the folder
if (!process.env.SPOOL_DIR?.startsWith(PREFIX)) process.env.SPOOL_DIR = mkdtempSync(PREFIX)
