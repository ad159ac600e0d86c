import type { ReactNode } from 'react'
import type { Quote, Subject } from '#lib/talk/model.ts'

/** Something that happened to a subject beside what people said. `at`: ISO 8601. */
export type Happening = { key: string; at: string; node: ReactNode }

export type TalkOf = {
  subject: Subject
  /** A figure of the subject that a comment can quote. */
  quote?: Quote | undefined
  /** What stands among the comments; undefined where people are all that something happens by. */
  happenings?: readonly Happening[]
}

/** Newest first; what happened at one moment stays in its order. */
export function toNewestFirst<Of extends { at: string }>(all: readonly Of[]): Of[] {
  return [...all].sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
}
