/** Links to the bridge of what a page is of. Pure and small: lists have it in the browser. */
import { toAddress } from '#components/query/address.ts'

export const BRIDGE_PATH = '/changes/bridge'

/** What a bridge can be of, as lists and groups name it in their addresses. */
const NAMES = ['connection', 'profile', 'cost_center', 'trip']
const OF_DAYS = ['period', 'from', 'to', 'date']

/** The bridge of a trip, since the month began. */
export function toBridgeOfTrip(id: string): string {
  return toAddress(BRIDGE_PATH, new URLSearchParams({ trip: id }).toString())
}

/** The bridge of what the list of changes is of. */
export function toBridgeOfChanges({ connections, scope }: { connections: readonly string[]; scope: string }): string {
  const asked = new URLSearchParams(scope)
  asked.delete('currency')
  for (const connection of connections) asked.append('connection', connection)
  return toBridgeOfLines(asked.toString()) ?? BRIDGE_PATH
}

/**
 * The bridge of the lines that an address of a list of lines is of; null if it says more than a
 * bridge can be of. Days alone are those of expense there.
 */
export function toBridgeOfLines(search: string): string | null {
  const asked = new URLSearchParams(search)
  if ([...asked.keys()].some((name) => ![...NAMES, ...OF_DAYS].includes(name))) return null
  const bridge = new URLSearchParams()
  for (const name of NAMES) for (const value of asked.getAll(name)) bridge.append(name, value)
  const period = asked.get('period')
  const span = `${asked.get('from') ?? ''}..${asked.get('to') ?? ''}`
  if (period !== null && period !== 'all') bridge.set('period', period)
  else if (span !== '..') bridge.set('period', span)
  const isOfExpense = period === null ? asked.get('date') !== 'issued' : asked.get('date') === 'expense'
  if (bridge.has('period') && isOfExpense) bridge.set('date', 'expense')
  return toAddress(BRIDGE_PATH, bridge.toString())
}
