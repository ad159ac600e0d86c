/**
 * Prisma Client over the surrounding transaction's connection: records and SQL share one
 * transaction, its scope and its end (decision 003). records.ts loads it on first use.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { processWide } from '#lib/process-wide.ts'
import { type Prisma, PrismaClient } from './generated/client.ts'

type ModelName = Uncapitalize<Prisma.ModelName>

/**
 * The typed models, without `findUnique`: Prisma merges such calls of one tick into one query, even
 * across transactions, and so across organizations. `findFirst` always queries by itself.
 */
export type Records = {
  readonly [Model in ModelName]: Omit<PrismaClient[Model], 'findUnique' | 'findUniqueOrThrow'>
}

/** A transaction's connection, its last error, and the end of the operations begun so far. */
type Surrounding = { client: pg.PoolClient; failure: unknown; turn: Promise<void> }

/** `withRecords`, once Prisma Client is loaded. */
export async function runWithPrisma<T>(client: pg.PoolClient, work: (records: Records) => Promise<T>): Promise<T> {
  const { client: prisma, surrounding } = provide()
  const mine: Surrounding = { client, failure: null, turn: Promise.resolve() }
  try {
    // Prisma's promises start when awaited, which must happen in here
    return await surrounding.run(mine, async () => await work(prisma))
  } catch (thrown) {
    if (mine.failure !== null && isWrapped(thrown)) throw mine.failure
    throw thrown
  }
}

/** `warmRecords`: compiles Prisma's query compiler, which takes longer than loading the rest. */
export async function warmPrisma(): Promise<void> {
  await provide().client.$connect()
}

const provide = () =>
  processWide('tieoutRecords', () => {
    const surrounding = new AsyncLocalStorage<Surrounding>()
    return { client: new PrismaClient({ adapter: new PrismaPg(new SurroundingPool(surrounding)) }), surrounding }
  })

function isWrapped(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name.startsWith('PrismaClient') || thrown.name === 'DriverAdapterError')
}

/** Prisma's BEGIN and COMMIT around several statements must not end the caller's transaction. */
const NESTED: Record<string, string> = {
  BEGIN: 'savepoint records',
  COMMIT: 'release savepoint records',
  ROLLBACK: 'rollback to savepoint records',
}

/** Resolves when the operations before this one have ended. Call the result when this one ends. */
async function takeTurn(surrounding: Surrounding): Promise<() => void> {
  const before = surrounding.turn
  let endTurn = () => {}
  surrounding.turn = new Promise((resolve) => {
    endTurn = resolve
  })
  await before
  return endTurn
}

async function ask(surrounding: Surrounding, config: pg.QueryConfig) {
  surrounding.failure = null
  try {
    return await surrounding.client.query(config)
  } catch (thrown) {
    surrounding.failure = thrown
    throw thrown
  }
}

/**
 * What the driver adapter takes for its pool. It opens no connection, since records exist only
 * inside our transactions. Operations begun at once wait for each other: otherwise one's savepoint
 * would cover another's statements.
 */
class SurroundingPool extends pg.Pool {
  readonly #surrounding: AsyncLocalStorage<Surrounding>

  constructor(surrounding: AsyncLocalStorage<Surrounding>) {
    super()
    this.#surrounding = surrounding
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg overloads these ten times; the adapter uses one form
  override async query(config: any): Promise<any> {
    const surrounding = this.#require()
    const endTurn = await takeTurn(surrounding)
    try {
      return await ask(surrounding, config)
    } finally {
      endTurn()
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  override async connect(): Promise<any> {
    const surrounding = this.#require()
    const endTurn = await takeTurn(surrounding)
    const nested = {
      query: (config: pg.QueryConfig & { text: string }) =>
        ask(surrounding, { ...config, text: NESTED[config.text] ?? config.text }),
      on: () => nested,
      removeListener: () => nested,
      release: endTurn,
    }
    return nested
  }

  #require(): Surrounding {
    const surrounding = this.#surrounding.getStore()
    if (surrounding === undefined) throw new Error('Records are read and written inside withTenant or withSystem only.')
    return surrounding
  }
}
