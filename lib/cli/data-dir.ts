import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, isAlive } from '../db/process-identity.ts'
import { CommandError } from './command-error.ts'

/**
 * Makes the data directory. What is secret in it is private to this user; PostgreSQL's account, which is another one when
 * this user is root, has to pass through to its own folder. @throws CommandError when it cannot be written.
 */
export function provideDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK)
    accessSync(join(dataDir, 'logs'), constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(`The data directory ${dataDir} can't be written (${code}): choose another with DATA_DIR.`, {
      cause: error,
    })
  }
}

/**
 * Makes sure that one `npm start` at a time uses the data directory.
 * @returns the function that frees it again.
 * @throws CommandError when another one runs.
 */
export function occupyDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'running')
  const mine = identityOf(process.pid)
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const other = readFileSync(file, 'utf8')
    if (isAlive(other))
      throw new CommandError(
        `Tieout already runs on the data directory ${dataDir} (process ${Number.parseInt(other, 10)}).`,
      )
    rmSync(file, { force: true }) // left behind by one that was killed
  }
}
