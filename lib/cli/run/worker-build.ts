import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { hashText } from '#lib/hash-text.ts'
import { projectRoot } from './project-root.ts'

const FOLDER = join(projectRoot, 'dist')

/**
 * Puts the worker into one file, a fraction of a second's work: it is ready sooner than from its
 * sources, and holds a third less memory. The file is named for what is in it and appears whole:
 * nobody starts one that is still being written.
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
  // a worker reads its file once, when it starts
  for (const old of readdirSync(FOLDER)) if (/^worker-.*\.mjs$/.test(old)) rmSync(join(FOLDER, old), { force: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, path)
  return path
}
