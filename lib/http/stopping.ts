// one value, however many copies of this module the web server's bundles hold
const holder = globalThis as { tieoutIsStopping?: boolean }

/**
 * Notes the signal to stop (instrumentation.ts calls it once): `/api/ready` says so at once, while
 * Next.js finishes the requests in hand.
 */
export function noteStopSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      holder.tieoutIsStopping = true
    })
}

/** True once this process was told to stop. */
export function isStopping(): boolean {
  return holder.tieoutIsStopping === true
}
