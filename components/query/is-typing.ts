/**
 * Whether a key belongs to something else than the page's shortcuts: a field, a menu, a dialog, a
 * browser shortcut.
 */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return true
  if (!(event.target instanceof Element)) return false
  return event.target.closest('input, textarea, select, [contenteditable], [role=menu], dialog, [role=dialog]') !== null
}
