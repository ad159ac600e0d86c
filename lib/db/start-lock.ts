import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { identityOf, isAlive } from './process-identity.ts'

const WAIT_MS = 100
const MAX_WAIT_MS = 120_000
const ABANDONED_CLAIM_MS = 10_000

/**
 * Holds a lock file while a server starts or stops: one process at a time. Exactly one waiting
 * process takes over the lock of a dead one.
 * @returns the function that frees the lock.
 * @throws Error when another living process keeps the lock for two minutes, or the folder cannot be
 * written.
 */
export async function holdStartLock(file: string): Promise<() => void> {
  mkdirSync(dirname(file), { recursive: true })
  for (let waitedMs = 0; ; waitedMs += WAIT_MS) {
    if (take(file)) return () => rmSync(file, { force: true })
    removeIfDead(file)
    if (waitedMs >= MAX_WAIT_MS)
      throw new Error(`Another process is starting the same server and does not finish (${file}).`)
    await delay(WAIT_MS)
  }
}

/** Making a link is atomic, so the file is never seen without its holder's name in it. */
function take(file: string): boolean {
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, `${identityOf(process.pid)} ${randomUUID()}`)
  try {
    return isLinked(draft, file)
  } finally {
    rmSync(draft)
  }
}

/**
 * Removes a dead holder's lock. Several processes may find it dead. A claim named after that very
 * lock lets one of them remove it, and is checked again, in case another process has taken the lock
 * meanwhile.
 */
function removeIfDead(file: string): void {
  const seen = readIfThere(file)
  if (seen === null) return
  const [holder = '', id = ''] = seen.split(' ')
  if (isAlive(holder)) return
  const claim = `${file}.dead-${id}`
  if (isLinked(file, claim)) {
    if (readIfThere(claim) === seen) rmSync(file, { force: true })
    rmSync(claim, { force: true })
  } else if (existsSync(claim) && Date.now() - statSync(claim).ctimeMs > ABANDONED_CLAIM_MS) {
    rmSync(claim, { force: true }) // its maker died between the two removals
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
