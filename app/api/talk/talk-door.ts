import * as z from 'zod'
import type { WriteCall } from '#lib/auth/doors/api-route.ts'
import { isAllowed, ROLES } from '#lib/auth/permissions.ts'
import { errorReply } from '#lib/http/replies.ts'
import { isUuid } from '#lib/ids.ts'
import { FILE_TROUBLES, type FileTrouble, MOST_FILES } from '#lib/talk/file-kind.ts'
import { parseSubject } from '#lib/talk/find-subject.ts'
import { MOST_CHARACTERS, MOST_MENTIONS, SUBJECT_KINDS, type Subject } from '#lib/talk/model.ts'
import type { Writer } from '#lib/talk/note-talk.ts'
import type { Written } from '#lib/talk/write-message.ts'

/** What is talked of, as requests name it. */
export const ofSubject = {
  kind: z.enum(SUBJECT_KINDS),
  key: z.string().min(1).max(1000),
  connection: z.string().max(100).nullish(),
}

const id = z.string().refine(isUuid)
export const messageId = id
export const assignmentId = id
export const personId = id
export const fileId = id

/** What somebody says; line breaks have one spelling. Who has no files has to say something. */
export const ofWords = {
  text: z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .pipe(z.string().max(MOST_CHARACTERS)),
  mentions: z.array(id).max(MOST_MENTIONS).default([]),
}

/** The files of a new comment, which may have no words then. */
export const ofFiles = { files: z.array(id).max(MOST_FILES).default([]) }

/** Roles that may answer, and so may have something. */
export const MAY_HAVE = ROLES.filter((role) => isAllowed(role, 'assign'))

export function toSubject({
  kind,
  key,
  connection,
}: {
  kind: Subject['kind']
  key: string
  connection?: string | null | undefined
}): Subject | null {
  return parseSubject(kind, key, connection ?? null)
}

/** Another organization's looks like what never existed. */
export function noSuchSubject(): Response {
  return errorReply(404, 'not-found', 'There is nothing here to talk about: it is gone, or was never here.')
}

export function toWriter({ session, actor }: Pick<WriteCall, 'session' | 'actor'>): Writer {
  return { userId: session.userId, name: session.name, actor }
}

const REFUSALS: Record<Exclude<Written['kind'], 'written' | 'missing'>, string> = {
  stranger: 'One of the people named is not here any more. Take the name out, or choose the person again.',
  unnamed: 'The comment does not show everybody whom it names. Choose the people from the list again.',
  gone: 'There is no such comment any more.',
  'no-file': 'One of the files is not here any more. Take it out, choose it again, and send the comment.',
  'not-own': 'Only its author edits a comment. Write one of your own.',
  changed: 'You edited this comment somewhere else meanwhile. Copy your text, and reload the page.',
  full: 'This comment was edited as often as one can be. Write another one.',
}

const TROUBLE_STATUS: Record<FileTrouble, number> = { empty: 400, 'too-large': 413, 'wrong-kind': 415 }

/** The reply to a file that is not taken. */
export function refuseFile(trouble: FileTrouble): Response {
  return errorReply(TROUBLE_STATUS[trouble], `file-${trouble}`, FILE_TROUBLES[trouble])
}

/** Another organization's file looks like one that never was. */
export function noSuchFile(): Response {
  return errorReply(404, 'not-found', 'There is no such file: it was removed, or was never here.')
}

/** The reply to how writing a comment ended. */
export function toWritten(written: Written): unknown {
  if (written.kind === 'written') return { message: { id: written.id, version: written.version } }
  if (written.kind === 'missing') return noSuchSubject()
  return errorReply(409, `comment-${written.kind}`, REFUSALS[written.kind])
}
