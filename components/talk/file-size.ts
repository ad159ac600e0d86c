import { formatCount, formatNumber } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

const KILOBYTE = 1024

/** A size in bytes as people read it: `812 bytes`, `48 kB`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < KILOBYTE) return `${formatCount(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`
  const kilobytes = Math.round(bytes / KILOBYTE)
  if (kilobytes < KILOBYTE) return `${formatCount(kilobytes)} kB`
  return `${formatNumber((bytes / KILOBYTE / KILOBYTE).toFixed(1) as DecimalText)} MB`
}
