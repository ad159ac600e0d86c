/** Files on their way into a comment, and back to whoever opens one. */
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { type FileKind, type FileTrouble, findFileKind, findTrouble, MOST_FILES, toFileName } from './file-kind.ts'
import { readBytes, storeBytes, toHash } from './file-store.ts'

/** How many files somebody may send whose comments never followed; they go after a day. */
const MOST_UNSENT = 3 * MOST_FILES

/** How it ended. `too-many`: the person has sent as many without a comment as they may. */
export type Kept = { kind: 'kept'; id: string } | { kind: FileTrouble | 'too-many' }

/**
 * Keeps a file that a comment of the person may have from now on, and that nobody sees before. What
 * it is, its first bytes say.
 */
export async function keepFile(
  organizationId: OrganizationId,
  userId: UserId,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<Kept> {
  const trouble = findTrouble(bytes.length, bytes)
  if (trouble !== null) return { kind: trouble }
  const hash = toHash(bytes)
  return withTenantSql(organizationId, async (sql) => {
    const [unsent] = await sql<{ count: number }>(
      `select count(*)::int as count from attachment
       where organization_id = $1 and author_id = $2 and message_id is null`,
      [organizationId, userId],
    )
    if ((unsent?.count ?? 0) >= MOST_UNSENT) return { kind: 'too-many' }
    await storeBytes(sql, organizationId, hash, bytes)
    const [made] = await sql<{ id: string }>(
      `insert into attachment (organization_id, author_id, name, kind, size, hash) values ($1, $2, $3, $4, $5, $6)
       returning id`,
      [organizationId, userId, toFileName(name), findFileKind(bytes), bytes.length, hash],
    )
    return { kind: 'kept', id: made?.id as string }
  })
}

export type OpenedFile = { name: string; kind: FileKind; bytes: Buffer }

/** A file of a comment; null for one that is removed, not sent, or another organization's. */
export function openFile(organizationId: OrganizationId, id: string): Promise<OpenedFile | null> {
  return withTenantSql(organizationId, async (sql) => {
    const [file] = await sql<{ name: string; kind: FileKind; hash: Buffer }>(
      `select name, kind, hash from attachment
       where organization_id = $1 and id = $2 and message_id is not null and removed_at is null`,
      [organizationId, id],
    )
    if (file === undefined) return null
    return { name: file.name, kind: file.kind, bytes: await readBytes(sql, organizationId, file.hash) }
  })
}
