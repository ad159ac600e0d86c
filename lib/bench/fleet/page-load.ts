/** People who read pages, as many at a time as there are connections; made by autocannon. */
import autocannon from 'autocannon'

/** What people of a desk open most. */
export const LOADED_PAGES = ['/', '/lines', '/invoices', '/groups', '/close']
const PATIENCE_SECONDS = 30

export type Load = {
  seconds: number
  /** Milliseconds to the last byte of each answer with status 200. */
  times: number[]
  /** How many answers had another status. */
  refused: Record<number, number>
  /** Requests whose connection ended before their answer did. */
  broken: number
}

export type RunningLoad = { stop: () => void; ended: Promise<Load> }

/** Each connection is one of the people, and opens the pages in turn from another one on. */
export function putLoad(
  url: string,
  { cookies, connections, seconds }: { cookies: string[]; connections: number; seconds: number },
): RunningLoad {
  const load: Load = { seconds, times: [], refused: {}, broken: 0 }
  let clients = 0
  const setupClient = (client: autocannon.Client) => {
    const at = clients++
    const headers = { cookie: cookies[at % cookies.length], 'accept-encoding': 'gzip' }
    const pages = LOADED_PAGES.map((_, n) => LOADED_PAGES[(at + n) % LOADED_PAGES.length] as string)
    client.setRequests(pages.map((path) => ({ method: 'GET', path, headers })))
  }
  let stop = () => {}
  const ended = new Promise<Load>((resolve, reject) => {
    const options = { url, connections, duration: seconds, timeout: PATIENCE_SECONDS, setupClient }
    const instance = autocannon(options, (error, result) => {
      if (error) reject(error)
      else resolve({ ...load, seconds: result.duration, broken: result.errors + result.resets })
    })
    instance.on('response', (_client, status, _bytes, ms) => {
      if (status === 200) load.times.push(ms)
      else load.refused[status] = (load.refused[status] ?? 0) + 1
    })
    stop = () => instance.stop()
  })
  return { stop: () => stop(), ended }
}

/** Answered pages a second. */
export function toRate({ times, seconds }: Load): number {
  return times.length / seconds
}
