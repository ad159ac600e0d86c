import { plural } from '#components/text/plural.ts'
import { formatCount } from '#lib/reconcile/format.ts'

/** `1,284 of 9,310 lines`; lines that the platform removed are none of those that there are. */
export function toPartWords(lineCount: number, allLineCount: number, isOfRemoved: boolean): string {
  if (isOfRemoved) return `${plural(lineCount, 'removed line')}, in no total`
  return `${formatCount(lineCount)} of ${plural(allLineCount, 'line')}`
}
