import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from '../project-root.ts'

/** What tests need and the repository does not hold: made from it. */
const GENERATED = 'lib/db/generated'

/**
 * Copies the project as it is now, changes that are not committed included, into a folder of which tests cannot tell that it
 * is a copy: with the same packages, and as a repository of its own, since some tests ask git for the files.
 */
export function copyProject(to: string): void {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 })
  const listed = git(projectRoot, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  for (const path of [...listed.split('\0'), GENERATED]) {
    if (path === '' || !existsSync(join(projectRoot, path))) continue // removed, and not yet in a commit
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(join(projectRoot, path), join(to, path), { recursive: true })
  }
  git(to, 'init', '--quiet')
  git(to, 'add', '--all')
  symlinkSync(join(projectRoot, 'node_modules'), join(to, 'node_modules'))
}
