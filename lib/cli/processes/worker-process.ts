import { setTimeout as delay } from 'node:timers/promises'
import { buildWorker, type WorkerFiles } from '../builds/worker-build.ts'
import { CommandError } from '../run/command-error.ts'
import { say } from '../run/terminal.ts'
import { lastLinesOf } from './log-file.ts'
import { type ManagedProcess, startProcess } from './managed-process.ts'

/**
 * `flags` are those of lib/worker/main.ts. `program` was built before; without it the worker is
 * built of its sources as they are now.
 */
export type WorkerOptions = { env: NodeJS.ProcessEnv; logFile: string; flags?: string[]; program?: WorkerFiles }

/**
 * Little is made in the worker's own thread since records are read in another: it needs no large
 * space for young objects (P13).
 */
const NODE_OPTIONS = ['--max-semi-space-size=4']

const RESTART_PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000]
/** A worker that ran this long was sound: its pauses start over. */
const SOUND_AFTER_MS = 60_000

/**
 * Starts one worker. On stop it finishes or hands back its job; a token request under way gets up
 * to 30 seconds, as killing it could cost the account.
 */
export function startWorkerProcess({
  env,
  logFile,
  flags = [],
  program = buildWorker(),
}: WorkerOptions): ManagedProcess {
  const { worker, recordThread } = program
  return startProcess({
    args: [...NODE_OPTIONS, worker, '--record-thread', recordThread, ...flags],
    env,
    logFile,
    stopWithinMs: 45_000,
  })
}

export type KeptWorker = {
  /** Rejects with a CommandError when the worker keeps ending; never resolves. */
  failed: Promise<never>
  stop: (isForced: boolean) => Promise<void>
}

/**
 * Keeps one worker running: restarts it when it ends by itself, a few times with growing pauses.
 * `toEnvironment` makes its environment anew each time: keys may have been added and retired since.
 */
export function keepWorkerRunning(
  toEnvironment: () => NodeJS.ProcessEnv,
  options: Omit<WorkerOptions, 'env'>,
): KeptWorker {
  const stopping = new AbortController()
  const begin = () => startWorkerProcess({ ...options, env: toEnvironment() })
  let current = begin()
  const keep = async (): Promise<never> => {
    for (let failures = 0; ; ) {
      const begunAt = Date.now()
      const how = await current.exited
      if (stopping.signal.aborted) return new Promise<never>(() => undefined)
      failures = Date.now() - begunAt > SOUND_AFTER_MS ? 1 : failures + 1
      const pause = RESTART_PAUSES_MS[failures - 1]
      if (pause === undefined)
        throw new CommandError(`The worker keeps stopping (${how}); its log is ${options.logFile}.`, {
          details: lastLinesOf(options.logFile),
        })
      say(`  The worker stopped (${how}) and is started again; its log is ${options.logFile}.`)
      await delay(pause)
      if (!stopping.signal.aborted) current = begin()
    }
  }
  const failed = keep()
  failed.catch(() => undefined) // whoever awaits it gets the rejection
  return {
    failed,
    stop: (isForced) => {
      stopping.abort()
      return current.stop(isForced)
    },
  }
}
