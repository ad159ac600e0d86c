import type pg from 'pg'
import type { Records } from './prisma.ts'

export type { Records }

let loading: Promise<typeof import('./prisma.ts')> | undefined

/**
 * Runs `work` with the models on `client`, whose transaction the caller begins and ends (decision
 * 003). The first call loads Prisma Client: a process that never calls, like the worker, never pays
 * for it.
 * @throws what the driver threw, unwrapped: SQL and records share one kind of database error.
 */
export async function withRecords<T>(client: pg.PoolClient, work: (records: Records) => Promise<T>): Promise<T> {
  const { runWithPrisma } = await load()
  return runWithPrisma(client, work)
}

/** Loads Prisma Client early, for the first sign-in's sake. Does not query the database. */
export async function warmRecords(): Promise<void> {
  const { warmPrisma } = await load()
  await warmPrisma()
}

function load(): Promise<typeof import('./prisma.ts')> {
  loading ??= import('./prisma.ts')
  return loading
}
