import { renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { projectRoot } from '../run/project-root.ts'
import { hashFiles, isRecorded, notBuilt, recordHash } from './file-hash.ts'
import { WEB_SOURCES } from './web-build.ts'
import { bundleProgram, NOT_BUNDLED } from './worker-build.ts'

const RECORD = 'dist/tieout-build-hash'
const NOT_IN_PRODUCTION = /\.test\.tsx?$|^lib\/(bench|soak|world|cli\/test|sandbox|db\/generated)\/|\/test-support\//

/**
 * Bundles the commands that an installation is run with, as `dist/tieout.mjs`, and notes which
 * files all that was built is of. To be called when the rest is built.
 */
export function buildProgram(): void {
  const bundle = bundleProgram('lib/cli/built-main.ts', 'commands', { format: 'esm', external: NOT_BUNDLED })
  const path = join(projectRoot, 'dist', 'tieout.mjs')
  writeFileSync(`${path}.${process.pid}`, `import './${basename(bundle)}'\n`)
  renameSync(`${path}.${process.pid}`, path)
  recordHash(RECORD, hashSources())
}

/** @throws CommandError when the program's files are others than those it was built of. */
export function requireFreshBuild(): void {
  if (!isRecorded(RECORD, hashSources())) throw notBuilt()
}

function hashSources(): string {
  return hashFiles([...WEB_SOURCES, 'prisma/migrations'], (path) => !NOT_IN_PRODUCTION.test(path))
}
