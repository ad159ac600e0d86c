/**
 * The only way to the tables: a transaction that says whose rows it may see. Row-level security
 * (prisma/migrations) hides the rows of every other organization, also when a query forgets its `where`.
 */
import type pg from 'pg'
import { toDatabaseError } from './database-trouble.ts'
import { pool } from './pool.ts'
import { type PrismaTransaction, prisma } from './prisma.ts'

/** Runs SQL in the surrounding transaction. Values are `$1`-style parameters; numeric, bigint and date columns come back as text. */
export type Sql = {
  <Row extends Record<string, unknown> = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** The connection itself, for COPY and cursors; only lib/ledger and lib/db use it. */
  readonly client: pg.PoolClient
}

type Scope = { organizationId: string } | 'system'

/** One SQL transaction that sees one organization's rows; commits when `work` returns, rolls back when it throws. */
export function withTenantSql<T>(organizationId: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  return sqlTransaction({ organizationId }, work)
}

/** One SQL transaction that sees every organization: for sign-in and the worker's dispatcher only. */
export function withSystemSql<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  return sqlTransaction('system', work)
}

/** As `withTenantSql`, with Prisma's typed models. */
export function withTenant<T>(organizationId: string, work: (db: PrismaTransaction) => Promise<T>): Promise<T> {
  return prismaTransaction({ organizationId }, work)
}

/** As `withSystemSql`, with Prisma's typed models. */
export function withSystem<T>(work: (db: PrismaTransaction) => Promise<T>): Promise<T> {
  return prismaTransaction('system', work)
}

// one value, however many bundles of the web server have a copy of this module
const holder = globalThis as { tieoutStatementMs?: number | null }

/**
 * Ends every statement of this process that takes longer, with `database-slow`; a transaction may set another limit for
 * itself. The web server does so at its start (instrumentation.ts): nobody waits that long for a page. Null = no limit of ours.
 */
export function limitStatements(ms: number | null): void {
  holder.tieoutStatementMs = ms
}

/** Days are UTC, whatever the server or the role is set to. */
const SET_SCOPE = `select set_config('tieout.organization_id', $1, true), set_config('tieout.scope', $2, true),
  set_config('TimeZone', 'UTC', true), set_config('statement_timeout', coalesce($3, current_setting('statement_timeout')), true)`

function scopeValues(scope: Scope): [organizationId: string, scope: string, statementMs: string | null] {
  const statementMs = holder.tieoutStatementMs?.toString() ?? null
  return scope === 'system' ? ['', 'system', statementMs] : [scope.organizationId, 'organization', statementMs]
}

async function sqlTransaction<T>(scope: Scope, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool().connect()
  let isBroken = false
  // a connection lost between two statements makes the next one fail; without a listener it would end the process
  const noteLoss = () => {
    isBroken = true
  }
  client.on('error', noteLoss)
  try {
    await client.query('begin')
    await client.query(SET_SCOPE, scopeValues(scope))
    const run = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows
    const result = await work(Object.assign(run, { client }) as Sql)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      isBroken = true
    })
    throw toDatabaseError(error)
  } finally {
    client.off('error', noteLoss)
    // a connection that is lost or cannot even roll back is not handed out again
    client.release(isBroken)
  }
}

async function prismaTransaction<T>(scope: Scope, work: (db: PrismaTransaction) => Promise<T>): Promise<T> {
  try {
    return await prisma().$transaction(
      async (transaction) => {
        await transaction.$queryRawUnsafe(SET_SCOPE, ...scopeValues(scope))
        return work(transaction)
      },
      { timeout: 15_000, maxWait: 10_000 },
    )
  } catch (error) {
    throw toDatabaseError(error)
  }
}
