/**
 * `npm run soak -- mutations`: breaks the code on purpose, place by place, and says which breakages
 * no test notices.
 */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { runStep } from '#lib/cli/run/steps.ts'
import { bold, dim, formatDuration, green, red, say } from '#lib/cli/run/terminal.ts'
import { findDatabaseFolder } from '#lib/cli/test/memory-folder.ts'
import { startTestCluster } from '#lib/db/test-support/test-cluster.ts'
import { applyBreakage, findMisfit } from './mutations/apply-breakage.ts'
import { copyProject } from './mutations/copy-project.ts'
import { BREAKAGES } from './mutations/list.ts'
import type { Breakage } from './mutations/model.ts'
import { type CheckResult, type Checks, type Failure, isStory, type Place, runChecks } from './mutations/run-checks.ts'

const USAGE =
  'Usage: npm run soak -- mutations [--only <id or row>,…] [--from <id>] [--shard 1/2] [--limit <seconds per breakage>]'
const LIMIT_SECONDS = 180
/** For all named tests together, on whole code. */
const WHOLE_LIMIT_MS = 45 * 60_000

/**
 * A breakage's result. `noticed`: a test failed or did not end in time. `harmless`: none did, and
 * none has to. The others are defects of the tests or of the list; `FAILS WHOLE`: its tests fail on
 * whole code, so they prove nothing.
 */
export type Verdict = 'noticed' | 'harmless' | 'SURVIVED' | 'DOES NOT APPLY' | 'NO TEST RAN' | 'FAILS WHOLE'

type Outcome = { breakage: Breakage; verdict: Verdict; by: string; ms: number }

/**
 * Applies the list's breakages one at a time to a copy of the project and runs the tests that must
 * notice each; the project itself stays untouched. Prints a table, and its figures as JSON on the
 * last line. @throws CommandError when a breakage survives without being marked harmless, no longer
 * applies, or has tests that fail on whole code.
 */
export async function soakMutations(lifetime: Lifetime, args: string[]): Promise<void> {
  const { breakages, limitMs } = parseOptions(args)
  const begin = Date.now()
  const hasOwnPackages = breakages.some(({ tests }) => tests.some(isStory))
  const place = { ...(await openCopy(lifetime, { hasOwnPackages })), limitMs, signal: lifetime.signal }
  const misfits = new Map(breakages.map((breakage) => [breakage.id, findMisfit(place.copy, breakage)]))
  const failures: Failure[] = []
  await runStep('The same tests on code that is whole', async () => {
    for (const checks of joinChecks(breakages.filter(({ id }) => misfits.get(id) === null)))
      failures.push(...listFailures(checks, await runChecks(checks, { ...place, limitMs: WHOLE_LIMIT_MS }, true)))
    return failures.length === 0 ? 'all pass' : `${failures.length} failed, and are tried again`
  })
  const outcomes: Outcome[] = []
  for (const breakage of breakages) {
    lifetime.signal.throwIfAborted()
    const misfit = misfits.get(breakage.id) ?? null
    const hasFailed = failures.some((failure) => isOf(breakage, failure))
    const outcome: Outcome =
      misfit === null
        ? await tryBreakage(breakage, place, hasFailed)
        : { breakage, verdict: 'DOES NOT APPLY', by: misfit, ms: 0 }
    outcomes.push(outcome)
    sayOutcome(outcome)
  }
  conclude(outcomes, Date.now() - begin)
}

/**
 * The chosen breakages, and the time limit of each. @throws CommandError for options that choose
 * none.
 */
export function parseOptions(args: string[], all = BREAKAGES): { breakages: Breakage[]; limitMs: number } {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { only: text, from: text, shard: text, limit: text } })
  const [, shard = 0, shards = 0] = (/^(\d+)\/(\d+)$/.exec(values.shard ?? '1/1') ?? []).map(Number)
  const limitSeconds = Number(values.limit ?? LIMIT_SECONDS)
  const wanted = values.only?.split(',')
  const first = values.from === undefined ? 0 : all.findIndex(({ id }) => id === values.from)
  const unknown = wanted?.find((name) => !all.some(({ id, row }) => id === name || row === name))
  if (unknown !== undefined || first < 0)
    throw new CommandError(`There is no breakage ${unknown ?? values.from}. ${USAGE}`)
  if (!(shard >= 1 && shard <= shards && limitSeconds > 0)) throw new CommandError(USAGE)
  const breakages = all
    .slice(first)
    .filter(({ id, row }) => wanted === undefined || wanted.includes(id) || wanted.includes(row))
    .filter((_, index) => index % shards === shard - 1)
  return { breakages, limitMs: limitSeconds * 1000 }
}

/**
 * The copy, and one PostgreSQL for all its tests. Both end with the command, with whatever killed
 * tests leave behind.
 */
async function openCopy(
  lifetime: Lifetime,
  packages: { hasOwnPackages: boolean },
): Promise<Pick<Place, 'copy' | 'env'>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tieout-mutations-')))
  chmodSync(folder, 0o711) // PostgreSQL may run as another account and must pass
  lifetime.onEnd('Copy of the project', async () => rmSync(folder, { recursive: true, force: true }))
  const copy = join(folder, 'copy')
  mkdirSync(copy, { mode: 0o711 })
  const temporary = realpathSync(mkdtempSync(join(findDatabaseFolder(), 'tieout-mutations-')))
  chmodSync(temporary, 0o711)
  lifetime.onEnd('Databases of the copy', async () => rmSync(temporary, { recursive: true, force: true }))
  await runStep('Copy of the project', async () => {
    copyProject(copy, packages)
    const cluster = await startTestCluster({ checkout: copy, temporary })
    lifetime.onEnd('PostgreSQL', cluster.stop)
    return undefined
  })
  return { copy, env: { TMPDIR: temporary } }
}

/**
 * The tests that the breakages name, each once: whole files first, then single titles of others.
 */
export function joinChecks(breakages: Breakage[]): Checks[] {
  const named = (some: Breakage[]) => new Set(some.flatMap(({ tests }) => tests))
  const whole = named(breakages.filter(({ title }) => title === undefined))
  const partly = breakages.filter(({ title, tests }) => title !== undefined && tests.some((test) => !whole.has(test)))
  const rest = [...named(partly)].filter((test) => !whole.has(test))
  const title = [...new Set(partly.map((breakage) => `(${breakage.title})`))].join('|')
  return [
    ...(whole.size === 0 ? [] : [{ tests: [...whole].sort() }]),
    ...(rest.length === 0 ? [] : [{ tests: rest.sort(), title }]),
  ]
}

/** What failed; every file of the checks when they did not finish. */
function listFailures({ tests }: Checks, result: CheckResult): Failure[] {
  if (result.kind === 'failed') return result.failures
  return result.kind === 'hung' ? tests.map((file) => ({ file, test: null, what: toWords(result) })) : []
}

/**
 * Whether a failure is in a test that must notice the breakage. A failure outside of tests counts
 * for its file.
 */
export function isOf({ tests, title }: Breakage, { file, test }: Failure): boolean {
  if (file !== '' && !tests.includes(file)) return false
  return test === null || title === undefined || new RegExp(title).test(test)
}

/**
 * `isTriedFirst`: its tests failed on whole code, maybe only because the machine was busy, and get
 * a second chance alone.
 */
async function tryBreakage(breakage: Breakage, place: Place, isTriedFirst: boolean): Promise<Outcome> {
  const begin = Date.now()
  const whole = isTriedFirst ? await runChecks(breakage, place) : null
  if (whole?.kind === 'failed' || whole?.kind === 'hung')
    return { breakage, verdict: 'FAILS WHOLE', by: toWords(whole), ms: Date.now() - begin }
  const restore = applyBreakage(place.copy, breakage)
  try {
    const result = await runChecks(breakage, place)
    return { breakage, ...judge(breakage, result), ms: Date.now() - begin }
  } finally {
    restore()
  }
}

/** What a run of the tests says about a breakage, and which test noticed it. */
export function judge({ harmless }: Breakage, result: CheckResult): Pick<Outcome, 'verdict' | 'by'> {
  if (result.kind === 'empty') return { verdict: 'NO TEST RAN', by: 'no test has the title' }
  if (result.kind !== 'passed') return { verdict: 'noticed', by: toWords(result) }
  return harmless === undefined ? { verdict: 'SURVIVED', by: '' } : { verdict: 'harmless', by: harmless }
}

function toWords(result: CheckResult): string {
  if (result.kind === 'failed')
    return result.failures.map(({ file, test, what }) => [file, test, what].filter(Boolean).join(': ')).join('; ')
  return result.kind === 'hung' ? 'the tests did not end in time' : 'no test ran'
}

function sayOutcome({ breakage: { row, id }, verdict, by, ms }: Outcome): void {
  const mark = verdict === 'noticed' || verdict === 'harmless' ? green('✓') : red('✗')
  const time = formatDuration(ms).padStart(7)
  say(`  ${mark} ${verdict.padEnd(14)} ${row.padEnd(9)} ${id.padEnd(34)} ${time}  ${dim(by.slice(0, 200))}`)
}

function conclude(outcomes: Outcome[], ms: number): void {
  const idsOf = (verdict: Verdict) =>
    outcomes.filter((each) => each.verdict === verdict).map(({ breakage }) => breakage.id)
  const bad = outcomes.filter(({ verdict }) => verdict !== 'noticed' && verdict !== 'harmless')
  if (bad.length > 0) say(bold('\nTo be mended, in the tests or in the list:'))
  for (const { breakage, verdict, by } of bad)
    say(`  ${verdict.padEnd(14)} ${breakage.row.padEnd(9)} ${breakage.id}: ${by || breakage.promise}`)
  say(
    JSON.stringify({
      soak: 'mutations',
      breakages: outcomes.length,
      noticed: idsOf('noticed').length,
      harmless: idsOf('harmless'),
      survived: idsOf('SURVIVED'),
      doNotApply: idsOf('DOES NOT APPLY'),
      noTestRan: idsOf('NO TEST RAN'),
      failsWhole: idsOf('FAILS WHOLE'),
      seconds: Math.round(ms / 1000),
    }),
  )
  if (bad.length > 0)
    throw new CommandError(`${bad.length} of ${outcomes.length} breakages were not noticed as they have to be.`)
}
