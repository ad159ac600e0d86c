/** Vitest's set-up for each test file: a spool and a data folder of its own, gone afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'tieout-spool-'))
process.env.SPOOL_DIR = folder
afterAll(() => rmSync(folder, { recursive: true, force: true }))
