import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const FOLDER = '/dev/shm'
/** Where temporary files are unless somebody says otherwise (TMPDIR). */
const USUAL = '/tmp'

/**
 * A folder whose files are in memory and that holds this much, in bytes; null where there is none:
 * containers often have 64 MB of it. What is in it does not count, so that all processes of a run
 * find the same.
 */
export function findMemoryFolder(bytes: number): string | null {
  try {
    accessSync(FOLDER, constants.W_OK | constants.X_OK)
    const { bsize, blocks } = statfsSync(FOLDER)
    return bsize * blocks > bytes ? FOLDER : null
  } catch {
    return null
  }
}

/** What the data of a run's tests take at most, in bytes. */
const DATA_OF_TESTS = 6_000_000_000

/**
 * Where tests keep databases: in TMPDIR if it is set, else in memory, else on the disk. A database
 * is 900 files, and a run makes and drops hundreds. ext4 does not use an inode again for minutes
 * after its file is gone, and looks through all of these for each new file: a copy of the template
 * took up to 0.7 s of the processor there, 0.05 s in memory.
 */
export function findDatabaseFolder(): string {
  if (tmpdir() !== USUAL) return tmpdir()
  const folder = findMemoryFolder(DATA_OF_TESTS)
  return folder === null || !runsPrograms(folder) ? tmpdir() : folder
}

/** PostgreSQL's programs may have to be copied to where its account can run them. */
function runsPrograms(folder: string): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const mount = mounts.map((line) => line.split(' ')).find(([, place]) => place === folder)
  return mount?.[3]?.split(',').includes('noexec') === false
}
