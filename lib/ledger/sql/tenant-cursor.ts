import { type RawReader, type RawRows, readRawRows } from '#lib/db/raw-rows.ts'
import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { PLACE_LIMITS, takePlace, takeSharedPlace } from './cursor-places.ts'

/** The rows of one query, a batch at a time, all as of the moment it was opened. */
export type BatchCursor<Batch extends { length: number }> = {
  /**
   * The next rows; an empty batch at the end. Rejects when the database fails, and after the cursor
   * ended.
   */
  next: () => Promise<Batch>
  /**
   * Gives the database connection back. Always close a cursor, also after a failure; twice is fine.
   */
  close: () => Promise<void>
  /** Aborted with the reason when the cursor ends early: its reader need not poll. */
  lost: AbortSignal
}
export type RowCursor<Row> = BatchCursor<Row[]>

/** Who reads, and for how long: a cursor does not outlive its request. */
export type CursorReader = { userId: UserId; signal: AbortSignal }

export const CURSOR_LIMITS = {
  ...PLACE_LIMITS,
  /** How long a cursor may be open, whatever its reader does. */
  lifeMs: 10 * 60_000,
  /** For one fetch: the first one sorts everything. */
  fetchMs: 120_000,
}

/** If the process hangs, the database ends the session after this much silence. */
const MAX_SILENCE_MS = 90_000

const CURSOR = 'rows_to_read'

/** One query and its parameters. */
type CursorQuery = { text: string; values: unknown[] }

/**
 * Opens a cursor in a read-only transaction that sees one organization's rows. Memory holds one
 * batch, however many rows there are. It lasts until `close`; it also ends when the reader's signal
 * is aborted, when the database ends the session, and after ten minutes: a forgotten one does not
 * hold its connection forever. If the reader has already left, the database is not asked.
 * @throws OperationalError `export-busy` when too many are open; Error when the query cannot be
 * started.
 */
export function openTenantCursor<Row extends Record<string, unknown>>(
  organizationId: OrganizationId,
  reader: CursorReader,
  query: CursorQuery,
  batchRows: number,
  limits = CURSOR_LIMITS,
): Promise<RowCursor<Row>> {
  return openDerivedCursor<Row, Row>(
    organizationId,
    reader,
    { toQuery: async () => query, derive: async (_, rows) => rows },
    batchRows,
    limits,
  )
}

/** A query made in the cursor's own transaction, and what each batch of its rows becomes there. */
export type Derivation<Row, Out> = {
  toQuery: (sql: Sql) => Promise<CursorQuery>
  derive: (sql: Sql, rows: Row[]) => Promise<Out[]>
}

/**
 * As `openTenantCursor`, for rows that need more than one query: all see the same moment.
 * @throws like `openTenantCursor`
 */
export function openDerivedCursor<Row extends Record<string, unknown>, Out>(
  organizationId: OrganizationId,
  reader: CursorReader,
  { toQuery, derive }: Derivation<Row, Out>,
  batchRows: number,
  limits = CURSOR_LIMITS,
): Promise<RowCursor<Out>> {
  const read = async (sql: Sql) => derive(sql, await sql<Row>(`fetch forward ${batchRows} from ${CURSOR}`))
  return openCursor(organizationId, reader, toQuery, read, limits)
}

/**
 * As `openTenantCursor`, with rows as the database sends them.
 * @throws like `openTenantCursor`
 */
export function openRawCursor(
  organizationId: OrganizationId,
  reader: CursorReader,
  toQuery: (sql: Sql) => Promise<CursorQuery>,
  batchRows: number,
  limits = CURSOR_LIMITS,
): Promise<BatchCursor<RawRows>> {
  const read = (_: Sql, raw: RawReader) => raw.read(CURSOR, batchRows)
  return openCursor(organizationId, reader, toQuery, read, limits)
}

async function openCursor<Batch extends { length: number }>(
  organizationId: OrganizationId,
  reader: CursorReader,
  toQuery: (sql: Sql) => Promise<CursorQuery>,
  read: (sql: Sql, raw: RawReader) => Promise<Batch>,
  limits: typeof CURSOR_LIMITS,
): Promise<BatchCursor<Batch>> {
  const leavePlace = takePlace(organizationId, reader.userId, limits)
  const ending = new AbortController()
  const lost = new AbortController()
  const lose = (reason: Error) => {
    if (!ending.signal.aborted) lost.abort(reason)
    ending.abort(reason)
  }
  const leave = () => lose(new Error('The reader has gone.'))
  const tooLate = () => lose(new OperationalError('export-too-slow', `a file took longer than ${limits.lifeMs} ms`))
  const timer = setTimeout(tooLate, limits.lifeMs)
  reader.signal.addEventListener('abort', leave)
  if (reader.signal.aborted) leave()

  let transaction = Promise.resolve()
  const opened = new Promise<(() => Promise<Batch>) | null>((resolve, reject) => {
    if (ending.signal.aborted) return resolve(null)
    const hold = async (sql: Sql) => {
      const raw = readRawRows(sql.client)
      // the session may end while no query runs: nobody else would then close the cursor
      sql.client.once('error', lose)
      try {
        await sql(`set local idle_in_transaction_session_timeout = ${MAX_SILENCE_MS}`)
        await sql(`set local statement_timeout = ${limits.fetchMs}`)
        await takeSharedPlace(sql, organizationId, reader.userId, limits)
        const query = await toQuery(sql)
        await sql(`declare ${CURSOR} no scroll cursor for ${query.text}`, query.values)
        resolve(() => read(sql, raw))
        await untilAborted(ending.signal)
      } finally {
        raw.end()
        sql.client.off('error', lose)
      }
    }
    transaction = withTenantSnapshot(organizationId, hold, { isEndAwaited: true })
    transaction.catch(reject)
  })
  // the opening and `next` report errors; here it only matters that the connection is given back
  const ended = () => transaction.catch(() => undefined)
  const freed = opened.then(ended, ended).finally(() => {
    clearTimeout(timer)
    reader.signal.removeEventListener('abort', leave)
    leavePlace()
  })

  const readNext = await opened
  return {
    lost: lost.signal,
    next: async () => {
      if (readNext === null || ending.signal.aborted) throw ending.signal.reason
      return readNext()
    },
    close: async () => {
      ending.abort(new Error('The cursor has been closed.'))
      await freed
    },
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
