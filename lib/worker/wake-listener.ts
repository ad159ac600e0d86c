import { pool } from '#lib/db/pool.ts'
import { log } from '#lib/log.ts'

const RECONNECT_MS = 2_000

/**
 * Calls `onWake` whenever a sync is requested (PostgreSQL NOTIFY), by any process. A lost
 * connection is opened again; what is missed meanwhile is the sweep's to find. Resolves, once it
 * listens, to what ends it.
 */
export async function listenForWishes(onWake: () => void): Promise<() => void> {
  let hasEnded = false
  let close = await listen(onWake, onLost)

  function onLost(error: Error): void {
    if (hasEnded) return
    log.warn({ reason: error.message }, 'wake-up connection lost')
    setTimeout(() => {
      if (hasEnded) return
      listen(onWake, onLost).then((opened) => {
        close = opened
        if (hasEnded) close()
        else onWake() // for what came in between
      }, onLost)
    }, RECONNECT_MS).unref()
  }

  return () => {
    hasEnded = true
    close()
  }
}

/**
 * Listens on one connection; resolves to what closes it. `onLost` is called at most once, and not
 * after closing.
 */
async function listen(onWake: () => void, onLost: (error: Error) => void): Promise<() => void> {
  const client = await pool().connect()
  let isOpen = true
  const close = () => {
    if (isOpen) client.release(true)
    isOpen = false
  }
  let isListening = false
  client.on('notification', onWake)
  client.on('error', (error) => {
    const isNews = isOpen && isListening
    close()
    if (isNews) onLost(error)
  })
  try {
    await client.query('listen tieout_wake')
    isListening = true
    return close
  } catch (error) {
    close()
    throw error
  }
}
