import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { log } from '#lib/log.ts'
import type { SyncList } from '#lib/sync/model.ts'
import type { ReadRecords, RecordsRead, RecordToRead } from '#lib/sync/pages/read-records.ts'

/** What the thread is asked, and what it answers; `number` tells answers apart. */
export type Question = { number: number; list: SyncList; records: readonly RecordToRead[] }
export type Answer = { number: number } & ({ read: RecordsRead } | { failure: string })

type Waiting = { resolve: (read: RecordsRead) => void; reject: (error: Error) => void }

/** The thread's heap: it keeps nothing; the largest answer of a platform has room in it. */
const LIMITS = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 }

/**
 * Reads records in a thread of their own, the bundle at `path` (lib/worker/record-thread.ts), which
 * is read now and not again: another version may take its place. The thread is started when it is
 * first needed, and does not keep the process alive. When it dies, what it was asked fails, and the
 * next question starts another.
 */
export function readInThread(path: string): ReadRecords {
  const program = readFileSync(path, 'utf8')
  let thread: Worker | null = null
  let number = 0
  const waiting = new Map<number, Waiting>()

  function lose(lost: Worker, reason: string): void {
    if (thread !== lost) return
    thread = null
    log.error({ reason }, 'the thread that reads records ended')
    const failed = [...waiting.values()]
    waiting.clear()
    for (const { reject } of failed) reject(new Error(`The thread that reads records ended: ${reason}`))
  }

  function start(): Worker {
    const started = new Worker(program, { eval: true, resourceLimits: LIMITS })
    started.on('message', (answer: Answer) => {
      const asked = waiting.get(answer.number)
      waiting.delete(answer.number)
      if (waiting.size === 0) started.unref()
      if ('read' in answer) asked?.resolve(withBuffers(answer.read))
      else asked?.reject(new Error(answer.failure))
    })
    started.on('error', (error) => lose(started, error.message))
    started.on('exit', (code) => lose(started, `exit code ${code}`))
    return started
  }

  return (list, records) =>
    new Promise((resolve, reject) => {
      thread ??= start()
      number += 1
      waiting.set(number, { resolve, reject })
      thread.ref()
      const question: Question = { number, list, records }
      thread.postMessage(question)
    })
}

/** Bytes arrive as plain arrays: the same bytes as buffers again. */
function withBuffers(read: RecordsRead): RecordsRead {
  const { staged, apart } = read.formatted
  const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)
  staged.bytes = toBuffer(staged.bytes)
  if (apart !== null) apart.bytes = toBuffer(apart.bytes)
  return read
}
