import { formatCount } from '#lib/reconcile/format.ts'

/** `1 line`, `1,284 lines`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
