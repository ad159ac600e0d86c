/**
 * Prisma's PostgreSQL adapter, made to do what the schema engine needs of it and the query engine
 * does not.
 */
import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { createDatabase, dropDatabase, urlOfDatabase } from './database.mjs'

/**
 * The factory that the engine connects through. `closeAll` ends what it has opened and drops its
 * shadow databases.
 */
export function createAdapterFactory({ url = 'postgresql://nobody@127.0.0.1:1/none', shadowDatabaseUrl }) {
  const open = new Set()
  const connect = async (address, afterwards = async () => {}) => {
    const adapter = await openAdapter(address)
    const dispose = adapter.dispose.bind(adapter)
    adapter.dispose = async () => {
      if (!open.delete(adapter)) return
      await dispose()
      await afterwards()
    }
    open.add(adapter)
    return adapter
  }
  const connectToShadowDb = async () => {
    if (shadowDatabaseUrl) return connect(shadowDatabaseUrl)
    const name = `prisma_shadow_${randomUUID()}`
    await createDatabase(url, name)
    return connect(urlOfDatabase(url, name), () => dropDatabase(url, name))
  }
  const factory = {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(url),
    connectToShadowDb,
  }
  const closeAll = async () => {
    for (const adapter of [...open]) await adapter.dispose()
  }
  return { factory, closeAll }
}

async function openAdapter(url) {
  // one session: its advisory lock and its settings have to hold for every statement
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 })
  const schema = new URL(url).searchParams.get('schema') ?? undefined
  const adapter = await new PrismaPg(pool, { schema, disposeExternalPool: true }).connect()
  readCharColumns(adapter)
  // the adapter's own way cuts a script at every semicolon, also inside of function bodies and
  // texts
  adapter.executeScript = async (script) => {
    try {
      await pool.query(script)
    } catch (error) {
      adapter.onError(error)
    }
  }
  return adapter
}

/**
 * The system catalog has columns of the one-letter type "char" (pg_constraint.contype), which the
 * adapter does not know and the engine expects as characters: they are read as text and named
 * characters again.
 */
function readCharColumns(adapter) {
  const positions = new WeakMap()
  const performIO = adapter.performIO.bind(adapter)
  const queryRaw = adapter.queryRaw.bind(adapter)
  adapter.performIO = async (query) => {
    const result = await performIO(query)
    const found = []
    for (const [position, field] of (result.fields ?? []).entries()) {
      if (field.dataTypeID !== pg.types.builtins.CHAR) continue
      field.dataTypeID = pg.types.builtins.TEXT
      found.push(position)
    }
    positions.set(result.rows, found)
    return result
  }
  adapter.queryRaw = async (query) => {
    const set = await queryRaw(query)
    for (const position of positions.get(set.rows) ?? []) set.columnTypes[position] = ColumnTypeEnum.Character
    return set
  }
}
