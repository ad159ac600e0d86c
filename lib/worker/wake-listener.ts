import { openConnection } from '#lib/db/one-connection.ts'
import { pool } from '#lib/db/pool.ts'
import { WAKE_CHANNEL } from '#lib/db/work/wake.ts'
import { settings } from '#lib/env.ts'
import { log } from '#lib/log.ts'

const RECONNECT_MS = 2_000

/**
 * Calls `onWake` whenever any process wakes the workers (PostgreSQL NOTIFY). Reopens a lost
 * connection; the sweep finds what was missed meanwhile. Resolves, once listening, to a function
 * that ends it.
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
        else onWake() // for anything missed meanwhile
      }, onLost)
    }, RECONNECT_MS).unref()
  }

  return () => {
    hasEnded = true
    close()
  }
}

/** Resolves to what closes it. Calls `onLost` at most once, never after closing. */
async function listen(onWake: () => void, onLost: (error: Error) => void): Promise<() => void> {
  const { client, end } = await connect()
  let isOpen = true
  const close = () => {
    if (isOpen) end()
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
    await client.query(`listen ${WAKE_CHANNEL}`)
    isListening = true
    return close
  } catch (error) {
    close()
    throw error
  }
}

/** A pooler would give the connection to somebody else after each statement. */
async function connect() {
  const direct = settings().databaseDirectUrl
  if (direct !== null) {
    const client = await openConnection(direct)
    return { client, end: () => void client.end().catch(() => undefined) }
  }
  const client = await pool().connect()
  return { client, end: () => client.release(true) }
}
