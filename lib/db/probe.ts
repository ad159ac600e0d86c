/** Whether the database answers, over a separate connection: the pages' pool may be used up. */
import pg from 'pg'
import { log } from '#lib/log.ts'
import { pool } from './pool.ts'

/** How long an answer is kept, so that many callers cause no extra work. */
const KEPT_MS = 1000
/** For connecting, and again for the answer. */
const PATIENCE_MS = 2000

type Probe = { url: string | undefined; connection: pg.Pool; answer: Promise<boolean>; until: number }

const holder = globalThis as { tieoutProbe?: Probe }

/** True when the database answered within the last second. Takes four seconds at most. */
export async function isDatabaseUp(): Promise<boolean> {
  const url = pool().options.connectionString
  const last = holder.tieoutProbe?.url === url ? holder.tieoutProbe : undefined
  if (last !== undefined && performance.now() < last.until) return last.answer
  const connection = last?.connection ?? openConnection(url)
  // until the answer is there, everybody waits for the same one
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
  // the next query finds out
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
