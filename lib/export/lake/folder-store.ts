import { mkdir, open, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LakeStore } from './lake-store.ts'

/**
 * A lake in a folder. A file takes its place by its name: whoever opens it has the old one or the
 * new one. What is not finished is called `.part`, beside it, on the same disk.
 */
export function openFolderStore(root: string): LakeStore {
  const at = (path: string) => join(root, path)
  const replace = async (path: string, staged: string) => {
    await mkdir(dirname(at(path)), { recursive: true })
    await rename(staged, at(path))
    await syncFolder(dirname(at(path)))
  }
  return {
    where: root,
    openStaging: async (folder) => {
      const staging = join(root, folder, '.part')
      // what a killed run left
      await rm(staging, { recursive: true, force: true })
      await mkdir(staging, { recursive: true })
      return staging
    },
    closeStaging: (staging) => rm(staging, { recursive: true, force: true }),
    read: (path) => readFile(at(path)).catch(orNull),
    sizeOf: (path) => stat(at(path)).then(({ size }) => size, orNull),
    publish: replace,
    write: async (path, bytes) => {
      const staged = `${at(path)}.part`
      await mkdir(dirname(staged), { recursive: true })
      const file = await open(staged, 'w')
      await file
        .writeFile(bytes)
        .then(() => file.sync())
        .finally(() => file.close())
      await replace(path, staged)
    },
    remove: async (path) => {
      await rm(at(path), { force: true })
      // the folder of a month that is gone
      await rmdir(dirname(at(path))).catch(() => undefined)
    },
  }
}

function orNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
