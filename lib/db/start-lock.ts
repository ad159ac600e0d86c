import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const WAIT_MS = 100
const MAX_WAIT_MS = 120_000

/**
 * Holds a lock file while a server is being started, so that two processes do not start it at once. The lock of a
 * process that has died is taken over.
 * @returns the function that frees the lock.
 * @throws Error when another living process keeps the lock for two minutes, or the folder cannot be written.
 */
export async function holdStartLock(file: string): Promise<() => void> {
  mkdirSync(dirname(file), { recursive: true })
  for (let waitedMs = 0; ; waitedMs += WAIT_MS) {
    if (tryToTake(file)) return () => rmSync(file, { force: true })
    if (!isHolderAlive(file)) rmSync(file, { force: true })
    else if (waitedMs >= MAX_WAIT_MS)
      throw new Error(`Another process is starting the same server and does not finish (${file}).`)
    else await delay(WAIT_MS)
  }
}

function tryToTake(file: string): boolean {
  try {
    const handle = openSync(file, 'wx')
    writeSync(handle, String(process.pid))
    closeSync(handle)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isHolderAlive(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    if (pid === 0) return Date.now() - statSync(file).mtimeMs < 5000 // just made, not yet written
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
