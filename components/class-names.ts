import { cx } from 'class-variance-authority'

/**
 * Joins class names. Of two that set the same property none is sure to win: the one that applies is
 * chosen where it is written, as `isOpen ? 'bg-sel' : 'bg-bg'`.
 */
export function classNames(...parts: Parameters<typeof cx>): string {
  return cx(...parts)
}
