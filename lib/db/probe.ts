/**
 * Whether the database answers, asked over a connection of its own: the pages' pool may be used up
 * while all is well.
 */
import pg from 'pg'
import { log } from '#lib/log.ts'
import { pool } from './pool.ts'

/** How long an answer is kept: however many ask, they make no work. */
const KEPT_MS = 1000
/** For connecting, and again for the answer. */
const PATIENCE_MS = 2000

type Probe = { url: string | undefined; connection: pg.Pool; answer: Promise<boolean>; until: number }

const holder = globalThis as { tieoutProbe?: Probe }

/**
 * True when the database answered just now, or within the last second. Takes four seconds at most,
 * whatever the pool is doing.
 */
export async function isDatabaseUp(): Promise<boolean> {
  const url = pool().options.connectionString
  const last = holder.tieoutProbe?.url === url ? holder.tieoutProbe : undefined
  if (last !== undefined && performance.now() < last.until) return last.answer
  const connection = last?.connection ?? openConnection(url)
  // until it is there, everybody waits for the same answer
  const probe: Probe = { url, connection, answer: ask(connection), until: Number.POSITIVE_INFINITY }
  holder.tieoutProbe = probe
  const isUp = await probe.answer
  probe.until = performance.now() + KEPT_MS
  return isUp
}

function openConnection(connectionString: string | undefined): pg.Pool {
  const opened = new pg.Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    allowExitOnIdle: true,
  })
  // the next question finds out
  opened.on('error', () => undefined)
  return opened
}

async function ask(connection: pg.Pool): Promise<boolean> {
  try {
    await connection.query('select 1')
    return true
  } catch (thrown) {
    log.error({ reason: thrown instanceof Error ? thrown.message : 'unknown' }, 'the database does not answer')
    return false
  }
}
