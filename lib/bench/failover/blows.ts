/** What happens to one of the two servers, and how it comes back. */
import type { OwnPatroni } from '#lib/world/own-patroni.ts'

export type Blow = {
  what: string
  hits: 'primary' | 'standby'
  strike: (servers: OwnPatroni, name: string) => Promise<void> | void
  /** Some time after; without it the server comes back by itself. */
  bringBack?: (servers: OwnPatroni, name: string) => void
}

export const BLOWS: readonly Blow[] = [
  {
    what: 'machine killed',
    hits: 'primary',
    strike: (servers, name) => servers.killMachine(name),
    bringBack: (servers, name) => servers.startMachine(name),
  },
  { what: 'PostgreSQL killed', hits: 'primary', strike: (servers, name) => servers.killPostgres(name) },
  { what: 'planned change', hits: 'primary', strike: (servers, name) => servers.switchOver(name) },
  {
    what: 'machine frozen',
    hits: 'primary',
    strike: (servers, name) => servers.freeze(name),
    bringBack: (servers, name) => servers.thaw(name),
  },
  {
    what: 'standby frozen',
    hits: 'standby',
    strike: (servers, name) => servers.freeze(name),
    bringBack: (servers, name) => servers.thaw(name),
  },
]
