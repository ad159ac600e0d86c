import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

export type Counts = { passed: number; failed: number; skipped: number }

const vitestReport = z.object({
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
})

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
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
