/**
 * Marks in a list's cells what a search found. The browser's highlights colour ranges of text: no
 * element comes into a cell, so rows are drawn and read out as without a search, and no layout
 * changes. A browser without them shows no marks.
 */
import { createHitFinder } from '#lib/ledger/query/find-hits.ts'

/** As app/globals.css knows it. */
const NAME = 'search-hit'

/** Marks the rows of the page that are there and those to come; returns what ends it. */
export function markHits(search: string): () => void {
  const page = document.querySelector('main')
  if (page === null || !('highlights' in CSS)) return () => undefined
  const findHits = createHitFinder(search)
  let frame = 0
  const mark = () => {
    frame = 0
    const ranges = [...page.querySelectorAll('tbody td')].flatMap((cell) => listRanges(cell, findHits))
    CSS.highlights.set(NAME, new Highlight(...ranges))
  }
  // rows that come are marked in the frame that shows them
  const observer = new MutationObserver(() => {
    if (frame === 0) frame = requestAnimationFrame(mark)
  })
  observer.observe(page, { childList: true, characterData: true, subtree: true })
  mark()
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    CSS.highlights.delete(NAME)
  }
}

/** Days are in no search. */
function listRanges(cell: Element, findHits: ReturnType<typeof createHitFinder>): Range[] {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  const ranges: Range[] = []
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (node.parentElement?.closest('time') !== null) continue
    for (const { from, to } of findHits(node.nodeValue ?? '')) {
      const range = new Range()
      range.setStart(node, from)
      range.setEnd(node, to)
      ranges.push(range)
    }
  }
  return ranges
}
