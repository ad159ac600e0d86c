/** How people write comments. What was said stays: an edit is one more version. */
import type { Records } from '#lib/db/records.ts'
import { type Sql, withTenant } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { holdThread } from './find-subject.ts'
import { IS_HERE } from './list-people.ts'
import { addFiles, holdUnsent } from './message-files.ts'
import type { Quote, Subject } from './model.ts'
import { noteTalk, type Writer } from './note-talk.ts'

/** `mentions`: the ids of those whom the text names, each by `@` and their name. */
export type Words = { text: string; mentions: UserId[] }

/**
 * How it ended. `missing`: the organization has no such subject. `stranger`: one of those named is
 * nobody who can sign in here. `unnamed`: the text does not show one of them. `gone`: there is no
 * such comment. `no-file`: one of the files is not the person's to send, or in a comment already.
 * `not-own`: somebody else wrote it. `changed`: it was edited since it was seen.
 * `full`: it was edited as often as one can be.
 */
export type Written =
  | { kind: 'written'; id: string; version: number }
  | { kind: 'missing' | 'stranger' | 'unnamed' | 'gone' | 'no-file' | 'not-own' | 'changed' | 'full' }

/** All versions of a comment are shown. */
const MOST_VERSIONS = 30

/** Adds a comment to what is said about the subject. `files`: the ids of those sent for it. */
export function addMessage(
  organizationId: OrganizationId,
  writer: Writer,
  subject: Subject,
  { text, mentions, quote, files = [] }: Words & { quote: Quote | null; files?: string[] },
): Promise<Written> {
  return withTenant(organizationId, async (records, sql) => {
    const named = await findNamed(sql, organizationId, { text, mentions }, [])
    if ('kind' in named) return named
    const unsent = await holdUnsent(sql, organizationId, writer.userId, files)
    if (unsent === null) return { kind: 'no-file' }
    const threadId = await holdThread(sql, organizationId, subject)
    if (threadId === null) return { kind: 'missing' }
    const { label = null, amount = null, currency = null } = quote ?? {}
    const [made] = await sql<{ id: string }>(
      `insert into message (organization_id, thread_id, author_id, author_name, quote_label, quote_amount, quote_currency)
       values ($1, $2, $3, $4, $5, $6, $7) returning id`,
      [organizationId, threadId, writer.userId, writer.name, label, amount, currency],
    )
    const id = made?.id as string
    await records.messageVersion.createMany({ data: { organizationId, messageId: id, version: 1, text } })
    await addMentions(records, sql, organizationId, { messageId: id, authorId: writer.userId, named: named.people })
    const after = { message: id, characters: [...text].length, mentions: named.people.length }
    await noteTalk(sql, organizationId, subject, { actor: writer.actor, action: 'comment.added', after })
    await addFiles(sql, organizationId, writer, subject, { messageId: id, files: unsent })
    return { kind: 'written', id, version: 1 }
  })
}

/** Lets a comment of one's own say something else; what it said stays readable. */
export function editMessage(
  organizationId: OrganizationId,
  writer: Writer,
  seen: { id: string; version: number },
  words: Words,
): Promise<Written> {
  return withTenant(organizationId, async (records, sql) => {
    const message = await readMessage(sql, organizationId, seen.id)
    if (message === undefined) return { kind: 'gone' }
    if (message.authorId !== writer.userId) return { kind: 'not-own' }
    if (message.version !== seen.version) return { kind: 'changed' }
    if (message.text === words.text) return { kind: 'written', ...seen }
    if (message.version >= MOST_VERSIONS) return { kind: 'full' }
    const named = await findNamed(sql, organizationId, words, message.named)
    if ('kind' in named) return named
    const version = seen.version + 1
    // of two edits at once the second one finds the first one's version
    const { count } = await records.messageVersion.createMany({
      data: { organizationId, messageId: seen.id, version, text: words.text },
      skipDuplicates: true,
    })
    if (count === 0) return { kind: 'changed' }
    await addMentions(records, sql, organizationId, {
      messageId: seen.id,
      authorId: writer.userId,
      named: named.people,
    })
    const characters = (text: string) => [...text].length
    await noteTalk(sql, organizationId, message.subject, {
      actor: writer.actor,
      action: 'comment.edited',
      before: { characters: characters(message.text) },
      after: { message: seen.id, characters: characters(words.text), mentions: named.people.length },
    })
    return { kind: 'written', id: seen.id, version }
  })
}

type Named = { id: UserId; name: string }
type StoredMessage = { authorId: UserId; version: number; text: string; subject: Subject; named: Named[] }

async function readMessage(sql: Sql, organizationId: OrganizationId, id: string): Promise<StoredMessage | undefined> {
  const [message] = await sql<StoredMessage>(
    `select m.author_id as "authorId", v.version, v.text,
       json_build_object('kind', t.kind, 'connectionId', t.connection_id, 'key', t.key) as subject,
       coalesce((select json_agg(json_build_object('id', n.person_id, 'name', n.person_name)) from mention n
                 where n.organization_id = m.organization_id and n.message_id = m.id), '[]') as named
     from message m
       join thread t on t.organization_id = m.organization_id and t.id = m.thread_id
       join message_version v on v.organization_id = m.organization_id and v.message_id = m.id
     where m.organization_id = $1 and m.id = $2 order by v.version desc limit 1`,
    [organizationId, id],
  )
  return message
}

/**
 * The people whom a text names, by the names that it has for them. A name counts for nothing: whom
 * an id names has to be of the organization and able to sign in, or named by the comment before.
 */
async function findNamed(
  sql: Sql,
  organizationId: OrganizationId,
  { text, mentions }: Words,
  before: Named[],
): Promise<{ people: Named[] } | { kind: 'stranger' | 'unnamed' }> {
  const wanted = [...new Set(mentions)]
  if (wanted.length === 0) return { people: [] }
  const here = await sql<Named>(
    `select id, name from app_user where organization_id = $1 and id = any($2::uuid[]) and ${IS_HERE}`,
    [organizationId, wanted],
  )
  const people: Named[] = []
  for (const id of wanted) {
    const known = [...before, ...here].filter((each) => each.id === id)
    if (known.length === 0) return { kind: 'stranger' }
    const shown = known.find(({ name }) => text.includes(`@${name}`))
    if (shown === undefined) return { kind: 'unnamed' }
    people.push(shown)
  }
  return { people }
}

/** Who is named anew has it to read, but for the author; who was named before has been told. */
async function addMentions(
  records: Records,
  sql: Sql,
  organizationId: OrganizationId,
  { messageId, authorId, named }: { messageId: string; authorId: UserId; named: Named[] },
): Promise<void> {
  await records.mention.createMany({
    data: named.map(({ id, name }) => ({ organizationId, messageId, personId: id, personName: name })),
    skipDuplicates: true,
  })
  // nobody is called by what a comment no longer says
  await sql(
    `update mention set read_at = statement_timestamp() where organization_id = $1 and message_id = $2 and read_at is null
       and (person_id = $3 or person_id <> all($4::uuid[]))`,
    [organizationId, messageId, authorId, named.map(({ id }) => id)],
  )
}
