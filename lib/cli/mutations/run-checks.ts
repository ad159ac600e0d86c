import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { packageFile } from '../project-root.ts'
import { runTestTool, type ToolRun } from '../test-run.ts'

/** Where and how checks run: the copy of the project, its environment, how long one run may take. */
export type Place = { copy: string; env: Record<string, string>; limitMs: number; signal: AbortSignal }

export type Checks = { tests: string[]; title?: string }

export type Failure = { file: string; what: string }

/** How checks ended. `hung`: they took longer than they may. `empty`: no test had the title. */
export type CheckResult = { kind: 'passed' | 'hung' | 'empty' } | { kind: 'failed'; failures: Failure[] }

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ status: z.string(), title: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
})

/** Runs test files, or the check of types, in the copy. `isWhole` goes on after the first failure. */
export async function runChecks({ tests, title }: Checks, place: Place, isWhole = false): Promise<CheckResult> {
  const files = tests.filter((test) => test !== 'types')
  try {
    if (tests.includes('types')) {
      const failures = await checkTypes(place)
      if (failures.length > 0) return { kind: 'failed', failures }
      if (files.length === 0) return { kind: 'passed' }
    }
    return await runVitest({ files, title, isWhole }, place)
  } catch (error) {
    if (place.signal.aborted || !(error instanceof DOMException && error.name === 'TimeoutError')) throw error
    return { kind: 'hung' }
  }
}

async function runVitest(
  { files, title, isWhole }: { files: string[]; title?: string; isWhole: boolean },
  place: Place,
): Promise<CheckResult> {
  const report = join(place.copy, 'test-results', 'mutation.json')
  rmSync(report, { force: true })
  const options = ['--reporter=json', `--outputFile=${report}`, ...(isWhole ? [] : ['--bail=1'])]
  const args = [packageFile('vitest/vitest.mjs'), 'run', ...options, ...(title ? ['-t', title] : []), ...files]
  const { code, output } = await run(args, place)
  if (!existsSync(report))
    return { kind: 'failed', failures: [{ file: '', what: `no test began: ${firstWords(output)}` }] }
  const { testResults } = vitestReport.parse(JSON.parse(readFileSync(report, 'utf8')))
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(place.copy, name)
    const failed = assertionResults
      .filter((result) => result.status === 'failed')
      .map((result) => ({ file, what: `${result.title} (${firstWords(result.failureMessages?.[0])})` }))
    if (failed.length > 0 || status !== 'failed') return failed
    return [{ file, what: `outside its tests: ${firstWords(message)}` }]
  })
  if (failures.length > 0) return { kind: 'failed', failures }
  if (code !== 0) return { kind: 'failed', failures: [{ file: '', what: `outside its tests: ${firstWords(output)}` }] }
  const hasRun = testResults.some(({ assertionResults }) => assertionResults.some(({ status }) => status === 'passed'))
  return { kind: hasRun ? 'passed' : 'empty' }
}

async function checkTypes(place: Place): Promise<Failure[]> {
  // pages are checked against types that Next writes
  if (!existsSync(join(place.copy, '.next', 'types'))) await run([packageFile('next/dist/bin/next'), 'typegen'], place)
  const { code, output } = await run([packageFile('typescript/bin/tsc'), '--noEmit'], place)
  return code === 0 ? [] : [{ file: 'types', what: firstWords(output) }]
}

function run(args: ToolRun['args'], { copy, env, limitMs, signal }: Place): Promise<{ code: number; output: string }> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  return runTestTool({ args, env, cwd: copy, signal: limited, isShown: false })
}

/** The first line that says something, without color. */
function firstWords(text = ''): string {
  const plain = text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '')
  return (plain.split('\n').find((line) => line.trim() !== '') ?? '').trim().slice(0, 160)
}
