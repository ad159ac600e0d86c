/** Vitest's set-up: each test file gets its own spool and data folder, removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'tieout-spool-'))
process.env.SPOOL_DIR = folder
afterAll(() => rmSync(folder, { recursive: true, force: true }))
