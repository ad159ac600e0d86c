import { readFileSync } from 'node:fs'

const TIME_WAIT = '06'
const LISTEN = '0A'

/**
 * How many TCP connections there are at a port of this machine, from the kernel's own list
 * (proc(5)): the server's side of each, also of those whose process has closed them and that still
 * have something to deliver, but not of those that wait out their last minute. Null where the
 * system does not tell.
 */
export function countSockets(port: number): number | null {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  try {
    const rows = ['tcp', 'tcp6'].flatMap((file) => readFileSync(`/proc/net/${file}`, 'utf8').split('\n').slice(1))
    return rows.filter((row) => {
      const [, address, , state] = row.trim().split(/\s+/)
      return address?.endsWith(local) && state !== LISTEN && state !== TIME_WAIT
    }).length
  } catch {
    return null
  }
}
