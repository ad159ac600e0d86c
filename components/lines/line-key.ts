import { type ConnectionId, parseConnectionId } from '#lib/ids.ts'

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
  const at = text?.indexOf('~') ?? -1
  if (text === null || at < 1 || at === text.length - 1) return null
  const connectionId = parseConnectionId(text.slice(0, at))
  return connectionId === null ? null : { connectionId, id: text.slice(at + 1) }
}
