import type { Lifetime } from '../run/lifetime.ts'
import { preparePrismaClient } from '../run/prisma-client.ts'
import { runStep } from '../run/steps.ts'
import { bold, formatDuration, green, red, say } from '../run/terminal.ts'
import { type Counts, formatCounts } from './test-counts.ts'
import { PARTS, type PartOutcome } from './test-parts.ts'

type PartResult = PartOutcome & { name: string; durationMs: number }

const STOPPED_EXIT_CODE = 130

/**
 * Runs all parts of the tests or the named ones (`npm test -- unit lib/reconcile`), each even after
 * an earlier one failed. What failed is named again at the end, and the last line is "N passed, N
 * failed".
 * @returns exit code 1 when anything failed.
 */
export async function test({ signal }: Lifetime, args: string[]): Promise<number> {
  const { names, filters } = selectParts(args)
  const results: PartResult[] = []
  try {
    await runStep('Prisma Client', () => preparePrismaClient(signal))
    for (const name of names) results.push(await runPart(name, filters, signal, results))
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
  const counts = await (PARTS[name] as (typeof PARTS)[string])({ signal, filters, isBuilt })
  const durationMs = Date.now() - begin
  say(`${counts.failed === 0 ? green('✓') : red('✗')} ${name}: ${formatCounts(counts)}  ${formatDuration(durationMs)}`)
  return { ...counts, name, durationMs }
}

/**
 * Part names pick parts; other arguments pick among their tests. Without a part name, a `.spec.ts`
 * file means the browser part and any other path the unit part. The browser part includes the
 * build.
 */
export function selectParts(args: string[]): { names: string[]; filters: string[] } {
  const all = Object.keys(PARTS)
  const filters = args.filter((arg) => !all.includes(arg))
  const named = args.filter((arg) => all.includes(arg))
  if (named.length === 0 && filters.length === 0) return { names: all, filters }
  if (named.length === 0) named.push(filters.some((filter) => filter.includes('.spec')) ? 'browser' : 'unit')
  if (named.includes('browser')) named.push('build')
  return { names: all.filter((name) => named.includes(name)), filters }
}

function summarize(results: PartResult[]): number {
  const sum = (key: keyof Counts) => results.reduce((total, result) => total + result[key], 0)
  const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
  say()
  for (const { name, failures = [] } of results)
    for (const failure of failures) say(`${red('✗')} ${name}: ${failure}\n`)
  for (const { name, durationMs, ...counts } of results)
    say(
      `${counts.failed === 0 ? green('✓') : red('✗')} ${name.padEnd(8)} ${formatDuration(durationMs).padStart(12)}   ${formatCounts(counts)}`,
    )
  say(formatCounts(total))
  return total.failed === 0 ? 0 : 1
}
