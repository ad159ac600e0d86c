/** For tests, a disk that can really fill up: a file system in memory, if we may mount one. */
import { spawnSync } from 'node:child_process'
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  folder: string
  /** Fills the disk to the last byte, then frees `bytesLeft`. @returns the bytes written. */
  fill: (bytesLeft?: number) => number
  /** Makes room again. */
  makeRoom: () => void
  unmount: () => void
}

/** Null when this machine does not let us mount: the test is skipped, and must say so. */
export function mountSmallDisk(bytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const folder = mkdtempSync(join(tmpdir(), 'tieout-small-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', folder])
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true })
    return null
  }
  const filler = join(folder, 'filler', 'file')
  return {
    folder,
    fill: (bytesLeft = 0) => {
      mkdirSync(join(folder, 'filler'), { recursive: true })
      const size = fillUp(filler)
      if (bytesLeft > 0) truncateSync(filler, size - bytesLeft)
      return size - bytesLeft
    },
    makeRoom: () => rmSync(filler, { force: true }),
    unmount: () => {
      // processes with open files there end by themselves; the mount goes with the last of them
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Whether a small disk can be mounted here; says loudly why not. */
export function canMountSmallDisk(what: string): boolean {
  const disk = mountSmallDisk(1024 * 1024)
  disk?.unmount()
  if (disk === null)
    process.stderr.write(`\nSKIPPED: ${what}. It needs Linux and the right to mount (root); this process has not.\n\n`)
  return disk !== null
}

function fillUp(file: string): number {
  const handle = openSync(file, 'a')
  let written = 0
  try {
    for (let size = 1024 * 1024; size >= 1; )
      try {
        written += writeSync(handle, Buffer.alloc(size, 'x'))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        size = Math.floor(size / 2)
      }
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return written
}
