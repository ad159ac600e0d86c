import { cx } from 'class-variance-authority'

/**
 * Joins class names. Two that set the same property conflict: choose between them where they are
 * written, as in `isOpen ? 'bg-sel' : 'bg-bg'`.
 */
export function classNames(...parts: Parameters<typeof cx>): string {
  return cx(...parts)
}
