'use client'

import { useRouter } from 'next/navigation'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import type { Drawn, EarlySource, InSight, Source } from './window/drawn-rows.ts'
import type { ListSource } from './window/long-list.ts'
import type { RowWindow } from './window/row-window.ts'

/** On a phone rows have two lines, and the page itself scrolls: there a list has pages. */
const WIDE = '(min-width: 40rem)'

export type ListRows<Row> = Drawn<Row> & {
  /** Null while the list has pages. */
  window: RowWindow<Row> | null
  /** Whether it is known by now that the list has pages. */
  isPaged: boolean
  sight: Sight
}

/** The rows in sight, for what shows them: they change with every row that is scrolled past. */
export type Sight = {
  get: () => InSight | null
  set: (sight: InSight | null) => void
  subscribe: (note: () => void) => () => void
}

/**
 * The rows to draw: the server's page, and once the script for it is there, whatever is in sight of
 * the whole list, whose address then says where one is.
 */
export function useListRows<Row>(
  list: ListSource<Row>,
  body: RefObject<HTMLTableSectionElement | null>,
): ListRows<Row> {
  const { source, density } = list
  const isCounted = hasCount(source)
  const router = useRouter()
  const [drawn, setDrawn] = useState<(Drawn<Row> & { source: EarlySource<Row> }) | null>(null)
  const [rowWindow, setWindow] = useState<RowWindow<Row> | null>(null)
  const [isPaged, setPaged] = useState(false)
  const [sight] = useState(createSight)
  const shownSource = useRef(source)
  const current = useRef({ list, router })
  useLayoutEffect(() => {
    current.current = { list, router }
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are another window
  useEffect(() => {
    const wide = matchMedia(WIDE)
    let opened: RowWindow<Row> | null = null
    let isClosed = false
    const close = () => {
      opened?.close()
      opened = null
      sight.set(null)
      setDrawn(null)
      setWindow(null)
    }
    const toPages = () => {
      close()
      setPaged(true)
    }
    const open = async () => {
      const { openLongList } = await import('./window/long-list.ts')
      const scroller = body.current?.closest('section')
      const { source } = current.current.list
      if (isClosed || !wide.matches || !body.current || !scroller || !hasCount(source)) return
      shownSource.current = source
      opened = openLongList<Row>({
        list: () => current.current.list,
        refresh: () => current.current.router.refresh(),
        scroller,
        body: body.current,
        source,
        draw: (next) => flushSync(() => setDrawn({ ...next, source: current.current.list.source })),
        onSight: sight.set,
      })
      setWindow(opened)
    }
    const { rows, count } = current.current.list.source
    if (!wide.matches || rows.length === 0 || (count !== null && rows.length >= count)) toPages()
    // without the script the list keeps its pages
    else if (isCounted) open().catch(toPages)
    wide.addEventListener('change', toPages)
    return () => {
      isClosed = true
      close()
      wide.removeEventListener('change', toPages)
    }
    // how long the list is has to be known before its rows go on
  }, [body, sight, isCounted, density])

  // before the browser paints, but not inside of React's own work
  useLayoutEffect(() => {
    if (rowWindow === null || !hasCount(source) || shownSource.current === source) return
    shownSource.current = source
    queueMicrotask(() => rowWindow.renew(source))
  }, [rowWindow, source])

  const page = { first: source.place, rows: source.rows, above: 0, below: 0, hasFailed: false }
  return { ...(drawn === null ? page : toRenewed(drawn, source)), window: rowWindow, isPaged, sight }
}

function hasCount<Row>(source: EarlySource<Row>): source is Source<Row> {
  return source.count !== null
}

/**
 * The rows of a new page in place of those that the window has drawn, if both are at the start of
 * the list. So they are drawn with the page, in small pieces between which an input is answered;
 * the window draws everything at once, and has nothing left to do.
 */
function toRenewed<Row>(drawn: Drawn<Row> & { source: EarlySource<Row> }, source: EarlySource<Row>): Drawn<Row> {
  if (drawn.source === source || drawn.first > 0 || source.place > 0) return drawn
  const length = Math.min(drawn.rows.length, source.count ?? source.rows.length)
  return { ...drawn, rows: Array.from({ length }, (_, at) => source.rows[at] ?? null) }
}

/** The rows in sight; null while the list has pages. */
export function useSight({ sight }: { sight: Sight }): InSight | null {
  return useSyncExternalStore(sight.subscribe, sight.get, () => null)
}

function createSight(): Sight {
  let now: InSight | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => now,
    set: (next) => {
      if (now?.from === next?.from && now?.to === next?.to) return
      now = next
      for (const note of listeners) note()
    },
    subscribe: (note) => {
      listeners.add(note)
      return () => listeners.delete(note)
    },
  }
}
