import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, isAlive } from './process-identity.ts'

/**
 * Notes in `folder` that this process uses a shared server. Call it under the server's start lock.
 * @returns a function, for the same lock, that removes the note and says whether nobody else uses
 * the server. Processes that died without removing theirs do not count.
 */
export function joinUsers(folder: string): () => boolean {
  mkdirSync(folder, { recursive: true })
  const mine = `${identityOf(process.pid)}.${randomUUID()}`
  writeFileSync(join(folder, mine), '')
  return () => {
    rmSync(join(folder, mine), { force: true })
    const others = readdirSync(folder)
    const dead = others.filter((name) => !isAlive(name.split('.')[0] ?? ''))
    for (const name of dead) rmSync(join(folder, name), { force: true })
    return others.length === dead.length
  }
}
