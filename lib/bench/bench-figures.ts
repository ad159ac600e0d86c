/**
 * `npm run bench -- figures [--lines 1000000] [--rounds 3]`: how long `npm run doctor -- figures`
 * takes over a large account and what memory it needs, beside one reading of every line.
 */
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql, withTenantSnapshot } from '#lib/db/tenant.ts'
import { compareFigures, listFigureKinds } from '#lib/ledger/kept/compare-figures.ts'
import { fillLedger } from '#lib/world/fill-ledger.ts'
import { openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf } from '#lib/world/process-figures.ts'
import { writeReport } from './bench-report.ts'

const USAGE = 'Usage: npm run bench -- figures [--lines 1000000] [--rounds 3]'
const SAMPLE_MS = 200
const MEGABYTE = 2 ** 20

type Round = { compareMs: number; readMs: number; peakBytes: number }

/** @throws CommandError when a figure of the account that was made is wrong. */
export async function benchFigures(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string' }, rounds: { type: 'string' } } })
  const [lines, rounds] = [Number(values.lines ?? 1_000_000), Number(values.rounds ?? 3)]
  if (!(lines >= 1000 && rounds >= 1)) throw new CommandError(USAGE)
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
  const { organizationId, connectionId } = world
  say(`  ${lines} lines are made`)
  await fillLedger(world, lines)
  const before = process.memoryUsage().rss
  const times: Round[] = []
  for (let round = 1; round <= rounds; round++) {
    say(`Round ${round} of ${rounds}`)
    let peakBytes = 0
    const sample = setInterval(() => {
      peakBytes = Math.max(peakBytes, process.memoryUsage().rss)
    }, SAMPLE_MS)
    const begin = performance.now()
    const wrong = await compareFigures(organizationId, connectionId)
    const compareMs = performance.now() - begin
    clearInterval(sample)
    if (wrong.length > 0) throw new CommandError(`${wrong[0]?.name} ${wrong[0]?.key} is wrong in a ledger just made.`)
    const readBegin = performance.now()
    await withTenantSnapshot(organizationId, (sql) =>
      sql('select count(l.*), sum(total_amount) from line l where connection_id = $1', [connectionId]),
    )
    times.push({ compareMs, readMs: performance.now() - readBegin, peakBytes })
  }
  const kinds = await withSystemSql(listFigureKinds)
  const compareMs = medianOf(times.map((each) => each.compareMs))
  const readMs = medianOf(times.map((each) => each.readMs))
  const grown = (Math.max(...times.map((each) => each.peakBytes)) - before) / MEGABYTE
  const figure = (what: string, measured: string) => ({ goal: '–', what, measured, target: '–', isMet: null })
  writeReport({
    subject: 'figures',
    data: { lines, rounds, times, before },
    figures: [
      figure(`${kinds.length} kinds of figures beside their records`, `${(compareMs / 1000).toFixed(1)} s`),
      figure('every line read once by the database', `${(readMs / 1000).toFixed(1)} s`),
      figure('readings of every line that it takes', `${(compareMs / readMs).toFixed(0)}x`),
      figure('memory that the command grew by', `${grown.toFixed(0)} MB`),
    ],
    notes: [`${lines.toLocaleString('en')} lines made by the database; ${rounds} rounds in turn; medians.`],
  })
}
