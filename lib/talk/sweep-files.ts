/** Housekeeping of files: what no comment has, and bytes that no file is of. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { settings } from '#lib/env.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'
import { toPath, UNFINISHED } from './file-store.ts'

/** So long a file may wait for its comment, and what a broken-off one left stays. */
const WAITS_HOURS = 24
const BATCH = 200

const IS_USED = `(exists (select from attachment a
  where a.organization_id = f.organization_id and a.hash = f.hash and a.removed_at is null)
  or exists (select from pack p where p.organization_id = f.organization_id and p.hash = f.hash))`

/**
 * Removes one batch of files that were sent for comments that never followed, and of bytes that no
 * file is of any more, of any organization. Zero means nothing is left to do. Whoever sends the
 * same bytes meanwhile keeps them.
 */
export function sweepFiles(): Promise<number> {
  return withSystemSql(async (sql) => {
    const unsent = await sql(
      `delete from attachment where ctid = any (array(
         select ctid from attachment where message_id is null and at < now() - make_interval(hours => ${WAITS_HOURS})
         limit ${BATCH}))
       returning 1 as gone`,
    )
    // held first, and asked again: who sent the same bytes in between has noted it by then
    const held = await sql<{ organizationId: OrganizationId; hash: Buffer }>(
      `select f.organization_id as "organizationId", f.hash from stored_file f where not ${IS_USED}
       limit ${BATCH} for update of f skip locked`,
    )
    if (held.length === 0) return unsent.length
    const gone = await sql<{ organizationId: OrganizationId; name: string }>(
      `delete from stored_file f using unnest($1::uuid[], $2::bytea[]) h (organization_id, hash)
       where f.organization_id = h.organization_id and f.hash = h.hash and not ${IS_USED}
       returning f.organization_id as "organizationId", encode(f.hash, 'hex') as name`,
      [held.map(({ organizationId }) => organizationId), held.map(({ hash }) => hash)],
    )
    const folder = settings().attachmentsDir
    if (folder !== null)
      for (const { organizationId, name } of gone) await rm(toPath(folder, organizationId, name), { force: true })
    return unsent.length + gone.length
  })
}

/**
 * Removes what the folder has and the database does not know: what a write left that ended halfway,
 * and files whose transaction was rolled back. Both only once they are a day old. How many went.
 */
export async function sweepFolder(now: Date, signal: AbortSignal): Promise<number> {
  const folder = settings().attachmentsDir
  if (folder === null) return 0
  let gone = 0
  for (const organizationId of (await list(folder)).filter(isUuid))
    for (const digits of await list(join(folder, organizationId)))
      for (const name of await list(join(folder, organizationId, digits))) {
        if (signal.aborted) return gone
        const path = join(folder, organizationId, digits, name)
        if (!(await isOld(path, now))) continue
        const isGone = name.endsWith(UNFINISHED)
          ? await rm(path, { force: true }).then(() => true)
          : /^[0-9a-f]{64}$/.test(name) && (await removeUnknown(organizationId as OrganizationId, name, path))
        gone += Number(isGone)
      }
  return gone
}

/** The row is the lock: who sends the same bytes waits, and writes the file anew. */
function removeUnknown(organizationId: OrganizationId, name: string, path: string): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    const own = [organizationId, Buffer.from(name, 'hex')]
    const [held] = await sql(
      `insert into stored_file (organization_id, hash) select id, $2 from organization where id = $1
       on conflict do nothing returning 1 as held`,
      own,
    )
    if (held === undefined) return false
    await rm(path, { force: true })
    await sql('delete from stored_file where organization_id = $1 and hash = $2', own)
    return true
  })
}

async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}

async function isOld(path: string, now: Date): Promise<boolean> {
  const status = await stat(path).catch(() => null) // its owner may remove it at this moment
  return status?.isFile() === true && now.getTime() - status.mtimeMs > WAITS_HOURS * 3_600_000
}
