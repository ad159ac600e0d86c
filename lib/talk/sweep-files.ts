/** Housekeeping of files: what no comment has, and bytes that no file is of. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { workByOrganization } from '#lib/db/cluster/by-organization.ts'
import { type Sql, withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { settings } from '#lib/env.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'
import { toPath, UNFINISHED } from './file-store.ts'

/** So long a file may wait for its comment, and what a broken-off one left stays. */
const WAITS_HOURS = 24
const BATCH = 200

const IS_LATE = `at < now() - make_interval(hours => ${WAITS_HOURS})`
const UNSENT = `select organization_id as id from attachment where message_id is null and ${IS_LATE}`

/** That something is of the bytes `f` of this organization. */
const toUsed = (organization: string) => `(exists (select from attachment a
  where a.organization_id = ${organization} and a.hash = f.hash and a.removed_at is null)
  or exists (select from pack p where p.organization_id = ${organization} and p.hash = f.hash))`

/**
 * Removes one batch of files that were sent for comments that never followed, and of bytes that no
 * file is of any more, of any organization. Zero means nothing is left to do. Whoever sends the
 * same bytes meanwhile keeps them.
 */
export function sweepFiles(): Promise<number> {
  return withSystemSql(async (sql) => {
    const unsent = await workByOrganization(sql, UNSENT, BATCH, async (organizationId, left) => {
      const gone = await sql(
        `delete from attachment where organization_id = $1 and ctid = any (array(
           select ctid from attachment where organization_id = $1 and message_id is null and ${IS_LATE} limit $2))
         returning 1 as gone`,
        [organizationId, left],
      )
      return gone.length
    })
    const due = `select f.organization_id as id from stored_file f where not ${toUsed('f.organization_id')}`
    const swept = await workByOrganization(sql, due, BATCH, (organizationId, left) =>
      sweepStored(sql, organizationId, left),
    )
    return unsent + swept
  })
}

async function sweepStored(sql: Sql, organizationId: OrganizationId, limit: number): Promise<number> {
  // held first, and asked again: who sent the same bytes in between has noted it by then
  const held = await sql<{ hash: Buffer }>(
    `select f.hash from stored_file f where f.organization_id = $1 and not ${toUsed('$1')}
     limit $2 for update of f skip locked`,
    [organizationId, limit],
  )
  if (held.length === 0) return 0
  const gone = await sql<{ hash: Buffer }>(
    `delete from stored_file f where f.organization_id = $1 and f.hash = any ($2::bytea[]) and not ${toUsed('$1')}
     returning f.hash`,
    [organizationId, held.map(({ hash }) => hash)],
  )
  const folder = settings().attachmentsDir
  if (folder !== null)
    for (const { hash } of gone) await rm(toPath(folder, organizationId, hash.toString('hex')), { force: true })
  return gone.length
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
