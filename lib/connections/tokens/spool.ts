/**
 * A folder on this machine's disk that makes an answer of the token endpoint safe, sealed, before
 * it is used: a refresh token works once, and the database may be away just then. One small file
 * per answer, named after its connection and generation, removed once the answer is in the
 * database.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { settings } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import { type ConnectionId, parseConnectionId } from '#lib/ids.ts'

/** The largest answer read, a hundred times two tokens: an HTML page in its place fits too. */
export const LARGEST_ANSWER_BYTES = 256 * 1024
/** Its sealed size: base64 twice, the fields beside it, the envelope. A test seals one. */
export const RESERVED_BYTES = 480 * 1024
/** A reserved file of this age belongs to a process that died before its answer came. */
const ABANDONED_MS = 10 * 60_000

export type SpooledFile = { file: string; connectionId: ConnectionId; generation: number }

export type SpoolSlot = {
  /** Forces the text to the disk and renames the file. From here on it cannot be lost. */
  keep: (text: string) => Promise<void>
  /** Removes the file, kept or not. */
  remove: () => Promise<void>
}

/** The folder: `SPOOL_DIR`, or `DATA_DIR/spool`. Workers of one machine share it. */
export function spoolDirectory(): string {
  return settings().spoolDir
}

/**
 * Reserves room for the largest answer before the request, by really writing to the disk. A full
 * disk stops the request, and on one that fills up meanwhile the answer already has its room (where
 * files are overwritten in place, as on ext4 and xfs; btrfs and zfs write elsewhere).
 * @throws OperationalError spool-unavailable when there is no room: then nothing may be sent.
 */
export async function reserveSpool(connectionId: ConnectionId, generation: number): Promise<SpoolSlot> {
  const directory = spoolDirectory()
  const name = `${connectionId}.${generation}.${randomUUID()}`
  const reserved = join(directory, `${name}.reserved`)
  const kept = join(directory, `${name}.answer`)
  const handle = await setRoomAside(directory, reserved).catch(refuseSpool)
  return {
    keep: async (text) => {
      await writeThrough(handle, text)
      await rename(reserved, kept)
      await syncDirectory(directory)
    },
    remove: async () => {
      await handle.close().catch(() => undefined) // already closed if the answer was kept
      await rm(reserved, { force: true })
      await rm(kept, { force: true })
    },
  }
}

async function setRoomAside(directory: string, file: string): Promise<FileHandle> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const handle = await open(file, 'wx', 0o600)
  try {
    await writeFromStart(handle, filler())
    await handle.sync()
    return handle
  } catch (error) {
    await handle.close()
    await rm(file, { force: true })
    throw error
  }
}

let fill: Buffer | undefined
/** What fills reserved room: random, since zeros take no room on a file system that compresses. */
function filler(): Buffer {
  fill ??= randomBytes(RESERVED_BYTES)
  return fill
}

/** Loops because a nearly full disk writes only a part, and reports that only as a number. */
async function writeFromStart(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await handle.write(bytes, written, bytes.length - written, written)).bytesWritten
}

function refuseSpool(error: NodeJS.ErrnoException): never {
  throw new OperationalError('spool-unavailable', `the spool cannot be used: ${error.message}`, { cause: error })
}

async function writeThrough(handle: FileHandle, text: string): Promise<void> {
  try {
    const bytes = Buffer.from(text)
    await writeFromStart(handle, bytes)
    await handle.truncate(bytes.length)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A new name is durable only once its folder is synced. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * The kept answers, of one connection or of all. Removes what dead processes reserved and never
 * filled.
 * @throws OperationalError spool-unavailable
 */
export async function listSpooled(connectionId?: ConnectionId): Promise<SpooledFile[]> {
  const directory = spoolDirectory()
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as string[] // nothing was ever spooled here
    return refuseSpool(error)
  })
  const found: SpooledFile[] = []
  for (const name of names) {
    if (name.endsWith('.reserved')) await removeAbandoned(join(directory, name))
    const [, connection = '', generation = ''] = /^([0-9a-f-]{36})\.(\d+)\.[0-9a-f-]{36}\.answer$/.exec(name) ?? []
    const spooledFor = parseConnectionId(connection)
    if (spooledFor === null || (connectionId !== undefined && spooledFor !== connectionId)) continue
    found.push({ file: join(directory, name), connectionId: spooledFor, generation: Number(generation) })
  }
  return found.sort((a, b) => a.generation - b.generation)
}

async function removeAbandoned(file: string): Promise<void> {
  const status = await stat(file).catch(() => null) // its owner may remove it at this moment
  if (status !== null && Date.now() - status.mtimeMs > ABANDONED_MS) await rm(file, { force: true })
}

/** The sealed text of a kept answer; null when another worker has stored it meanwhile. */
export async function readSpooled({ file }: SpooledFile): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Removes a kept answer that is in the database now. */
export function removeSpooled({ file }: SpooledFile): Promise<void> {
  return rm(file, { force: true })
}
