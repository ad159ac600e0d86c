import { endPool, switchPool } from '#lib/db/pool.ts'
import { settings as readSettings, SettingsError } from '#lib/env.ts'
import { type Finding, problem, toWords, warning } from './doctor/finding.ts'
import { findDatabase, lookAtDatabase } from './doctor/look-at-database.ts'
import {
  lookAtDisks,
  lookAtKeys,
  lookAtMail,
  lookAtPlatform,
  lookAtSettings,
  type RingsAtHand,
} from './doctor/look-at-machine.ts'
import { lookAtFigures } from './doctor-figures.ts'
import { CommandError } from './run/command-error.ts'
import { readKeysAtHand } from './run/keys-files.ts'
import type { Lifetime } from './run/lifetime.ts'
import { bold, dim, green, red, say } from './run/terminal.ts'

const MARKS: Record<Finding['level'], string> = { ok: green('✓'), warning: bold('!'), problem: red('✗') }

/**
 * Looks at the whole installation and says what is wrong and what to do: configuration, disks,
 * database, schema, role, clocks, keys, platform, mail, what waits. Changes nothing.
 * With `figures` it looks at these instead (`lookAtFigures`).
 * @returns the exit code: 1 when something keeps the program from working.
 */
export async function doctor(lifetime: Lifetime, [what, ...args]: string[] = []): Promise<number> {
  if (what === 'figures') return examineFigures(lifetime, args)
  const findings = await examine(lifetime)
  for (const { level, about, text, next } of findings) {
    say(`  ${MARKS[level]} ${about}: ${text}`)
    if (next !== undefined) say(`      ${dim(next)}`)
  }
  const count = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length
  say(`${count('ok')} in order, ${count('warning')} to look at, ${count('problem')} wrong`)
  return count('problem') === 0 ? 0 : 1
}

async function examineFigures(lifetime: Lifetime, args: string[]): Promise<number> {
  const url = await findDatabase(readSettings(), lifetime)
  if (url === null) throw new CommandError('There is no database yet.', { exitCode: 2 })
  await switchPool(url)
  try {
    return await lookAtFigures(lifetime, args)
  } finally {
    await endPool()
  }
}

/** @internal Everything that `doctor` finds. */
export async function examine(lifetime: Lifetime): Promise<Finding[]> {
  let settings: ReturnType<typeof readSettings>
  try {
    settings = readSettings()
  } catch (thrown) {
    if (thrown instanceof SettingsError) return thrown.problems.map((text) => problem('Configuration', text))
    throw thrown
  }
  const [disks, platform, mail] = await Promise.all([
    lookAtDisks(settings),
    lookAtPlatform(settings),
    lookAtMail(settings),
  ])
  return [...lookAtSettings(settings), ...disks, ...(await examineDatabase(settings, lifetime)), ...platform, ...mail]
}

async function examineDatabase(settings: ReturnType<typeof readSettings>, lifetime: Lifetime): Promise<Finding[]> {
  let url: string | null
  let rings: RingsAtHand
  try {
    url = await findDatabase(settings, lifetime)
    rings = readKeysAtHand(settings)
  } catch (thrown) {
    return [problem('Database', toWords(thrown))]
  }
  if (url === null) return [warning('Database', 'there is none yet', '`npm start` makes it, or set DATABASE_URL.')]
  const findings = await lookAtDatabase(url)
  if (findings.some(({ about, level }) => level === 'problem' && /^(Database|Schema)$/.test(about))) return findings
  await switchPool(url)
  try {
    return [...findings, ...(await lookAtKeys(rings))]
  } finally {
    await endPool()
  }
}
