/** What people say, and who has what (docs/decisions/056-talk.md). Pure: pages have it, too. */
import type { ConnectionId, UserId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { FileKind } from './file-kind.ts'

export const SUBJECT_KINDS = ['line', 'invoice', 'trip', 'group', 'period'] as const

/**
 * What is talked of. `key`: the line's id; the invoice's number; the trip's id; of a group
 * `cost_center=5100`, by a key that the roll-ups know; of a period the month of issue `2026-03`, or
 * one profile's: `2026-03~profile-1`. Trips and groups are the organization's: their connection is
 * null.
 */
export type Subject = {
  kind: (typeof SUBJECT_KINDS)[number]
  connectionId: ConnectionId | null
  key: string
}

/** The most characters of a comment. */
export const MOST_CHARACTERS = 4000
/** The most people whom one comment names. */
export const MOST_MENTIONS = 20

/** A figure as it was when somebody quoted it. */
export type Quote = { label: string; amount: DecimalText; currency: string }

/** `mayHave`: it can be given to them. */
export type Person = { id: UserId; name: string; initials: string; mayHave: boolean }

export type Message = {
  id: string
  authorId: UserId
  /** As they were called when they wrote it. */
  authorName: string
  initials: string
  /** ISO 8601, UTC; so are all moments here. */
  at: string
  /** Empty where its files say it all. */
  text: string
  quote: Quote | null
  /** Whom the text names, by the name that it has for them behind an `@`. */
  mentions: { id: UserId; name: string }[]
  /** 1 at first; one more with each edit. */
  version: number
  editedAt: string | null
  /** What it said before, oldest first. */
  former: { text: string; at: string }[]
  /** In the order in which they were sent, with those that its author has removed. */
  files: MessageFile[]
}

/** `size`: bytes. `removedAt`: when its author took it out; null while it can be opened. */
export type MessageFile = { id: string; name: string; kind: FileKind; size: number; removedAt: string | null }

/** Who has looked at a line, and when last. */
export type Seen = { id: UserId; name: string; initials: string; at: string }

export type Assignment = {
  id: string
  personId: UserId
  personName: string
  initials: string
  byName: string
  at: string
  dueOn: Day | null
  /** Whether the person can still sign in. */
  isHere: boolean
}

export type Thread = {
  /** The newest, oldest first. */
  messages: Message[]
  /** How many older ones there are. */
  earlierCount: number
  /** Who has it now; null when nobody does. */
  assignment: Assignment | null
  /** Who can be named, by name. */
  people: Person[]
  /** How many comments here name the reader, who has not read them. */
  unreadCount: number
}

/** `label`: what the subject is called; a key where there is nothing else. */
type Mention = { subject: Subject; label: string; messageId: string; byName: string; at: string; text: string }
type Assigned = { subject: Subject; label: string; byName: string; at: string; dueOn: Day | null }

/** A thread in one line, for one reader. `holder`: who has its subject. */
export type TalkHead = { messageCount: number; unreadCount: number; holder: { id: UserId; name: string } | null }

/** What waits for a person: what they have, first due first; and who named them, newest first. */
export type Mine = { assignments: Assigned[]; mentions: Mention[] }
