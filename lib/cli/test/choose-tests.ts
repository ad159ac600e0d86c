/** Which test belongs to which kind, and which tests a change can touch. */
import { isForTests, type SourceFile, type SourceGraph } from './source-graph.ts'

/**
 * What a unit test needs. `pure`: a thread that it shares. `database`: a process that it shares,
 * beside a PostgreSQL. `process`: a process of its own.
 */
export type UnitProject = 'pure' | 'database' | 'process'

const TEST_SERVER = /^lib\/db\/test-support\/(test-(cluster|database)|is-waiting)\.ts$/

/**
 * What belongs to the whole process, and would be seen by the next file in it: settings, the
 * working folder, signals, programs, limits of ours, Vitest's own clock and stubs. To wait, and a
 * function that is only counted, are of their test alone.
 */
const PROCESS_WIDE =
  /\bprocess\.(?!hrtime|memoryUsage|nextTick|platform|versions?\b)|globalThis|\bvi\.(?!waitFor|waitUntil|fn\b)|node:(child_process|worker_threads|http|net|dns)|\b(spawn|fork|execFile|inject|setPasswordCost|limitStatements)\(/

export function isUnitTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

function isStory(path: string): boolean {
  return /^e2e\/.*\.spec\.ts$/.test(path)
}

/**
 * By what the test and its support name: neither a list nor a suffix that somebody has to keep.
 * Files that share a process share its modules, too: starting one and loading what a test needs
 * takes longer than most tests.
 */
export function projectOf(test: string, graph: SourceGraph): UnitProject {
  const own = [...graph.closureOf(test, isForTests)]
  const isPrivate = own.some((path) => !TEST_SERVER.test(path) && PROCESS_WIDE.test(textOf(graph.files.get(path))))
  if (isPrivate) return 'process'
  return own.some((path) => TEST_SERVER.test(path)) ? 'database' : 'pure'
}

/** The unit tests of each project, for vitest.config.ts. @internal */
export function listUnitTests(graph: SourceGraph): Record<UnitProject, string[]> {
  const tests = [...graph.files.keys()].filter(isUnitTest).sort()
  const projects = new Map(tests.map((test) => [test, projectOf(test, graph)]))
  const of = (project: UnitProject) => tests.filter((test) => projects.get(test) === project)
  return { pure: of('pure'), database: of('database'), process: of('process') }
}

/** Decides how everything is installed, built or run. */
const EVERYTHING =
  /(\.sql$)|^(package(-lock)?\.json|tsconfig\.json|vitest\.config\.ts|biome\.json|\.ci\/|prisma\/|lib\/db\/|lib\/cli\/test\/)/
/** Goes into the web app, or into how it looks and starts. */
const PRODUCT = /^(app|components|lib|public|instrumentation\.ts|proxy\.ts|next\.config\.mjs|postcss\.config\.mjs)/
/** Looks files up instead of naming them. */
const READS_FILES = /ls-files|readdirSync\(|readFileSync\(/

/**
 * The tests that a change of these files can touch; `all` when it is any. A unit test is touched by
 * what it imports or names at any remove, and one that looks files up by every change. A story is
 * touched by everything of the product, since it runs against the built web app.
 */
export function listTouched(changed: string[], graph: SourceGraph): { units: string[]; stories: string[] } | 'all' {
  // what is gone is in no graph, though somebody may still name it
  const isGone = (path: string) => /\.(tsx?|mjs)$/.test(path) && !graph.files.has(path)
  if (changed.some((path) => EVERYTHING.test(path) || isGone(path))) return 'all'
  const paths = [...graph.files.keys()].sort()
  const touches = (test: string) => [...graph.closureOf(test)].some((path) => changed.includes(path))
  const looksUp = (test: string) =>
    [...graph.closureOf(test, isForTests)].some((path) => READS_FILES.test(textOf(graph.files.get(path))))
  const isProductChanged = changed.some((path) => PRODUCT.test(path) && !isForTests(path))
  return {
    units: paths.filter((path) => isUnitTest(path) && (looksUp(path) || touches(path))),
    stories: paths.filter((path) => isStory(path) && (isProductChanged || touches(path))),
  }
}

function textOf(file: SourceFile | undefined): string {
  return file?.text ?? ''
}
