/**
 * Whether a key belongs to something other than the page's shortcuts: a field, menu, dialog or
 * browser shortcut.
 */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return true
  if (!(event.target instanceof Element)) return false
  // also where the focus is nowhere: what had it in the dialog is gone
  if (document.querySelector('dialog[open]') !== null) return true
  return (
    event.target.closest(
      'input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], dialog, [role=dialog]',
    ) !== null
  )
}
