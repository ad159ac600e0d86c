import { PrismaPg } from '@prisma/adapter-pg'
import { type Prisma, PrismaClient } from './generated/client.ts'
import { pool } from './pool.ts'

/** Prisma Client inside one transaction; handed out by lib/db/tenant.ts only. */
export type PrismaTransaction = Prisma.TransactionClient

const holder = globalThis as { tieoutPrisma?: PrismaClient }

/** Prisma Client over the process's one pool. Use `withTenant` or `withSystem`; a bare query sees no rows. */
export function prisma(): PrismaClient {
  holder.tieoutPrisma ??= new PrismaClient({ adapter: new PrismaPg(pool()) })
  return holder.tieoutPrisma
}
