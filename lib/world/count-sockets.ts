import { readFileSync } from 'node:fs'

const TIME_WAIT = '06'
const LISTEN = '0A'

/**
 * The TCP connections at a port of this machine, from the kernel's list (proc(5)). Counts the
 * server's side of each, also of those that the process has closed but that still have data to
 * deliver; not those in TIME_WAIT. Null where the system does not tell.
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
