import { toAddress } from '#components/query/address.ts'
import { type ConnectionId, isUuid } from '#lib/ids.ts'
import { formatMonth } from '#lib/reconcile/format.ts'
import { type Period, parsePeriod } from '#lib/reconcile/period.ts'

/**
 * What overview shows, as its address has it: the period of issue and the account of the tie-out,
 * and the chart's currency. Null: all, or the currency with the most lines.
 */
export type OverviewView = { period: Period | null; connectionId: ConnectionId | null; currency: string | null }

/** Reads overview's address. A part that cannot be one counts as left out. */
export function parseOverviewView(parts: Record<string, string | string[] | undefined>): OverviewView {
  const read = (name: string) => [parts[name]].flat()[0] ?? ''
  const connection = read('connection')
  return {
    period: parsePeriod(read('period')),
    connectionId: isUuid(connection) ? (connection as ConnectionId) : null,
    currency: read('currency') || null,
  }
}

/** Overview's address, from which `parseOverviewView` reads the same. */
export function toOverviewAddress({ period, connectionId, currency }: OverviewView): string {
  const parts = { period: period?.text, connection: connectionId, currency }
  const set = Object.entries(parts).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return toAddress('/', new URLSearchParams(set).toString())
}

/** `2026`, `Q4 2026`, `Nov 2026`. */
export function describePeriod({ kind, text, from }: Period): string {
  if (kind === 'year') return text
  return kind === 'month' ? formatMonth(from) : `${text.slice(5)} ${text.slice(0, 4)}`
}
