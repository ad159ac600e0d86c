/** What a worker does several of at a time. */
export type Crew<Job> = {
  /**
   * Begins what is due as far as there are hands, in this order, and goes on with the rest as hands
   * get free. What is in hand is not begun again. A later offer takes the place of what waits.
   */
  offer: (jobs: readonly Job[]) => void
  /** Begins nothing more; resolves when nothing is in hand, or after `timeoutMs`. */
  stop: (timeoutMs: number) => Promise<void>
}

/**
 * At most `hands` jobs at a time, each by its key. Nothing is kept but in this process: what is due
 * stands in the database, and whoever takes a job there first has it (`claimRun`). So several
 * workers offer themselves the same jobs, and one that dies leaves nothing behind but a lease.
 * `work` never rejects.
 */
export function createCrew<Job>(
  hands: number,
  toKey: (job: Job) => string,
  work: (job: Job) => Promise<void>,
): Crew<Job> {
  const inHand = new Map<string, Promise<void>>()
  let waiting: Job[] = []
  let isStopped = false

  function begin(): void {
    while (!isStopped && inHand.size < hands) {
      const job = waiting.shift()
      if (job === undefined) return
      const key = toKey(job)
      if (inHand.has(key)) continue
      const done = work(job).finally(() => {
        inHand.delete(key)
        begin()
      })
      inHand.set(key, done)
    }
  }

  return {
    offer: (jobs) => {
      waiting = jobs.filter((job) => !inHand.has(toKey(job)))
      begin()
    },
    stop: async (timeoutMs) => {
      isStopped = true
      let timer: NodeJS.Timeout | undefined
      const tooLong = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs)
      })
      await Promise.race([Promise.allSettled(inHand.values()), tooLong])
      clearTimeout(timer)
    },
  }
}
