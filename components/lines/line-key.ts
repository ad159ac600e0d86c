import type { ConnectionId } from '#lib/ids.ts'
import { parseRowKey } from '#lib/ledger/query/list-place.ts'

/**
 * A line in an address: `<connection id>~<line id>`. Connection ids contain no `~`; line ids are
 * the platform's.
 */
export type LineKey = { connectionId: ConnectionId; id: string }

export const LINE_PARAMETER = 'line'

export function writeLineKey({ connectionId, id }: LineKey): string {
  return `${connectionId}~${id}`
}

/** The line that a text names; null when it names none. */
export function parseLineKey(text: string | null): LineKey | null {
  return parseRowKey(text)
}
