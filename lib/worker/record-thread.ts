/**
 * The thread that reads, proves and formats records for the worker (`readInThread`): the worker's
 * own thread is left to the platform and the database.
 */
import { parentPort } from 'node:worker_threads'
import { readRecordBatch } from '#lib/sync/pages/read-records.ts'
import type { Answer, Question } from './read-in-thread.ts'

parentPort?.on('message', ({ number, list, records }: Question) => {
  let answer: Answer
  const moved: ArrayBuffer[] = []
  try {
    const read = readRecordBatch(list, records)
    const { staged, apart } = read.formatted
    moved.push(staged.bytes.buffer as ArrayBuffer)
    if (apart !== null) moved.push(apart.bytes.buffer as ArrayBuffer)
    answer = { number, read }
  } catch (thrown) {
    answer = { number, failure: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }
  }
  parentPort?.postMessage(answer, moved)
})
