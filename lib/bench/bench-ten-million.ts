/**
 * `npm run bench -- ten-million [--lines 10000000] [--rounds 3]`: P14, the summaries beside DuckDB
 * (P3) and the file of all lines beside `psql \copy` (P5), at a million lines and at many more,
 * each in a database of its own.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { formatDuration, say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { fillLedger } from '#lib/world/fill-ledger.ts'
import { type OwnWeb, startOwnWeb } from '#lib/world/own-web.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf } from '#lib/world/process-figures.ts'
import { findPsql, writeReport } from './bench-report.ts'
import { type Answer, compareAnswers, toMs } from './desk/desk-answers.ts'
import { openDuckDb } from './desk/desk-peer.ts'
import { QUESTIONS } from './desk/desk-questions.ts'
import { copyByPsql, type Download, download, type Person, requireSameRows } from './desk/export-peer.ts'

const USAGE = 'Usage: npm run bench -- ten-million [--lines 10000000] [--rounds 3]'
const MILLION = 1_000_000
const MOST = 1.5

type Desk = { world: OwnWorld; web: OwnWeb; person: Person }

type Size = {
  lines: number
  databaseBytes: number
  answers: Answer[]
  ours: Download[]
  copies: number[]
}

/** @throws CommandError when an answer or a file is not the peer's, or without `psql`. */
export async function benchTenMillion(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string' }, rounds: { type: 'string' } } })
  const [lines, rounds] = [Number(values.lines ?? 10 * MILLION), Number(values.rounds ?? 3)]
  if (!(lines > MILLION && rounds >= 1)) throw new CommandError(USAGE)
  if (findPsql() === null) throw new CommandError('This benchmark needs psql (package postgresql-client).')
  const sizes: Size[] = []
  for (const size of [MILLION, lines]) {
    const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
    say(`  ${size.toLocaleString('en')} lines are made`)
    await fillLedger(world, size, { withRecords: false })
    sizes.push(await measureSize(lifetime, world, size, rounds))
    await lifetime.end()
  }
  reportSizes(sizes, rounds)
}

async function measureSize(lifetime: Lifetime, world: OwnWorld, lines: number, rounds: number): Promise<Size> {
  const web = await startOwnWeb(lifetime, world)
  const desk = { world, web, person: await web.signIn('large@example.com', world.organizationId) }
  const answers = await measureAnswers(desk, rounds)
  const files = await measureFiles(desk, lines, rounds)
  return { lines, databaseBytes: await readDatabaseBytes(), answers, ...files }
}

async function measureAnswers({ world, web, person }: Desk, rounds: number): Promise<Answer[]> {
  const duck = await openDuckDb(world.organizationId, world.folder)
  const answers: Answer[] = []
  for (const question of QUESTIONS.filter(({ kind }) => kind === 'summary'))
    answers.push(await compareAnswers(web, person.cookie, duck, question, rounds))
  duck.closeSync()
  return answers
}

/** Both in turn, each into a file: the first two are compared before a time counts. */
async function measureFiles(
  { world, web, person }: Desk,
  lines: number,
  rounds: number,
): Promise<Pick<Size, 'ours' | 'copies'>> {
  const [file, peer] = [join(world.folder, 'ours.csv'), join(world.folder, 'peer.csv')]
  const ours: Download[] = []
  const copies: number[] = []
  for (let round = 1; round <= rounds; round++) {
    copies.push(await copyByPsql(world, peer))
    ours.push(await download(web, person, file))
    say(`  the file: ours ${toSeconds(ours.at(-1)?.seconds)}, psql ${toSeconds(copies.at(-1))}`)
    if (round === 1) await requireSameRows(file, peer, lines)
  }
  return { ours, copies }
}
async function readDatabaseBytes(): Promise<number> {
  const [row] = await withSystemSql((sql) =>
    sql<{ bytes: string }>('select pg_database_size(current_database())::text as bytes'),
  )
  return Number(row?.bytes)
}

function reportSizes(sizes: Size[], rounds: number): void {
  const [small, large] = sizes as [Size, Size]
  const toMillions = ({ lines }: Size) => `${lines / MILLION} M`
  const answers = small.answers.map((answer, at) => {
    const other = large.answers[at] as Answer
    const [mine, theirs] = [ratioOf(answer.ours, answer.duck), ratioOf(other.ours, other.duck)]
    return {
      goal: 'P14',
      what: `P3: ${answer.question.name}, at ${toMillions(large)}`,
      measured: `${theirs.toFixed(2)}x of DuckDB's time (${toMs(medianOf(other.ours))} against ${toMs(medianOf(other.duck))}); at ${toMillions(small)} ${mine.toFixed(2)}x (${toMs(medianOf(answer.ours))} against ${toMs(medianOf(answer.duck))})`,
      target: `<= ${(mine * MOST).toFixed(2)}x`,
      isMet: theirs <= mine * MOST,
    }
  })
  const speedOf = ({ lines, ours, copies }: Size) => {
    const [mine, theirs] = [medianOf(ours.map(({ seconds }) => seconds)), medianOf(copies)]
    const speed = (seconds: number) => Math.round(lines / seconds).toLocaleString('en')
    return { ratio: theirs / mine, text: `${speed(mine)} rows/s against ${speed(theirs)}` }
  }
  const [mine, theirs] = [speedOf(small), speedOf(large)]
  const gigabytes = (large.databaseBytes / 2 ** 30).toFixed(1)
  writeReport({
    subject: 'ten-million',
    data: {
      rounds,
      sizes: sizes.map(({ answers, ...size }) => ({
        ...size,
        answers: answers.map(({ question, ...times }) => ({ name: question.name, ...times })),
      })),
    },
    figures: [
      ...answers,
      {
        goal: 'P14',
        what: `P5: CSV of all lines over HTTP, against \`psql \\copy\`, at ${toMillions(large)}`,
        measured: `${theirs.ratio.toFixed(2)}x of its speed (${theirs.text}); at ${toMillions(small)} ${mine.ratio.toFixed(2)}x (${mine.text})`,
        target: `>= ${(mine.ratio / MOST).toFixed(2)}x`,
        isMet: theirs.ratio >= mine.ratio / MOST,
      },
      {
        goal: 'P14',
        what: `first byte of the file, at ${toMillions(large)}`,
        measured: toMs(medianOf(large.ours.map(({ firstByteMs }) => firstByteMs))),
        target: '–',
        isMet: null,
      },
    ],
    notes: [
      `${large.lines.toLocaleString('en')} and ${small.lines.toLocaleString('en')} lines made by the database (INSERT from SELECT, not synced), each in a database of its own; without their records as sent, which neither question reads. With its roll-ups and indexes the large one has ${gigabytes} GB. Medians of ${rounds} answers in turn.`,
      'Before a time counts: each answer has the cells of DuckDB, and the file the cells of `psql`, in the same order, at both sizes.',
    ],
  })
}

function toSeconds(seconds = 0): string {
  return formatDuration(seconds * 1000)
}

function ratioOf(ours: number[], theirs: number[]): number {
  return medianOf(ours) / medianOf(theirs)
}
