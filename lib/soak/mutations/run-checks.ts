import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as z from 'zod'
import { packageFile } from '#lib/cli/run/project-root.ts'
import { runTestTool, type ToolRun } from '#lib/cli/test/test-run.ts'

/**
 * Where and how checks run: the copy of the project, its environment, the time limit of one run.
 */
export type Place = { copy: string; env: Record<string, string>; limitMs: number; signal: AbortSignal }

export type Checks = { tests: string[]; title?: string }

/**
 * `test` is its title with the enclosing ones; null for a failure outside of tests. `file` is empty
 * when unknown.
 */
export type Failure = { file: string; test: string | null; what: string }

/** How checks ended. `hung`: they exceeded the limit. `empty`: no test had the title. */
export type CheckResult = { kind: 'passed' | 'hung' | 'empty' } | { kind: 'failed'; failures: Failure[] }

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
})

/** A browser story first builds the web app, with the breakage in it. */
const STORY_TAKES = 4

/**
 * Runs test files, browser stories (`.spec.ts`) and the type check (`types`) in the copy. `isWhole`
 * continues after the first failure.
 */
export async function runChecks({ tests, title }: Checks, place: Place, isWhole = false): Promise<CheckResult> {
  const stories = tests.filter(isStory)
  const files = tests.filter((test) => test !== 'types' && !isStory(test))
  const steps: (() => Promise<CheckResult>)[] = [
    ...(tests.includes('types') ? [() => checkTypes(place)] : []),
    ...(files.length > 0 ? [() => runVitest({ files, title, isWhole }, place)] : []),
    ...(stories.length > 0 ? [() => runStories({ files: stories, title, isWhole }, place)] : []),
  ]
  const results: CheckResult[] = []
  try {
    for (const step of steps) {
      const result = await step()
      if (!isWhole && result.kind === 'failed') return result
      results.push(result)
    }
  } catch (error) {
    if (place.signal.aborted || !(error instanceof DOMException && error.name === 'TimeoutError')) throw error
    return { kind: 'hung' }
  }
  const failures = results.flatMap((result) => (result.kind === 'failed' ? result.failures : []))
  if (failures.length > 0) return { kind: 'failed', failures }
  return { kind: results.some(({ kind }) => kind === 'passed') ? 'passed' : 'empty' }
}

/** True for a test that needs a browser and a built web app. */
export function isStory(test: string): boolean {
  return test.endsWith('.spec.ts')
}

type Files = { files: string[]; title?: string; isWhole: boolean }

async function runVitest({ files, title, isWhole }: Files, place: Place): Promise<CheckResult> {
  const report = join(place.copy, 'test-results', 'mutation.json')
  rmSync(report, { force: true })
  const options = ['--reporter=json', `--outputFile=${report}`, ...(isWhole ? [] : ['--bail=1'])]
  const args = [packageFile('vitest/vitest.mjs'), 'run', ...options, ...(title ? ['-t', title] : []), ...files]
  const { code, output } = await run(args, place)
  if (!existsSync(report)) return failed('', `no test began: ${firstWords(output)}`)
  const { testResults } = vitestReport.parse(JSON.parse(readFileSync(report, 'utf8')))
  const failures = testResults.flatMap(({ name, status, message, assertionResults }): Failure[] => {
    const file = relative(place.copy, name)
    const failedTests = assertionResults
      .filter((result) => result.status === 'failed')
      .map((result) => ({ file, test: result.fullName, what: firstWords(result.failureMessages?.[0]) }))
    if (failedTests.length > 0 || status !== 'failed') return failedTests
    return [{ file, test: null, what: `outside its tests: ${firstWords(message)}` }]
  })
  if (failures.length > 0) return { kind: 'failed', failures }
  if (code !== 0) return failed('', `outside its tests: ${firstWords(output)}`)
  const hasRun = testResults.some(({ assertionResults }) => assertionResults.some(({ status }) => status === 'passed'))
  return { kind: hasRun ? 'passed' : 'empty' }
}

/** Through the copy's own `npm test`, which builds what has changed. */
async function runStories({ files, title, isWhole }: Files, place: Place): Promise<CheckResult> {
  const options = [...(title ? ['-g', title] : []), ...(isWhole ? [] : ['-x'])]
  const args = [join(place.copy, 'lib', 'cli', 'bootstrap.mjs'), 'test', 'browser', ...files, ...options]
  const { code, output } = await run(args, { ...place, limitMs: place.limitMs * STORY_TAKES })
  if (code === 0) return { kind: 'passed' }
  if (/^Error: No tests found/m.test(output)) return { kind: 'empty' }
  const failures = [...output.matchAll(/^ +\d+\) (?:\[\w+\] › )?(\S+?):\d+:\d+ › (.+?)[ ─]*$/gm)].map(
    ([, file = '', test = '']) => ({
      file: `e2e/${file}`,
      test,
      what: '',
    }),
  )
  return failures.length > 0
    ? { kind: 'failed', failures }
    : failed(files[0] ?? '', `no story began: ${lastWords(output)}`)
}

async function checkTypes(place: Place): Promise<CheckResult> {
  // pages are checked against types that Next.js writes
  if (!existsSync(join(place.copy, '.next', 'types'))) await run([packageFile('next/dist/bin/next'), 'typegen'], place)
  const { code, output } = await run([packageFile('typescript/bin/tsc'), '--noEmit'], place)
  return code === 0 ? { kind: 'passed' } : failed('types', firstWords(output))
}

function failed(file: string, what: string): CheckResult {
  return { kind: 'failed', failures: [{ file, test: null, what }] }
}

function run(args: ToolRun['args'], { copy, env, limitMs, signal }: Place): Promise<{ code: number; output: string }> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  return runTestTool({ args, env, cwd: copy, signal: limited, isShown: false })
}

/** The first line with text, without color. */
function firstWords(text?: string): string {
  return listLines(text)[0] ?? ''
}

function lastWords(text?: string): string {
  return listLines(text).at(-1) ?? ''
}

const COLOR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

function listLines(text = ''): string[] {
  const lines = text.replace(COLOR, '').split('\n')
  return lines.map((line) => line.trim().slice(0, 160)).filter((line) => line !== '')
}
