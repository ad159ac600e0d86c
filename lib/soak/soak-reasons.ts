/**
 * `npm run soak -- reasons [--lines 1000000]`: makes lines of every convention and every fault in
 * PostgreSQL, judges them there and here, and compares findings and reasons (decision 019).
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { compareWithOracle } from './line-oracle.ts'

/** @throws CommandError when a finding is false or missed, or a reason is not the oracle's. */
export async function soakReasons(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string' } } })
  const lines = Number(values.lines ?? 1_000_000)
  if (!(lines >= 1)) throw new CommandError('Usage: npm run soak -- reasons [--lines 1000000]')
  const folder = mkdtempSync(join(tmpdir(), 'tieout-soak-'))
  chmodSync(folder, 0o711) // PostgreSQL may run as another account and must pass
  lifetime.onEnd('Soak folder', async () => rmSync(folder, { recursive: true, force: true }))
  const server = await startEmbeddedPostgres(join(folder, 'postgres'), 'tieout', ['fsync=off'])
  lifetime.onEnd('PostgreSQL', server.leave)
  await switchPool(server.url)
  lifetime.onEnd('Database connections', endPool)
  const tally = await withSystemSql((sql) => compareWithOracle(sql, lines))
  for (const [plant, { lines, found, explained }] of tally.byPlant)
    say(`${plant.padEnd(24)} ${lines} lines, ${found} with findings, ${explained} explained`)
  const faults = ['fault_total', 'fault_tax', 'fault_both'].map((plant) => tally.byPlant.get(plant))
  const missed = faults.reduce((sum, each) => sum + (each ? each.lines - each.found : 0), 0)
  const falseFindings = tally.byPlant.get('right')?.found ?? 0
  say(
    `${tally.lines} lines: ${falseFindings} false findings, ${missed} missed, ${tally.differences.length} other than PostgreSQL`,
  )
  if (falseFindings + missed + tally.differences.length > 0)
    throw new CommandError(`Not equal: ${JSON.stringify(tally.differences.slice(0, 3))}`)
}
