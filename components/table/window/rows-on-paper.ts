import type { Drawn } from './drawn-rows.ts'

/** A longer list prints what is drawn. */
const MOST_PRINTED = 1000
/** When rows for paper are asked for: after all that is to be seen. */
const AHEAD_MS = 1500

type PaperOptions<Row> = {
  /** Of the whole list. */
  count: () => number
  rowAt: (at: number) => Row | undefined
  /** Keeps the rows from one place to before another. */
  keep: (from: number, to: number) => Promise<void>
  draw: (drawn: Drawn<Row>) => void
  /** Draws what is in sight again. */
  drawSight: () => void
}

/** All rows of a list on paper. They are asked for ahead, as printing waits for nothing. */
export function openPaper<Row>({ count, rowAt, keep, draw, drawSight }: PaperOptions<Row>): { close: () => void } {
  const onPrint = () => {
    const rows = Array.from({ length: count() }, (_, at) => rowAt(at) ?? null)
    if (!rows.includes(null)) draw({ first: 0, rows, above: 0, below: 0, hasFailed: false })
  }
  const ahead = setTimeout(() => {
    if (count() <= MOST_PRINTED) void keep(0, count())
  }, AHEAD_MS)
  window.addEventListener('beforeprint', onPrint)
  window.addEventListener('afterprint', drawSight)
  return {
    close: () => {
      clearTimeout(ahead)
      window.removeEventListener('beforeprint', onPrint)
      window.removeEventListener('afterprint', drawSight)
    },
  }
}
