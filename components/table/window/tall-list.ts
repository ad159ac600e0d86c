/**
 * Where a list of many rows is scrolled to. Browsers lay out only so tall an element, so the scroll
 * bar of a list beyond that stands for more than its own pixels: drags and jumps go by its share,
 * small steps stay what they are. All in pixels; pure, for tests.
 */

/** Less than what Firefox lays out, which is 17.9 million. */
const TALLEST = 12_000_000
/** Near both ends each pixel of the scroll bar is one of the rows, so the ends are exact. */
const ENDS = 20_000

export type Tall = {
  /** Of all rows. */
  rows: number
  /** Of the box that shows some of them. */
  box: number
}

/** `at` is the distance from the first row; `bar` what the browser calls the scroll position. */
export type Position = { at: number; bar: number }

/** How tall the rows are laid out. */
export function toLaidOut({ rows }: Tall): number {
  return Math.min(rows, TALLEST)
}

/** The scroll bar's place for a distance from the first row. */
export function toBar(tall: Tall, at: number): number {
  const { most, mostBar } = toMost(tall)
  const kept = clamp(at, most)
  if (most <= mostBar || kept <= ENDS) return kept
  if (most - kept <= ENDS) return mostBar - (most - kept)
  return ENDS + ((kept - ENDS) * (mostBar - 2 * ENDS)) / (most - 2 * ENDS)
}

function toDistance(tall: Tall, bar: number): number {
  const { most, mostBar } = toMost(tall)
  const kept = clamp(bar, mostBar)
  if (most <= mostBar || kept <= ENDS) return kept
  if (mostBar - kept <= ENDS) return most - (mostBar - kept)
  return ENDS + ((kept - ENDS) * (most - 2 * ENDS)) / (mostBar - 2 * ENDS)
}

/**
 * The position after the scroll bar moved. Its `bar` is not where the browser has it when small
 * steps have led near an end: then it has to be put there.
 */
export function follow(tall: Tall, last: Position, bar: number): Position {
  const { most, mostBar } = toMost(tall)
  if (most <= mostBar) return { at: clamp(bar, most), bar }
  const isJump = Math.abs(bar - last.bar) > tall.box
  const at = isJump ? toDistance(tall, bar) : clamp(last.at + bar - last.bar, most)
  const isNearEnd = Math.min(at, most - at, bar, mostBar - bar) < ENDS / 2
  return { at, bar: isNearEnd ? toBar(tall, at) : bar }
}

function toMost(tall: Tall) {
  return { most: Math.max(0, tall.rows - tall.box), mostBar: Math.max(0, toLaidOut(tall) - tall.box) }
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}
