import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { say } from '#lib/cli/run/terminal.ts'

/**
 * One row of the table: what was measured, and its target. `isMet` is null when nothing is
 * promised.
 */
type Figure = { goal: string; what: string; measured: string; target: string; isMet: boolean | null }

/** Makes the rows of one goal; without a target nothing is promised. */
export function rowsOf(goal: string) {
  return (what: string, measured: string, target = '–', isMet: boolean | null = null): Figure => ({
    goal,
    what,
    measured,
    target,
    isMet,
  })
}

export type Report = {
  subject: string
  /** The raw data behind the figures: sizes and every repeat. */
  data: Record<string, unknown>
  figures: Figure[]
  notes: string[]
}

/**
 * Prints a report as a table and keeps it as `docs/benchmarks/<subject>.md`. Every repeat is in
 * `test-results`, which is not kept: a page of figures is read, ten thousand of them are not.
 */
export function writeReport({ subject, data, figures, notes }: Report): void {
  const machine = describeMachine()
  const rows = figures.map(({ goal, what, measured, target, isMet }) =>
    [goal, what, measured, target, isMet === null ? '–' : isMet ? 'yes' : '**no**'].join(' | '),
  )
  const table = [
    '| Goal | What | Measured | Target | Met |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ]
  const text = [
    `# Benchmark: ${subject}`,
    '',
    `\`npm run bench -- ${subject}\` on ${machine.day}: ${machine.cores} cores (${machine.model}), ${machine.memory}, Node ${machine.node},`,
    `${machine.postgresClient}; load before the run ${machine.load}. Every repeat is in \`test-results/${subject}.json\`.`,
    '',
    ...table,
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ].join('\n')
  const [kept, raw] = [join(projectRoot, 'docs', 'benchmarks'), join(projectRoot, 'test-results')]
  for (const folder of [kept, raw]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(raw, `${subject}.json`), `${JSON.stringify({ subject, machine, figures, ...data }, null, 2)}\n`)
  writeFileSync(join(kept, `${subject}.md`), text)
  say(text)
}

const loadAtStart = loadavg()
  .map((load) => load.toFixed(2))
  .join(' ')

function describeMachine() {
  return {
    day: new Date().toISOString().slice(0, 10),
    cores: cpus().length,
    model: cpus()[0]?.model.trim() ?? 'unknown',
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    node: process.versions.node,
    postgresClient: findPsql() ?? 'no psql',
    load: loadAtStart,
  }
}

/** The version line of the installed PostgreSQL client, or null. */
export function findPsql(): string | null {
  try {
    return execFileSync('psql', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    // not installed; the report says so
    return null
  }
}
