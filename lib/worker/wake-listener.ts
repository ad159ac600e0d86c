import { pool } from '../db/pool.ts'
import { log } from '../log.ts'

const RECONNECT_MS = 2_000

/**
 * Calls `onWake` whenever a sync is requested (PostgreSQL NOTIFY), by any process. A lost connection is opened again; what
 * is missed meanwhile is the sweep's to find. Resolves, once it listens, to what ends it.
 */
export async function listenForWishes(onWake: () => void): Promise<() => void> {
  let end = () => {}
  let hasEnded = false
  async function listen(): Promise<void> {
    const client = await pool().connect()
    let isReleased = false
    const release = () => {
      if (!isReleased) client.release(true)
      isReleased = true
    }
    client.on('notification', onWake)
    client.on('error', (error) => {
      log.warn({ reason: error.message }, 'wake-up connection lost')
      release()
      if (!hasEnded) setTimeout(retry, RECONNECT_MS)
    })
    end = release
    await client.query('listen tieout_wake')
  }
  function retry(): void {
    if (hasEnded) return
    listen().catch((error: Error) => {
      log.warn({ reason: error.message }, 'wake-up connection cannot be opened')
      setTimeout(retry, RECONNECT_MS)
    })
  }
  await listen()
  return () => {
    hasEnded = true
    end()
  }
}
