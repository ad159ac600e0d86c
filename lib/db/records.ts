import type pg from 'pg'
import type { Records } from './prisma.ts'

export type { Records }

let loading: Promise<typeof import('./prisma.ts')> | undefined

/**
 * Runs `work` with the models on `client`, whose transaction the caller has begun and will end
 * (decision 003). Prisma Client is loaded by the first call: a process that never calls, like the
 * worker, never pays for it.
 * @throws what the driver threw, not Prisma's wrapping of it: one kind of database error for SQL
 * and records.
 */
export async function withRecords<T>(client: pg.PoolClient, work: (records: Records) => Promise<T>): Promise<T> {
  const { runWithPrisma } = await load()
  return runWithPrisma(client, work)
}

/**
 * Loads Prisma Client before it is needed, so that the first who signs in does not wait for it.
 * Asks the database nothing.
 */
export async function warmRecords(): Promise<void> {
  const { warmPrisma } = await load()
  await warmPrisma()
}

function load(): Promise<typeof import('./prisma.ts')> {
  loading ??= import('./prisma.ts')
  return loading
}
