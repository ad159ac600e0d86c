/** Keys that lead into a line's panel. Loads with the first of them. */

/** What a key leads to, and how it is found once the panel has it. */
const PLACES = {
  comment: '#line-panel textarea',
  assign: '#line-panel [aria-label="Assigned to"] button',
} as const

/** The panel comes as soon as the server answers; later nobody waits for the key any more. */
const WAIT_MS = 5000

/** Focuses the field for a comment, or opens who can have the line, as soon as it is there. */
export function reachInPanel(place: keyof typeof PLACES): void {
  const reach = () => {
    const found = document.querySelector<HTMLElement>(PLACES[place])
    if (found === null) return false
    found.focus()
    if (place === 'assign') found.click()
    return true
  }
  if (reach()) return
  const watching = new MutationObserver(() => {
    if (reach()) watching.disconnect()
  })
  watching.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watching.disconnect(), WAIT_MS)
}
