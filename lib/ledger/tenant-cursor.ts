import { type Sql, withTenantSql } from '../db/tenant.ts'
import { OperationalError } from '../errors.ts'

/** Rows of one query, a batch at a time, all as of the moment it was opened. */
export type RowCursor<Row> = {
  /** The next rows; an empty list at the end. Rejects when the database fails, and then at every further call, and after `close`. */
  next: () => Promise<Row[]>
  /** Gives the database connection back; whoever opens a cursor closes it, also after a failure. May be called twice. */
  close: () => Promise<void>
}

/**
 * A reader that has gone silent would hold its connection and its snapshot forever: after a minute without a call the
 * database ends the transaction, and the next call fails.
 */
const MAX_SILENCE_MS = 60_000

/** Each open cursor holds one of the pool's connections; the pages need the others. */
const MAX_OPEN_CURSORS = 5
let openCursors = 0

/**
 * Opens a cursor in a read-only transaction that sees one organization's rows and lasts until `close`. Memory holds one
 * batch, however many rows there are.
 * @throws OperationalError when too many are open; Error when the query cannot be started.
 */
export async function openTenantCursor<Row extends Record<string, unknown>>(
  organizationId: string,
  query: { text: string; values: unknown[] },
  batchRows: number,
): Promise<RowCursor<Row>> {
  if (openCursors >= MAX_OPEN_CURSORS)
    throw new OperationalError('database-unavailable', `${openCursors} cursors are open already`)
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const opened = new Promise<{ sql: Sql; transaction: Promise<void> }>((resolve, reject) => {
    const transaction = withTenantSql(organizationId, async (sql) => {
      await sql('set transaction read only')
      await sql(`set local idle_in_transaction_session_timeout = ${MAX_SILENCE_MS}`)
      await sql(`declare rows_to_read no scroll cursor for ${query.text}`, query.values)
      resolve({ sql, transaction })
      await finished
    })
    openCursors += 1
    transaction.catch(reject).finally(() => {
      openCursors -= 1
    })
  })
  const { sql, transaction } = await opened
  let isClosed = false
  return {
    next: async () => {
      if (isClosed) throw new Error('The cursor has been closed.')
      return sql<Row>(`fetch forward ${batchRows} from rows_to_read`)
    },
    close: async () => {
      isClosed = true
      finish()
      // what went wrong was told by `next`; here only the connection matters, and it has been given back
      await transaction.catch(() => undefined)
    },
  }
}
