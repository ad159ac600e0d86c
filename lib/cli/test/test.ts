import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { preparePrismaClient } from '../builds/prisma-client.ts'
import { CommandError } from '../run/command-error.ts'
import type { Lifetime } from '../run/lifetime.ts'
import { projectRoot } from '../run/project-root.ts'
import { runStep } from '../run/steps.ts'
import { bold, dim, formatDuration, green, red, say } from '../run/terminal.ts'
import { listTouched } from './choose-tests.ts'
import { listSources, toSourceGraph } from './source-graph.ts'
import { provideBrowser } from './test-browser.ts'
import { addCounts, type Counts, type FileTime, formatCounts } from './test-counts.ts'
import { PARTS, type PartOutcome, STAGES } from './test-parts.ts'

type PartResult = PartOutcome & { name: string; durationMs: number }

/** Parts to run, and for each what picks among its tests; empty runs all of them. */
export type Selection = Record<string, string[]>

const STOPPED_EXIT_CODE = 130
const SLOWEST_FILES = 10

/**
 * Runs all parts of the tests, the named ones (`npm test -- unit lib/reconcile`), or those that can
 * be touched by the commits since another (`npm test -- changed main~3`), each even after an
 * earlier one failed. What failed is named again at the end, with the time of each part and its
 * slowest files, which `test-results/times.json` keeps. The last line is "N passed, N failed".
 * @returns exit code 1 when anything failed.
 */
export async function test({ signal }: Lifetime, args: string[]): Promise<number> {
  const selection = args[0] === 'changed' ? selectChanged(args[1]) : selectParts(args)
  const results: PartResult[] = []
  try {
    await runStep('Prisma Client', () => preparePrismaClient(signal))
    // stories come last: their browser is installed meanwhile, and they say what went wrong
    if (selection.browser !== undefined) provideBrowser('headless', signal).catch(() => undefined)
    const runRow = async (row: string[]) => {
      for (const name of row) {
        const filters = selection[name]
        if (filters !== undefined) results.push(await runPart(name, filters, signal, results))
      }
    }
    for (const stage of STAGES) {
      // a row that breaks leaves no program of another behind
      const ends = await Promise.allSettled(stage.map(runRow))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    }
  } catch (error) {
    if (!signal.aborted) throw error
    say('Stopped before the end.')
    return STOPPED_EXIT_CODE
  }
  return summarize(results)
}

async function runPart(
  name: string,
  filters: string[],
  signal: AbortSignal,
  earlier: PartResult[],
): Promise<PartResult> {
  say(`\n${bold(name)}`)
  const begin = Date.now()
  const isBuilt = earlier.find((result) => result.name === 'build')?.failed !== 1
  const outcome = await (PARTS[name] as (typeof PARTS)[string])({ signal, filters, isBuilt })
  const durationMs = Date.now() - begin
  say(`${mark(outcome)} ${name}: ${formatCounts(outcome)}  ${formatDuration(durationMs)}`)
  return { ...outcome, name, durationMs }
}

/**
 * Part names pick parts; other arguments pick among their tests. Without a part name, a `.spec.ts`
 * file means the browser part and any other path the unit part. The browser part includes the
 * build.
 */
export function selectParts(args: string[]): Selection {
  const all = Object.keys(PARTS)
  const filters = args.filter((arg) => !all.includes(arg))
  const named = args.filter((arg) => all.includes(arg))
  if (named.length === 0 && filters.length === 0) named.push(...all)
  if (named.length === 0) named.push(filters.some((filter) => filter.includes('.spec')) ? 'browser' : 'unit')
  if (named.includes('browser')) named.push('build')
  return Object.fromEntries(named.map((name) => [name, filters]))
}

/**
 * The parts and tests that can be touched by what was committed since `commit`, or not committed
 * yet. @throws CommandError for a commit that git does not know.
 */
function selectChanged(commit = '@{upstream}'): Selection {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', stdio: 'pipe' })
  let changed: string[]
  try {
    changed = [
      ...git('diff', '--name-only', commit).split('\n'),
      ...git('ls-files', '--others', '--exclude-standard').split('\n'),
    ].filter((path) => path !== '')
  } catch {
    throw new CommandError(`git knows no commit ${commit}: name one, such as \`npm test -- changed HEAD~3\`.`)
  }
  const touched = listTouched(changed, toSourceGraph(listSources()))
  const selection = toSelection(touched)
  const count = (name: string) => (selection[name] === undefined ? 'none' : selection[name].length || 'all')
  say(
    `${changed.length} files changed since ${commit}. Unit files: ${count('unit')}; story files: ${count('browser')}.`,
  )
  return selection
}

/** Types and lint always look at everything: they take less than a minute. */
export function toSelection(touched: ReturnType<typeof listTouched>): Selection {
  if (touched === 'all') return selectParts([])
  const { units, stories } = touched
  return {
    types: [],
    lint: [],
    ...(units.length > 0 ? { unit: units } : {}),
    ...(stories.length > 0 ? { build: [], browser: stories } : {}),
  }
}

function summarize(results: PartResult[]): number {
  const total = results.reduce<Counts>(addCounts, { passed: 0, failed: 0, skipped: 0 })
  say()
  for (const { name, failures = [] } of results)
    for (const failure of failures) say(`${red('✗')} ${name}: ${failure}\n`)
  for (const { name, times = [] } of results.filter((result) => result.times !== undefined)) {
    say(`The slowest files of ${name}:`)
    for (const { file, ms } of listSlowest(times)) say(`  ${formatDuration(ms).padStart(12)}   ${dim(file)}`)
  }
  keepTimes(results)
  say()
  for (const result of results)
    say(
      `${mark(result)} ${result.name.padEnd(8)} ${formatDuration(result.durationMs).padStart(12)}   ${formatCounts(result)}`,
    )
  say(formatCounts(total))
  return total.failed === 0 ? 0 : 1
}

function mark({ failed }: Counts): string {
  return failed === 0 ? green('✓') : red('✗')
}

/** The ten files that took longest, the longest first. */
export function listSlowest(times: FileTime[]): FileTime[] {
  return [...times].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST_FILES)
}

/** For whoever compares runs: how long each part and each of its files took. */
function keepTimes(results: PartResult[]): void {
  const folder = join(projectRoot, 'test-results')
  mkdirSync(folder, { recursive: true })
  const kept = results.map(({ name, durationMs, times = [] }) => ({
    name,
    durationMs,
    files: [...times].sort((a, b) => b.ms - a.ms),
  }))
  writeFileSync(join(folder, 'times.json'), `${JSON.stringify(kept, null, 2)}\n`)
}
