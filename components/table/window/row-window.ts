/**
 * The rows of a long list that are drawn: those in sight and some around them, whichever page they
 * come from. Loaded once a list that goes on is there; without it the list has pages.
 */

import { keepScroll, readKeptScroll } from '#components/query/kept-scroll.client.tsx'
import type { RowKey } from '#lib/ledger/query/list-place.ts'
import type { Drawn, InSight, Source } from './drawn-rows.ts'
import { type Ask, chooseMissing } from './missing-rows.ts'
import { readRange } from './read-range.ts'
import { openPaper } from './rows-on-paper.ts'
import { follow, type Position, toBar, toLaidOut } from './tall-list.ts'

/** Drawn above and below what is in sight. */
const AROUND = 12
/** The drawn rows change by so many at once. */
const STEP = 8
/** Rows that are kept: some minutes of going up and down. */
const MOST_KEPT = 4_000
/** A drag passes many places; its rows are asked for where it rests. */
const REST_MS = 100
/** When the address follows the scroll bar. */
const SETTLED_MS = 300

export type RowWindowOptions<Row> = {
  scroller: HTMLElement
  /** The element with the drawn rows: they are of one height. */
  body: HTMLTableSectionElement
  source: Source<Row>
  pageSize: number
  /** Identifies the list now. */
  address: () => string
  /**
   * Whether the address asks for the server's page. Going back, one comes to the page of an earlier
   * place.
   */
  isPlaced: () => boolean
  toKey: (row: Row) => RowKey
  /** Null when it failed. */
  read: (ask: Ask) => Promise<Row[] | null>
  draw: (drawn: Drawn<Row>) => void
  onSight: (sight: InSight) => void
  /** Whether paper has all rows. */
  isPrintedWhole: boolean
  /** Scrolled to another place: the row before the first in sight; null at the start. */
  onSettle: (before: RowKey | null) => void
  /** The list is not what it was when its rows were counted. */
  onChanged: () => void
}

export type RowWindow<Row> = {
  /** Shows the row at a place. */
  reveal: (at: number) => void
  /** Scrolls by what is in sight. */
  turn: (direction: 1 | -1) => void
  rowsInSight: () => number
  /** Takes a new page from the server: another order or place, or the same with new counts. */
  renew: (source: Source<Row>) => void
  /** The rows from one place to before another; null when they cannot be had. */
  read: (from: number, to: number) => Promise<Row[] | null>
  retry: () => void
  close: () => void
}

export function openRowWindow<Row>(options: RowWindowOptions<Row>): RowWindow<Row> {
  const {
    scroller,
    body,
    pageSize,
    address,
    isPlaced,
    toKey,
    read,
    draw,
    onSight,
    isPrintedWhole,
    onSettle,
    onChanged,
  } = options
  const height = body.rows[0]?.getBoundingClientRect().height ?? 32
  let { source } = options
  let rows = new Map<number, Row>()
  let position: Position = { at: 0, bar: 0 }
  let drawn: Drawn<Row> | null = null
  let isAsking = false
  let hasFailed = false
  let isClosed = false
  let scrolledAt = 0
  let isPlaceOwed = false
  let rest: ReturnType<typeof setTimeout> | undefined
  let settle: ReturnType<typeof setTimeout> | undefined

  const headHeight = () => body.parentElement?.querySelector('thead')?.clientHeight ?? 0
  const tall = () => ({ rows: source.count * height, box: Math.max(height, scroller.clientHeight - headHeight()) })
  const inSight = (): InSight => ({
    from: Math.floor(position.at / height),
    to: Math.min(source.count, Math.ceil((position.at + tall().box) / height)),
  })
  const keyAt = (at: number) => {
    const row = rows.get(at)
    return row === undefined ? null : toKey(row)
  }
  const put = (at: number, added: Row[]) => {
    for (const [offset, row] of added.entries()) rows.set(at + offset, row)
    if (rows.size <= MOST_KEPT) return
    const { from } = inSight()
    rows = new Map([...rows].filter(([place]) => Math.abs(place - from) < MOST_KEPT / 4))
  }

  const paint = (isForced = false) => {
    const sight = inSight()
    onSight(sight)
    const first = Math.max(0, Math.floor((sight.from - AROUND) / STEP) * STEP)
    const last = Math.min(source.count, Math.ceil((sight.to + AROUND) / STEP) * STEP)
    const above = Math.max(0, first * height - position.at + position.bar)
    const below = Math.max(0, toLaidOut(tall()) - above - (last - first) * height)
    const isSame = drawn?.first === first && drawn.rows.length === last - first && Math.abs(drawn.above - above) < 1
    if (isSame && !isForced) return
    const shown = Array.from({ length: last - first }, (_, offset) => rows.get(first + offset) ?? null)
    drawn = { first, rows: shown, above, below, hasFailed }
    draw(drawn)
  }

  const fill = async (): Promise<void> => {
    if (isAsking || isClosed || hasFailed || drawn === null) return
    const { first } = drawn
    const ask = chooseMissing({ first, last: first + drawn.rows.length, count: source.count, pageSize, keyAt })
    if (ask === null) return
    const restsIn = scrolledAt + REST_MS - performance.now()
    if (ask.beside === null && restsIn > 0) {
      clearTimeout(rest)
      rest = setTimeout(() => void fill(), restsIn)
      return
    }
    isAsking = true
    const asked = source
    const answer = await read(ask)
    isAsking = false
    if (isClosed) return
    if (asked === source) {
      hasFailed = answer === null
      put(ask.at, answer ?? [])
      paint(true)
      if (isPlaceOwed && settle === undefined) onRest()
      if (answer !== null && answer.length !== ask.count) return onChanged()
    }
    await fill()
  }

  const readAll = (from: number, to: number) =>
    readRange({ from, to, count: source.count, pageSize, rowAt: (at) => rows.get(at), toKey, read })

  const toPlace = (at: number) => {
    const list = tall()
    const kept = Math.min(Math.max(0, at), Math.max(0, list.rows - list.box))
    const isStep = Math.abs(kept - position.at) <= list.box
    const stepped = isStep ? follow(list, position, position.bar + kept - position.at).bar : toBar(list, kept)
    position = { at: kept, bar: stepped }
    paint()
    scroller.scrollTop = position.bar
    position.bar = scroller.scrollTop
    onMoved()
  }

  const onMoved = () => {
    scrolledAt = performance.now()
    clearTimeout(settle)
    settle = setTimeout(onRest, SETTLED_MS)
    hasFailed = false
    void fill()
  }

  const onRest = () => {
    settle = undefined
    keepScroll(address(), position.at)
    const { from } = inSight()
    const before = from === 0 ? null : keyAt(from - 1)
    // the row may still be on its way
    isPlaceOwed = from > 0 && before === null
    if (!isPlaceOwed) onSettle(before)
  }

  const onScroll = () => {
    const bar = scroller.scrollTop
    if (Math.abs(bar - position.bar) < 1) return
    position = follow(tall(), position, bar)
    paint()
    if (position.bar !== bar) {
      scroller.scrollTop = position.bar
      position.bar = scroller.scrollTop
    }
    onMoved()
  }

  const start = (at: number) => {
    rows = new Map()
    put(source.place, source.rows)
    position = { at: 0, bar: 0 }
    paint(true)
    if (at > 0 || scroller.scrollTop > 0) toPlace(at)
    else void fill()
  }

  const keep = async (from: number, to: number) => {
    const asked = source
    const answer = await readAll(from, to)
    if (!isClosed && asked === source && answer !== null) put(from, answer)
  }
  const paper = isPrintedWhole
    ? openPaper<Row>({
        count: () => source.count,
        rowAt: (at) => rows.get(at),
        keep,
        draw,
        drawSight: () => paint(true),
      })
    : null

  scroller.addEventListener('scroll', onScroll, { passive: true })
  const resize = new ResizeObserver(() => {
    paint()
    void fill()
  })
  resize.observe(scroller)
  const toStart = () => (isPlaced() ? source.place * height : readKeptScroll(address()))
  start(toStart() + scroller.scrollTop)

  return {
    reveal: (at) => {
      const { box } = tall()
      if (at * height < position.at) toPlace(at * height)
      else if ((at + 1) * height > position.at + box) toPlace((at + 1) * height - box)
    },
    turn: (direction) => toPlace(position.at + direction * Math.max(height, tall().box - height)),
    rowsInSight: () => Math.max(1, Math.floor(tall().box / height)),
    renew: (next) => {
      // the same rows have another count, or another page is where one is
      const isHere =
        next.rows === source.rows || (next.place > 0 && Math.abs(next.place * height - position.at) < height)
      source = next
      hasFailed = false
      clearTimeout(settle)
      start(isHere ? position.at : toStart())
    },
    read: readAll,
    retry: () => {
      hasFailed = false
      void fill()
    },
    close: () => {
      isClosed = true
      clearTimeout(rest)
      clearTimeout(settle)
      paper?.close()
      scroller.removeEventListener('scroll', onScroll)
      resize.disconnect()
    },
  }
}
