import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from '#lib/cli/run/project-root.ts'

/** Needed by tests, generated from the repository but not in it. */
const GENERATED = 'lib/db/generated'

/**
 * Copies the project, uncommitted changes included, into a folder that tests cannot tell from the
 * original: same packages, and a git repository, since some tests ask git for the files. Building
 * the web app there needs a copy of the packages (`hasOwnPackages`): the build follows no link out
 * of the project.
 */
export function copyProject(to: string, { hasOwnPackages }: { hasOwnPackages: boolean }): void {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 })
  const listed = git(projectRoot, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  for (const path of [...listed.split('\0'), GENERATED]) {
    if (path === '' || !existsSync(join(projectRoot, path))) continue // deleted but not yet committed
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
 * A folder with hard links to the same files, or copies where the temporary folder is on another
 * disk.
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
