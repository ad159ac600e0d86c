/**
 * The only way to the tables: a transaction that says whose rows it may see. Row-level security
 * (prisma/migrations) hides every other organization's rows, even if a query forgets its `where`.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { settings } from '#lib/env.ts'
import { isUuid, type OrganizationId } from '#lib/ids.ts'
import { toCommitError, toDatabaseError } from './database-trouble.ts'
import { pool } from './pool.ts'
import { type Records, withRecords } from './records.ts'

/**
 * Runs SQL in the surrounding transaction. Values are `$1`-style parameters; numeric, bigint and
 * date columns come back as text.
 */
export type Sql = {
  <Row extends Record<string, unknown> = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /**
   * The same for a statement whose text never varies and which nearly every request asks: the
   * server parses and plans it once per connection. Policies hold as ever, since they are looked at
   * when it runs. Two texts must not share a name. Behind a pooler, which may give each transaction
   * another connection, it is a statement like any other.
   */
  readonly prepared: <Row extends Record<string, unknown>>(
    name: string,
    text: string,
    values: unknown[],
  ) => Promise<Row[]>
  /**
   * Says for the rest of the transaction what triggers ask for: whose act this is, or which run's.
   * Null says that it is nobody's. @throws Error for anything but a uuid
   */
  readonly setName: (what: 'tieout.actor_id' | 'tieout.run_id', id: string | null) => Promise<void>
  /** The connection itself, for COPY and cursors; only lib/ledger and lib/db use it. */
  readonly client: pg.PoolClient
}

type Scope = { organizationId: OrganizationId } | 'system'

/** One SQL transaction on one organization's rows; rolls back when `work` throws. */
export function withTenantSql<T>(organizationId: OrganizationId, work: (sql: Sql) => Promise<T>): Promise<T> {
  return sqlTransaction({ organizationId }, work)
}

/**
 * As `withTenantSql`, to read: all its statements see the ledger as of the first one, and the
 * database refuses those that would change something. It resolves as soon as `work` does, or, if
 * the end is awaited, when the database holds nothing more for it. `within`: a read of the same
 * organization that this is a part of.
 */
export function withTenantSnapshot<T>(
  organizationId: OrganizationId,
  work: (sql: Sql) => Promise<T>,
  { isEndAwaited = false, within }: { isEndAwaited?: boolean; within?: Sql } = {},
): Promise<T> {
  return within === undefined ? sqlTransaction({ organizationId }, work, READING, isEndAwaited) : work(within)
}

/**
 * Reads that all see the ledger as of one moment, side by side. Where no connection is free they
 * follow each other on the first one's: who holds a connection never waits for another, or requests
 * could wait for each other.
 */
export function withTenantMoment<Of extends Record<string, (sql: Sql) => Promise<unknown>>>(
  organizationId: OrganizationId,
  reads: Of,
): Promise<{ [Name in keyof Of]: Awaited<ReturnType<Of[Name]>> }> {
  const first = async (sql: Sql, [, exported]: Record<string, unknown>[]) => {
    const moment = exported?.moment as string
    let turn: Promise<unknown> = Promise.resolve()
    const begun = Object.entries(reads).map(async ([name, read], at) => {
      if (at > 0 && isConnectionFree())
        return [name, await sqlTransaction({ organizationId }, read, READING, false, moment)]
      turn = turn.then(() => read(sql))
      return [name, await turn]
    })
    return Object.fromEntries(await Promise.all(begun))
  }
  return sqlTransaction({ organizationId }, first, `${READING}; select pg_export_snapshot() as moment`, false)
}

/** Whether a connection is to be had without waiting for its release. */
function isConnectionFree(): boolean {
  const { idleCount, totalCount, waitingCount, options } = pool()
  return idleCount + options.max - totalCount > waitingCount
}

/** One SQL transaction on every organization, for the callers in named-places.test.ts. */
export function withSystemSql<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  return sqlTransaction('system', work)
}

/** As `withTenantSql`, with the typed models beside the SQL, in one transaction. */
export function withTenant<T>(
  organizationId: OrganizationId,
  work: (records: Records, sql: Sql) => Promise<T>,
): Promise<T> {
  return withTenantSql(organizationId, (sql) => withRecords(sql.client, (records) => work(records, sql)))
}

/** As `withSystemSql`, with the typed models beside the SQL. */
export function withSystem<T>(work: (records: Records, sql: Sql) => Promise<T>): Promise<T> {
  return withSystemSql((sql) => withRecords(sql.client, (records) => work(records, sql)))
}

// one value, however many copies of this module the web server's bundles hold
const holder = globalThis as { tieoutStatementMs?: number | null; tieoutStatementScope?: AsyncLocalStorage<number> }

/**
 * Stops every statement of this process that takes longer, with `database-slow`; a transaction may
 * set its own limit. The web server sets one at its start (instrumentation.ts): nobody waits that
 * long for a page. Null: no limit of ours.
 */
export function limitStatements(ms: number | null): void {
  if (ms !== null && !Number.isInteger(ms)) throw new Error('A limit is a whole number of milliseconds.')
  holder.tieoutStatementMs = ms
}

/**
 * Does the work with another limit for its statements than the process has, e.g. for one kind of
 * request.
 */
export function withStatementLimit<T>(ms: number, work: () => Promise<T>): Promise<T> {
  if (!Number.isInteger(ms)) throw new Error('A limit is a whole number of milliseconds.')
  holder.tieoutStatementScope ??= new AsyncLocalStorage()
  return holder.tieoutStatementScope.run(ms, work)
}

/**
 * Begins a transaction in its scope, in one round trip; null: it has begun. Parameters would need a
 * second one, so the values are literals: a checked uuid, a word of ours and a whole number. Days
 * are UTC, whatever the server or the role is set to; Prisma's adapter relies on it too.
 */
function beginIn(scope: Scope, begin: string | null): string {
  if (scope !== 'system' && !isUuid(scope.organizationId)) throw new Error('An organization is named by a uuid.')
  const [id, name] = scope === 'system' ? ['', 'system'] : [scope.organizationId, 'organization']
  const limit = holder.tieoutStatementScope?.getStore() ?? holder.tieoutStatementMs ?? null
  const settings = [
    toLocal('tieout.organization_id', id),
    toLocal('tieout.scope', name),
    toLocal('TimeZone', 'UTC'),
    ...(limit === null ? [] : [toLocal('statement_timeout', `${limit}`)]),
  ]
  return [...(begin === null ? [] : [begin]), ...settings].join('; ')
}

/**
 * A setting for this transaction only, by the statement that a cluster passes on to all nodes:
 * `set_config` would change this one's alone (decision 067). The value becomes a literal: it must
 * be safe as is.
 */
function toLocal(setting: string, value: string): string {
  return `set local ${setting} = '${value}'`
}

const READING = 'begin isolation level repeatable read read only'

async function sqlTransaction<T>(
  scope: Scope,
  work: (sql: Sql, opened: Record<string, unknown>[]) => Promise<T>,
  opening = 'begin',
  isEndAwaited = true,
  moment: string | null = null,
): Promise<T> {
  const begin = beginIn(scope, moment === null ? opening : null)
  const client = await pool().connect()
  let isBroken = false
  // without a listener, a connection lost between two statements would end the process
  const noteLoss = () => {
    isBroken = true
  }
  client.on('error', noteLoss)
  try {
    // by itself: with the settings a cluster would pass it on to nodes, which know no such moment
    if (moment !== null) await client.query(`${opening}; set transaction snapshot '${moment}'`)
    // several statements in one query: a result for each
    const opened = (await client.query(begin)) as unknown as pg.QueryResult[]
    const run = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows
    const prepared = async (name: string, text: string, values: unknown[]) =>
      (await client.query(settings().databaseDirectUrl === null ? { name, text, values } : { text, values })).rows
    const setName = async (what: string, id: string | null) => {
      if (id !== null && !isUuid(id)) throw new Error('A person or a run is named by a uuid.')
      await client.query(toLocal(what, id ?? ''))
    }
    const sql: Sql = Object.assign(run, { client, prepared, setName })
    const result = await work(
      sql,
      opened.map(({ rows: [row] }) => row),
    )
    const committed = client.query('commit').catch((thrown: unknown) => {
      throw opening === READING ? thrown : toCommitError(thrown)
    })
    // where nothing was changed nobody has to wait: the connection ends it before what is next
    if (isEndAwaited) await committed
    else committed.catch(() => undefined)
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      isBroken = true
    })
    throw toDatabaseError(error)
  } finally {
    client.off('error', noteLoss)
    // never hand out a connection that is lost or cannot roll back
    client.release(isBroken)
  }
}
