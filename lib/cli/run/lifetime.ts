import { runStep } from './steps.ts'
import { say } from './terminal.ts'

/** Ends one thing that a command started. `isForced` means now, without letting it finish. */
type End = (isForced: boolean) => Promise<void>

/** How long a command lives, and what it must end before it exits. */
export type Lifetime = {
  /** Aborted by Ctrl-C, SIGTERM, SIGHUP or the end of the process that started the command. */
  signal: AbortSignal
  /** Registers what to end, in reverse order. */
  onEnd: (name: string, end: End) => void
  /** Ends everything in turn, even when a step fails. */
  end: () => Promise<void>
}

// Ctrl-C arrives from the terminal, from npm and from the bootstrap: within this time it is one
// request
const SAME_WISH_MS = 1000

/**
 * Listens to this process's signals. A second stop request, at least a second later, kills what
 * still runs.
 */
export function createLifetime(): Lifetime {
  const controller = new AbortController()
  const toEnd: { name: string; end: End }[] = []
  let firstWishAt: number | null = null
  const stop = () => {
    const now = Date.now()
    firstWishAt ??= now
    controller.abort(new StoppedError())
    if (now - firstWishAt > SAME_WISH_MS) forceEnd(toEnd)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  process.once('disconnect', stop)
  process.channel?.unref()
  return {
    signal: controller.signal,
    onEnd: (name, end) => toEnd.push({ name, end }),
    end: () => endAll(toEnd, controller.signal.aborted),
  }
}

/** Thrown by an aborted lifetime. Not a failure: the exit code stays 0. */
export class StoppedError extends Error {}

async function endAll(toEnd: { name: string; end: End }[], isWished: boolean): Promise<void> {
  if (isWished && toEnd.length > 0) say('\nStopping')
  for (let entry = toEnd.at(-1); entry; entry = toEnd.at(-1)) {
    const { name, end } = entry
    try {
      if (isWished) await runStep(name, () => end(false).then(() => undefined))
      else await end(false)
    } catch (error) {
      process.stderr.write(`${name} did not stop cleanly: ${error instanceof Error ? error.message : String(error)}\n`)
    }
    toEnd.pop()
  }
}

function forceEnd(toEnd: { name: string; end: End }[]): void {
  say('\nKilling what is still running')
  Promise.allSettled(toEnd.map(({ end }) => end(true))).then(() => process.exit(130))
}
