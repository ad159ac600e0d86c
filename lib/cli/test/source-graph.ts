/** The source files and what each names: for house rules, and for choosing tests. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { projectRoot } from '../run/project-root.ts'

export type SourceFile = { path: string; text: string }

const SOURCE_FOLDERS = ['app', 'components', 'lib', 'prisma', 'e2e']

/** Every source file that git knows or would take, generated ones left out. */
export function listSources(): SourceFile[] {
  return listFiles(SOURCE_FOLDERS)
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.includes('/generated/'))
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))
}

function listFiles(folders: string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', ...folders]
  const gone = execFileSync('git', ['ls-files', '--deleted', ...folders], { cwd: projectRoot, encoding: 'utf8' })
  const deleted = new Set(gone.split('\n'))
  return execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !deleted.has(path))
}

/** Test files, browser stories, and what only they use. */
export function isForTests(path: string): boolean {
  return /\.(test|spec)\.tsx?$|^e2e\/|\/test-support\//.test(path)
}

export type Import = { target: string; isTypeOnly: boolean }

/** What a file imports: a path from the root for files of the project, else the package's name. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(import|export)\s+(type\s)?[^'"`;]*?from\s+['"]([^'"]+)['"]|(?:^|\n)import\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g,
  )
  return [...found].map((match) => {
    const specifier = match[3] ?? match[4] ?? match[5] ?? ''
    return { target: toPath(specifier, path), isTypeOnly: match[2] !== undefined }
  })
}

/** `#lib/…` and `#components/…` are paths from the root (package.json, "imports"). */
function toPath(specifier: string, from: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? relative(projectRoot, join(projectRoot, dirname(from), specifier)) : specifier
}

/**
 * Files that a file names without importing them: programs that it starts, files that it reads. A
 * path from the root, or one from the file itself.
 */
function namedBy({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/['"`]((?:\.\.?\/)?[\w[\]().-]+(?:\/[\w[\]().-]+)*\.(?:tsx?|mjs))\b/g)].map(
    ([, name = '']) => toPath(name, path),
  )
}

export type SourceGraph = {
  /** Every file of the graph, by its path. */
  files: ReadonlyMap<string, SourceFile>
  /** The file, and all that it imports or names, at any remove; `isWanted` leaves some out. */
  closureOf: (path: string, isWanted?: (path: string) => boolean) => Set<string>
}

/** The graph of these files. Imports of types alone are left out: nothing of them runs. */
export function toSourceGraph(sources: SourceFile[]): SourceGraph {
  const files = new Map(sources.map((file) => [file.path, file]))
  const known = new Map<string, string[]>()
  const edgesOf = (path: string): string[] => {
    const file = files.get(path)
    if (file === undefined) return []
    const edges = known.get(path) ?? [
      ...importsOf(file).flatMap(({ target, isTypeOnly }) => (isTypeOnly ? [] : [target])),
      ...namedBy(file),
    ]
    known.set(path, edges)
    return edges
  }
  return {
    files,
    closureOf: (path, isWanted = () => true) => {
      const found = new Set([path])
      for (const each of found) for (const next of edgesOf(each)) if (files.has(next) && isWanted(next)) found.add(next)
      return found
    },
  }
}
