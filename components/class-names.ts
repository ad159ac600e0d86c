import { cx } from 'class-variance-authority'
import { twMerge } from 'tailwind-merge'

/** Joins class names; of two that set the same property, the later wins. */
export function classNames(...parts: Parameters<typeof cx>): string {
  return twMerge(cx(...parts))
}
