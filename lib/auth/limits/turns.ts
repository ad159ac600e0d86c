/**
 * Turns for work that a process can do only a little of at a time. A full queue refuses at once.
 * Callers gone before their turn are skipped: work that nobody waits for is not done.
 */
export type TurnOptions = {
  /** Aborted when nobody waits for the result any more. */
  signal?: AbortSignal
  /** Waits however long the queue is. */
  isPatient?: boolean
}

export type Turn<T> = { kind: 'done'; value: T } | { kind: 'full' } | { kind: 'gone' }

export type Turns = {
  /** Does the work when its turn comes. Passes on what it throws. */
  take: <T>(work: () => Promise<T>, options?: TurnOptions) => Promise<Turn<T>>
  /** True while the queue has no place for one more. */
  isFull: () => boolean
}

/** At most `atOnce` pieces of work run and `waiting` queue, in order of arrival. */
export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): Turns {
  let underWay = 0
  const queue = new Set<{ begin: (isGone: boolean) => void }>()

  function waitInLine(signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = () => entry.begin(true)
      const entry = {
        begin: (isGone: boolean) => {
          queue.delete(entry)
          signal?.removeEventListener('abort', leave)
          resolve(!isGone)
        },
      }
      queue.add(entry)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** Hands the place to the next in line, or frees it. */
  function pass(): void {
    const [next] = queue
    if (next === undefined) underWay -= 1
    else next.begin(false)
  }

  const isFull = () => underWay >= atOnce && queue.size >= waiting

  async function take<T>(work: () => Promise<T>, { signal, isPatient = false }: TurnOptions = {}): Promise<Turn<T>> {
    if (signal?.aborted) return { kind: 'gone' }
    if (isFull() && !isPatient) return { kind: 'full' }
    if (underWay < atOnce) underWay += 1
    else if (!(await waitInLine(signal))) return { kind: 'gone' }
    try {
      return { kind: 'done', value: await work() }
    } finally {
      pass()
    }
  }

  return { take, isFull }
}
