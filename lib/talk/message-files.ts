/** The files of comments: who has sent them puts them in, and alone takes them out. */
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { FileKind } from './file-kind.ts'
import type { Subject } from './model.ts'
import { noteTalk, type Writer } from './note-talk.ts'

/** A file that is in no comment yet. */
export type UnsentFile = { id: string; kind: FileKind; size: number; hash: string }

/**
 * The files that the person has sent and no comment has, in the order in which they came; null when
 * one of the ids names something else. Nobody takes them before the transaction ends.
 */
export async function holdUnsent(
  sql: Sql,
  organizationId: OrganizationId,
  userId: UserId,
  ids: readonly string[],
): Promise<UnsentFile[] | null> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return []
  const files = await sql<UnsentFile>(
    `select id, kind, size, encode(hash, 'hex') as hash from attachment
     where organization_id = $1 and author_id = $2 and message_id is null and id = any($3::uuid[])
     order by at, id for update`,
    [organizationId, userId, wanted],
  )
  return files.length === wanted.length ? files : null
}

/** Puts files into a comment, each with its entry: never with its name, which says something. */
export async function addFiles(
  sql: Sql,
  organizationId: OrganizationId,
  writer: Writer,
  subject: Subject,
  { messageId, files }: { messageId: string; files: readonly UnsentFile[] },
): Promise<void> {
  if (files.length === 0) return
  await sql('update attachment set message_id = $2 where organization_id = $1 and id = any($3::uuid[])', [
    organizationId,
    messageId,
    files.map(({ id }) => id),
  ])
  for (const { id, kind, size, hash } of files)
    await noteTalk(sql, organizationId, subject, {
      actor: writer.actor,
      action: 'attachment.added',
      after: { message: messageId, attachment: id, kind, bytes: size, hash },
    })
}

/** How it ended. `gone`: no comment has such a file. `not-own`: somebody else sent it. */
export type Removed = { kind: 'removed' | 'gone' | 'not-own' }

/**
 * Takes a file out of a comment of one's own, for good: nobody opens it from now on, and a worker
 * removes its bytes unless another file is of them. That it was there stays.
 */
export function removeFile(organizationId: OrganizationId, writer: Writer, id: string): Promise<Removed> {
  return withTenantSql(organizationId, async (sql) => {
    const [file] = await sql<
      UnsentFile & { authorId: UserId; isRemoved: boolean; messageId: string; subject: Subject }
    >(
      `select a.id, a.kind, a.size, encode(a.hash, 'hex') as hash, a.author_id as "authorId",
         a.removed_at is not null as "isRemoved", m.id as "messageId",
         json_build_object('kind', t.kind, 'connectionId', t.connection_id, 'key', t.key) as subject
       from attachment a
         join message m on m.organization_id = a.organization_id and m.id = a.message_id
         join thread t on t.organization_id = m.organization_id and t.id = m.thread_id
       where a.organization_id = $1 and a.id = $2 for update of a`,
      [organizationId, id],
    )
    if (file === undefined) return { kind: 'gone' }
    if (file.authorId !== writer.userId) return { kind: 'not-own' }
    if (file.isRemoved) return { kind: 'removed' }
    await sql('update attachment set removed_at = statement_timestamp() where organization_id = $1 and id = $2', [
      organizationId,
      id,
    ])
    const { messageId, kind, size, hash } = file
    await noteTalk(sql, organizationId, file.subject, {
      actor: writer.actor,
      action: 'attachment.removed',
      before: { message: messageId, attachment: id, kind, bytes: size, hash },
    })
    return { kind: 'removed' }
  })
}
