/**
 * Where the bytes of files are: in the database, or in a folder (`ATTACHMENTS_DIR`). Once per
 * organization, by their SHA-256.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sql } from '#lib/db/tenant.ts'
import { settings } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** What names them, in whatever place. */
export function toHash(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** The end of a name that a file has while it is written. */
export const UNFINISHED = '.part'

/**
 * Keeps the bytes under their hash. Nobody removes them before the transaction ends, and by then
 * something has to be of them.
 * @throws OperationalError attachments-unavailable when the folder cannot be written.
 */
export async function storeBytes(sql: Sql, organizationId: OrganizationId, hash: Buffer, bytes: Buffer): Promise<void> {
  const folder = settings().attachmentsDir
  // the row is the lock: whoever removes bytes that nothing is of holds it, too
  const [kept] = await sql<{ isHere: boolean }>(
    `insert into stored_file as f (organization_id, hash, content) values ($1, $2, $3)
     on conflict (organization_id, hash) do update
       set stored_at = excluded.stored_at, content = coalesce(f.content, excluded.content)
     returning content is not null as "isHere"`,
    [organizationId, hash, folder === null ? bytes : null],
  )
  // also where the folder has them already: what is broken there is whole again
  if (folder !== null && !kept?.isHere) await writeWhole(toPath(folder, organizationId, hash.toString('hex')), bytes)
}

/**
 * The same for what this program has made, by a process that may not read what people sent: it
 * keeps its bytes, and learns of others' only that they are there.
 */
export async function storeMade(sql: Sql, organizationId: OrganizationId, hash: Buffer, bytes: Buffer): Promise<void> {
  const folder = settings().attachmentsDir
  await sql(
    `insert into stored_file (organization_id, hash, content) values ($1, $2, $3)
     on conflict (organization_id, hash) do update set stored_at = excluded.stored_at`,
    [organizationId, hash, folder === null ? bytes : null],
  )
  if (folder !== null) await writeWhole(toPath(folder, organizationId, hash.toString('hex')), bytes)
}

/**
 * The bytes of a hash, exactly those that were kept.
 * @throws OperationalError attachments-unavailable when they are gone, or others than these.
 */
export async function readBytes(sql: Sql, organizationId: OrganizationId, hash: Buffer): Promise<Buffer> {
  const [kept] = await sql<{ content: Buffer | null }>(
    'select content from stored_file where organization_id = $1 and hash = $2',
    [organizationId, hash],
  )
  const name = hash.toString('hex')
  if (kept === undefined) throw unavailable(`nothing is kept of ${name}`)
  const bytes = kept.content ?? (await readFromFolder(organizationId, name))
  if (!toHash(bytes).equals(hash)) throw unavailable(`what is kept as ${name} is something else`)
  return bytes
}

async function readFromFolder(organizationId: OrganizationId, name: string): Promise<Buffer> {
  const folder = settings().attachmentsDir
  if (folder === null) throw unavailable(`${name} is in a folder, and ATTACHMENTS_DIR is not set`)
  return readFile(toPath(folder, organizationId, name)).catch((error: Error) => {
    throw unavailable(error.message, error)
  })
}

/** The place of bytes in the folder: `<organization>/<two digits>/<hash>`. */
export function toPath(folder: string, organizationId: string, name: string): string {
  return join(folder, organizationId, name.slice(0, 2), name)
}

/**
 * A file is there whole or not at all: written beside under another name, forced to the disk, and
 * renamed. Web servers and workers with accounts of their own share the folder by their group.
 */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o770 })
    const handle = await open(unfinished, 'wx', 0o660)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw unavailable((error as Error).message, error)
  }
}

/** A new name is durable only once its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function unavailable(reason: string, cause?: unknown): OperationalError {
  return new OperationalError('attachments-unavailable', `files of comments: ${reason}`, { cause })
}
