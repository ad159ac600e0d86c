/**
 * Joins class names. Two that set the same property conflict: choose between them where they are
 * written, as in `isOpen ? 'bg-sel' : 'bg-bg'`.
 */
export function classNames(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
