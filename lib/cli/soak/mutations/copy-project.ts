import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from '#lib/cli/run/project-root.ts'

/** What tests need and the repository does not hold: made from it. */
const GENERATED = 'lib/db/generated'

/**
 * Copies the project as it is now, changes that are not committed included, into a folder of which
 * tests cannot tell that it is a copy: with the same packages, and as a repository of its own,
 * since some tests ask git for the files. A web app can be built in it only with packages of its
 * own (`hasOwnPackages`): the build follows no link out of the project.
 */
export function copyProject(to: string, { hasOwnPackages }: { hasOwnPackages: boolean }): void {
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
  const packages = { from: join(projectRoot, 'node_modules'), to: join(to, 'node_modules') }
  if (hasOwnPackages) linkFolder(packages.from, packages.to)
  else symlinkSync(packages.from, packages.to)
}

/**
 * A folder whose files are the same ones, or copies where the temporary folder is on another disk.
 */
function linkFolder(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkFile(source, target)
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    copyFileSync(from, to)
  }
}
