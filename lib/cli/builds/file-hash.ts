import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from '../run/command-error.ts'
import { projectRoot } from '../run/project-root.ts'

/**
 * SHA-256 over names and contents of the project's files and folders, in a fixed order; `isMeant`
 * filters them.
 */
export function hashFiles(paths: string[], isMeant: (path: string) => boolean = () => true): string {
  const hash = createHash('sha256')
  const files = paths.flatMap(listFiles).filter(isMeant).sort()
  for (const path of files)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(projectRoot, path)))
      .update('\0')
  return hash.digest('hex')
}

function listFiles(path: string): string[] {
  const full = join(projectRoot, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full, { withFileTypes: true }).flatMap((entry) => {
    const inside = `${path}/${entry.name}`
    return entry.isDirectory() ? listFiles(inside) : [inside]
  })
}

/** True when the record (a file of the project) says that the work for this hash is done. */
export function isRecorded(record: string, hash: string): boolean {
  const file = join(projectRoot, record)
  return existsSync(file) && readFileSync(file, 'utf8') === hash
}

export function recordHash(record: string, hash: string): void {
  const file = join(projectRoot, record)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, hash)
}

/** For a built program, which can make nothing itself. */
export function notBuilt(): CommandError {
  return new CommandError('What is built here is not of these files: run `npm run build`, then start it again.')
}
