import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import * as z from 'zod'
import { projectRoot } from '../run/project-root.ts'

export type Counts = { passed: number; failed: number; skipped: number }

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string().default(''),
      status: z.string(),
      startTime: z.number().default(0),
      endTime: z.number().default(0),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string().default(''),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

type PlaywrightSuite = { file?: string; suites?: PlaywrightSuite[]; specs?: z.infer<typeof playwrightSpec>[] }
const playwrightSpec = z.object({
  title: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      results: z.array(
        z.object({ duration: z.number().default(0), errors: z.array(z.object({ message: z.string().default('') })) }),
      ),
    }),
  ),
})
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  file: z.string().optional(),
  suites: z.lazy(() => z.array(playwrightSuite)).optional(),
  specs: z.array(playwrightSpec).optional(),
})
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite).default([]),
})

/** Counts of a vitest JSON report; a file that failed to load counts as one failure. */
export function countVitest(file: string, exitCode: number): Counts {
  if (!existsSync(file)) return nothingButFailure()
  const { testResults } = vitestReport.parse(JSON.parse(readFileSync(file, 'utf8')))
  const statuses = testResults.flatMap(({ status, assertionResults }) => {
    const own = assertionResults.map((result) => result.status)
    return status === 'failed' && !own.includes('failed') ? [...own, 'failed'] : own
  })
  const count = (status: string) => statuses.filter((other) => other === status).length
  const passed = count('passed')
  const failed = count('failed')
  return withExitCode({ passed, failed, skipped: statuses.length - passed - failed }, exitCode)
}

/** Counts of a Playwright JSON report. */
export function countPlaywright(file: string, exitCode: number): Counts {
  if (!existsSync(file)) return nothingButFailure()
  const { stats } = playwrightReport.parse(JSON.parse(readFileSync(file, 'utf8')))
  const counts = { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
  return withExitCode(counts, exitCode)
}

/**
 * What failed in a vitest JSON report, a test each: file, title and the first lines of its message.
 * Empty without a report.
 */
export function listVitestFailures(file: string): string[] {
  if (!existsSync(file)) return []
  return vitestReport.parse(JSON.parse(readFileSync(file, 'utf8'))).testResults.flatMap((suite) => {
    const failed = suite.assertionResults.filter(({ status }) => status === 'failed')
    const name = relative(projectRoot, suite.name)
    if (failed.length === 0) return suite.status === 'failed' ? [formatFailure(name, '', suite.message)] : []
    return failed.map((each) => formatFailure(name, each.fullName, each.failureMessages?.join('\n') ?? ''))
  })
}

/** The same of a Playwright JSON report. */
export function listPlaywrightFailures(file: string): string[] {
  if (!existsSync(file)) return []
  const listed = (suite: PlaywrightSuite): string[] => [
    ...(suite.specs ?? [])
      .filter((spec) => !spec.ok)
      .map((spec) => {
        const errors = spec.tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
        return formatFailure(suite.file ?? '', spec.title, errors.map(({ message }) => message).join('\n'))
      }),
    ...(suite.suites ?? []).flatMap(listed),
  ]
  return playwrightReport.parse(JSON.parse(readFileSync(file, 'utf8'))).suites.flatMap(listed)
}

/** How long a file's tests took in all, whatever ran beside them. */
export type FileTime = { file: string; ms: number }

/** The times of a vitest JSON report's files. Empty without a report. */
export function listVitestTimes(file: string): FileTime[] {
  if (!existsSync(file)) return []
  return vitestReport.parse(JSON.parse(readFileSync(file, 'utf8'))).testResults.map(({ name, startTime, endTime }) => ({
    file: relative(projectRoot, name),
    ms: Math.round(endTime - startTime),
  }))
}

/** The same of a Playwright JSON report. */
export function listPlaywrightTimes(file: string): FileTime[] {
  if (!existsSync(file)) return []
  const timeOf = (suite: PlaywrightSuite): number =>
    [
      ...(suite.specs ?? []).flatMap(({ tests }) =>
        tests.flatMap(({ results }) => results.map((each) => each.duration)),
      ),
      ...(suite.suites ?? []).map(timeOf),
    ].reduce((sum, ms) => sum + ms, 0)
  return playwrightReport
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .suites.map((suite) => ({ file: `e2e/${suite.file}`, ms: Math.round(timeOf(suite)) }))
}

const LINES_OF_A_MESSAGE = 12

function formatFailure(file: string, title: string, message: string): string {
  const lines = stripVTControlCharacters(message).trim().split('\n').slice(0, LINES_OF_A_MESSAGE)
  return [`${file} › ${title}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

export function addCounts(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

/** A part that cannot be counted finer: one passed or one failed. */
export function countOne(hasPassed: boolean): Counts {
  return hasPassed ? { passed: 1, failed: 0, skipped: 0 } : nothingButFailure()
}

function nothingButFailure(): Counts {
  return { passed: 0, failed: 1, skipped: 0 }
}

/**
 * A run that failed without a failing test (an unhandled error, no tests at all) is a failure too.
 */
function withExitCode(counts: Counts, exitCode: number): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/** The last line of `npm test`. */
export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
