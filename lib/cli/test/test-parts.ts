import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWebApp } from '../builds/web-build.ts'
import { CommandError } from '../run/command-error.ts'
import { packageFile, projectRoot } from '../run/project-root.ts'
import { findCommitProblems, listNewCommits } from './commit-rules.ts'
import { provideBrowser } from './test-browser.ts'
import {
  addCounts,
  type Counts,
  countOne,
  countPlaywright,
  countVitest,
  type FileTime,
  listPlaywrightFailures,
  listPlaywrightTimes,
  listVitestFailures,
  listVitestTimes,
} from './test-counts.ts'
import { runTestTool } from './test-run.ts'

type PartOptions = {
  signal: AbortSignal
  /** Picks among the part's tests; empty runs all. */
  filters: string[]
  /** False when an earlier part failed to build the web app. */
  isBuilt: boolean
}

/**
 * What a part came to; of each test that failed, what to say again at the end of the whole run, and
 * how long its files took.
 */
export type PartOutcome = Counts & { failures?: string[]; times?: FileTime[] }

/**
 * One part of `npm test`: shows what failed and returns its counts. Throws only when it is stopped.
 */
export type Part = (options: PartOptions) => Promise<PartOutcome>

/** The parts, by their names. */
export const PARTS: Record<string, Part> = { types, lint, build, unit, browser }

/**
 * The order of the parts: stages one after the other, and in each stage rows of parts beside each
 * other. Units wait for the database as often as they compute, so the compilers run beside them.
 */
export const STAGES: string[][][] = [[['unit'], ['types', 'lint', 'build']], [['browser']]]

async function types({ signal }: PartOptions): Promise<Counts> {
  // pages are checked against types that Next.js writes, stale after a page was added or removed
  return countQuiet([
    await quiet(signal, packageFile('next/dist/bin/next'), 'typegen'),
    await quiet(signal, packageFile('typescript/bin/tsc'), '--noEmit', '--pretty'),
  ])
}

async function lint({ signal }: PartOptions): Promise<Counts> {
  const problems = listNewCommits().flatMap(findCommitProblems)
  if (problems.length > 0) process.stdout.write(`${problems.join('\n')}\n`)
  const knip = [packageFile('knip/bin/knip.js'), '--no-progress']
  // first what nobody uses; then what only tests use, except exports that their own file needs
  const production = ['--production', '--include=files,exports,types', '--config=lib/cli/test/knip-production.json']
  return countQuiet([
    await quiet(signal, packageFile('@biomejs/biome/bin/biome'), 'check', '--colors=off'),
    await quiet(signal, ...knip),
    await quiet(signal, ...knip, ...production),
    problems.length === 0,
  ])
}

async function unit({ signal, filters }: PartOptions): Promise<PartOutcome> {
  const report = freshReport('unit.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = [packageFile('vitest/vitest.mjs'), 'run', ...reporters, ...filters]
  const { code } = await runTestTool({ args, signal, isShown: true })
  return { ...countVitest(report, code), failures: listVitestFailures(report), times: listVitestTimes(report) }
}

async function build({ signal }: PartOptions): Promise<Counts> {
  try {
    await buildWebApp(signal)
    return countOne(true)
  } catch (error) {
    return countOne(showFailure(error))
  }
}

/**
 * The stories of e2e/playwright.config.ts: most beside each other, then those that measure time or
 * flood the app, one at a time.
 */
async function browser({ signal, filters, isBuilt }: PartOptions): Promise<PartOutcome> {
  try {
    if (!isBuilt) throw new CommandError('The browser tests need the web app, which could not be built.')
    await provideBrowser('headless', signal)
  } catch (error) {
    return countOne(showFailure(error))
  }
  const outcomes: PartOutcome[] = []
  for (const project of ['stories', 'alone']) {
    const report = freshReport(`browser-${project}.json`)
    const args = ['test', '--config', 'e2e/playwright.config.ts', `--project=${project}`, '--pass-with-no-tests']
    const { code } = await runTestTool({
      args: [
        packageFile('@playwright/test/cli.js'),
        ...args,
        ...(project === 'alone' ? ['--workers=1'] : []),
        ...filters,
      ],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      signal,
      isShown: true,
    })
    const times = listPlaywrightTimes(report)
    outcomes.push({ ...countPlaywright(report, code), failures: listPlaywrightFailures(report), times })
  }
  const counts = outcomes.reduce(addCounts)
  if (counts.passed + counts.failed + counts.skipped === 0) {
    process.stdout.write('Error: No tests found\n')
    return countOne(false)
  }
  return {
    ...counts,
    failures: outcomes.flatMap(({ failures = [] }) => failures),
    times: outcomes.flatMap(({ times = [] }) => times),
  }
}

async function quiet(signal: AbortSignal, ...args: string[]): Promise<boolean> {
  const { code, output } = await runTestTool({ args, signal, isShown: false })
  if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`)
  return code === 0
}

function countQuiet(results: boolean[]): Counts {
  return countOne(results.every((hasPassed) => hasPassed))
}

/** Shows a failure that a person can fix, as a failed part; rethrows any other. */
function showFailure(error: unknown): false {
  if (!(error instanceof CommandError)) throw error
  process.stdout.write(`${[error.details, error.message].filter(Boolean).join('\n\n')}\n`)
  return false
}

function freshReport(name: string): string {
  const file = join(projectRoot, 'test-results', name)
  rmSync(file, { force: true })
  return file
}
