/** A question asked of ours over HTTP, and of DuckDB. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { CommandError } from '#lib/cli/run/command-error.ts'
import { say } from '#lib/cli/run/terminal.ts'
import type { OwnWeb } from '#lib/world/own-web.ts'
import { medianOf } from '#lib/world/process-figures.ts'
import { askDuckDb } from './desk-peer.ts'
import { compareCells, type Question, readAnswer, readDuckRows, toAddress, toDuckSql } from './desk-questions.ts'

/** Answers before those that count: V8 compiles a path only after it has run it many times. */
export const WARM_UPS = 20

/** Its milliseconds, and how many cells it has. */
export type Answer = { question: Question; ours: number[]; duck: number[]; cells: number }

/**
 * Both answers once, compared; then some of both that do not count; then their times in turns.
 * @throws CommandError when they differ.
 */
export async function compareAnswers(
  web: OwnWeb,
  cookie: string,
  duck: DuckDBConnection,
  question: Question,
  rounds: number,
): Promise<Answer> {
  const query = toDuckSql(question)
  const address = toAddress(question)
  const cells = readAnswer(question, await readText(web.url + address, cookie))
  const problem = compareCells(cells, readDuckRows(await askDuckDb(duck, query)))
  if (problem !== null) throw new CommandError(`"${question.name}" is not what DuckDB says: ${problem}.`)
  const answer: Answer = { question, ours: [], duck: [], cells: cells.size }
  const ask = async () => ({
    ours: await timeOf(() => readText(web.url + address, cookie)),
    duck: await timeOf(() => askDuckDb(duck, query)),
  })
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) await ask()
  for (let round = 0; round < rounds; round++) {
    const times = await ask()
    answer.ours.push(times.ours)
    answer.duck.push(times.duck)
  }
  say(`  ${question.name}: ${toMs(medianOf(answer.ours))}, DuckDB ${toMs(medianOf(answer.duck))}`)
  return answer
}

export async function readText(url: string, cookie: string): Promise<string> {
  const reply = await fetch(url, { headers: { cookie } })
  const text = await reply.text()
  if (reply.status !== 200) throw new CommandError(`${url} was answered with ${reply.status}.`)
  return text
}

/** Its milliseconds. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

export function toMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`
}
