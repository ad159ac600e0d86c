import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { hashText } from '#lib/hash-text.ts'
import { projectRoot } from './project-root.ts'

const FOLDER = join(projectRoot, 'dist')

/**
 * Bundles the worker into one file in a fraction of a second: it starts sooner than from sources,
 * and uses a third less memory. The file is named after its content and appears atomically, so
 * nobody starts a half-written one.
 * @returns its path.
 */
export function buildWorker(): string {
  const [output] = buildSync({
    entryPoints: [join(projectRoot, 'lib', 'worker', 'main.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    write: false,
    logLevel: 'error',
  }).outputFiles
  const text = output?.text ?? ''
  const name = `worker-${hashText(text).slice(0, 12)}.mjs`
  const path = join(FOLDER, name)
  if (existsSync(path)) return path
  mkdirSync(FOLDER, { recursive: true })
  // a worker reads its file only once, at the start
  for (const old of readdirSync(FOLDER)) if (/^worker-.*\.mjs$/.test(old)) rmSync(join(FOLDER, old), { force: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, path)
  return path
}
