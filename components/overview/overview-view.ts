import { toAddress } from '#components/query/address.ts'
import { type ConnectionId, isUuid } from '#lib/ids.ts'
import { parseDay } from '#lib/reconcile/day.ts'
import { findPeriod, type Period, parsePeriod } from '#lib/reconcile/period.ts'

/**
 * What overview shows, as its address has it: the period of issue, the account and the profile of
 * the tie-out, and the chart's currency. Null: all, or the currency with the most lines.
 */
export type OverviewView = {
  period: Period | null
  connectionId: ConnectionId | null
  profileId: string | null
  currency: string | null
}

/**
 * Reads overview's address. A part that cannot be one counts as left out. The days of a list are a
 * period if they are exactly one.
 */
export function parseOverviewView(parts: Record<string, string | string[] | undefined>): OverviewView {
  const read = (name: string) => [parts[name]].flat()[0] ?? ''
  const connection = read('connection')
  return {
    period: parsePeriod(read('period')) ?? findPeriod(parseDay(read('from')), parseDay(read('to'))),
    connectionId: isUuid(connection) ? (connection as ConnectionId) : null,
    profileId: read('profile').slice(0, 500) || null,
    currency: read('currency') || null,
  }
}

/** Whether the tie-out is of everything. */
export function isWhole({ period, connectionId, profileId }: OverviewView): boolean {
  return period === null && connectionId === null && profileId === null
}

/** Overview's address, from which `parseOverviewView` reads the same. */
export function toOverviewAddress({ period, connectionId, profileId, currency }: OverviewView): string {
  const parts = { period: period?.text, connection: connectionId, profile: profileId, currency }
  const set = Object.entries(parts).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return toAddress('/', new URLSearchParams(set).toString())
}
