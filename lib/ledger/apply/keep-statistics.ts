/** So many records first, then three times as many each time. */
const FIRST = 20_000
const STEP = 3
/** Fewer records do not change a plan. */
const LEAST = 5_000

export type StatisticsKeeper = {
  /** A group with so many written records was committed. Does not wait. */
  note: (written: number) => void
  /** Resolves when the statistics know what was written, unless that is little. Never rejects. */
  settle: () => Promise<void>
}

/**
 * Keeps the planner's statistics up with a run that fills the ledger: else a page opened meanwhile
 * is planned for an empty table, and takes minutes. `refresh` makes them anew, roughly while the
 * run goes on and in full at its end; `onFailure` hears when it cannot, which costs time and
 * nothing else.
 */
export function keepStatistics(
  refresh: (isRough: boolean) => Promise<void>,
  onFailure: (thrown: unknown) => void,
): StatisticsKeeper {
  let written = 0
  let known = 0
  let next = FIRST
  let turn: Promise<void> | null = null

  function begin(isRough: boolean): Promise<void> {
    const upto = written
    turn ??= refresh(isRough)
      .then(() => {
        if (!isRough) known = upto
      }, onFailure)
      .finally(() => {
        turn = null
      })
    return turn
  }

  return {
    note: (count) => {
      written += count
      if (written < next || turn !== null) return
      next = written * STEP
      void begin(true)
    },
    settle: async () => {
      if (turn !== null) await turn
      if (written - known >= LEAST) await begin(false)
    },
  }
}
