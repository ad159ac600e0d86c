import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from './project-root.ts'
import { say } from './terminal.ts'

/** One row of the table: what was measured, and what it is held against. `isMet` null: nothing is promised. */
type Figure = { goal: string; what: string; measured: string; target: string; isMet: boolean | null }

export type Report = {
  subject: string
  /** What the figures come from: sizes and every repeat. */
  data: Record<string, unknown>
  figures: Figure[]
  notes: string[]
}

/** Prints a report as a table and keeps it as `docs/benchmarks/<subject>.json` and `.md`. */
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
    `${machine.postgresClient}; load before the run ${machine.load}. Every repeat is in \`${subject}.json\`.`,
    '',
    ...table,
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ].join('\n')
  const folder = join(projectRoot, 'docs', 'benchmarks')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${subject}.json`), `${JSON.stringify({ subject, machine, figures, ...data }, null, 2)}\n`)
  writeFileSync(join(folder, `${subject}.md`), text)
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

/** The version line of the PostgreSQL client that is installed, or null. */
export function findPsql(): string | null {
  try {
    return execFileSync('psql', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    // not installed, which the report says
    return null
  }
}

/** The middle one; of an even number of values the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Resident memory of a process in bytes; null when it has ended. Linux only. */
export function readResidentBytes(pid: number): number | null {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    // it has ended
    return null
  }
}

/** What Linux counts processor time in. */
export const TICKS_PER_SECOND = 100

/** Processor time that a process has used, in ticks of the system's clock; 0 when it has ended. Linux only. */
export function readCpuTicks(pid: number): number {
  try {
    // behind the command's name, which may hold spaces: state is field 3, utime 14, stime 15
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  } catch {
    // it has ended
    return 0
  }
}
