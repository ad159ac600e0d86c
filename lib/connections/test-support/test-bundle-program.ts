/** For tests: programs in one file each, as in production. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { hashText } from '#lib/hash-text.ts'

/** Within the project, since the program looks for its packages from there. */
const FOLDER = fileURLToPath(new URL('../../../dist/test-programs', import.meta.url))
const A_DAY_MS = 86_400_000

const bundles = new Map<string, string>()

/**
 * The path of a file that holds the program and what it imports of the project. It starts in a
 * quarter of the time that the sources take. The sources are read once per process.
 */
export function bundleProgram(entry: string): string {
  const known = bundles.get(entry) ?? bundle(entry)
  bundles.set(entry, known)
  return known
}

function bundle(entry: string): string {
  const [output] = buildSync({
    entryPoints: [entry],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
    logLevel: 'error',
  }).outputFiles
  const text = output?.text ?? ''
  // named after its content and put in place whole: several tests may make it at once
  const path = join(FOLDER, `${basename(entry, '.ts')}-${hashText(text).slice(0, 12)}.mjs`)
  if (existsSync(path)) return path
  mkdirSync(FOLDER, { recursive: true })
  // no other test may be about to start one of these
  for (const name of readdirSync(FOLDER)) if (isOld(join(FOLDER, name))) rmSync(join(FOLDER, name), { force: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, path)
  return path
}

function isOld(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > A_DAY_MS
}
