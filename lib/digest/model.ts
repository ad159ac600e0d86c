/** What waits for a person, and when they are told by mail (docs/decisions/060-digest.md). Pure. */
import type { ConcernCode } from '#lib/connections/concerns.ts'
import type { FallenLine, FallSum, FindingTotal } from '#lib/ledger/model.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { Mine } from '#lib/talk/model.ts'

export const RHYTHMS = ['off', 'daily', 'weekly'] as const
export type Rhythm = (typeof RHYTHMS)[number]

/** The hour of the person's day at which a digest is due; of a weekly one, on Monday. */
export const DIGEST_HOUR = 7

/** ISO 8601, UTC: `since` belongs to it, `until` to the next one. */
export type Span = { since: string; until: string }

/** Lines whose decision fell; `gone`: those that the platform no longer has. */
export type Falls = { here: FallSum[]; gone: FallSum[]; lines: (FallenLine & { isGone: boolean })[] }

/** A link to the platform that ended, or ends soon. */
export type DyingConnection = { id: string; name: string; code: ConcernCode; endsAt: string | null }

export type Digest = {
  span: Span
  /** The day on which it is read, in the reader's zone: by it something is due or overdue. */
  today: Day
  assignments: Mine['assignments']
  mentions: Omit<Mine['mentions'][number], 'text'>[]
  /** Of lines that came in the span: what nothing explains and nobody has decided. */
  newMoney: FindingTotal[]
  /** Of decisions that fell in the span and that nobody has made again. */
  falls: Falls
  /** Empty for whoever could not reconnect one. */
  connections: DyingConnection[]
}

/** A piece of text. `name`: what somebody else wrote; it stands apart, and turns nothing around. */
export type Piece = string | { name: string }

/** One line of a digest; `href`: the path of the page that shows the same figure. */
export type DigestRow = { key: string; label: Piece[]; detail: Piece[]; href: string; isUrgent: boolean }

export type DigestSection = {
  key: string
  title: string
  rows: DigestRow[] /** How many more there are. */
  more: number
}

/** How a digest stands that was due or asked for. */
export type DigestState = 'waiting' | 'sending' | 'sent' | 'nothing' | 'failed'

/**
 * Why none was sent. `refused`: the mail server does not take it. `put-off`: it put it off for too
 * long. `unknown`: it said nothing. `stopped`: a worker stopped while sending. `not-here`: the
 * person cannot sign in any more. `turned-off`: they want none since it was due.
 */
export type DigestCause = 'refused' | 'put-off' | 'unknown' | 'stopped' | 'not-here' | 'turned-off'

export type DigestStatus = {
  state: DigestState
  cause: DigestCause | null
  reply: string | null
  /** ISO 8601: when it came to stand so. */
  at: string
  asked: boolean
  span: Span
}
