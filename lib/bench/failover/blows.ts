/** What happens to one of the two servers, and how it comes back. */
import type { OwnPatroni } from '#lib/world/own-patroni.ts'

export type Blow = {
  what: string
  /** Of a cluster: which pair is struck. A single PostgreSQL is its own coordinator. */
  at: 'coordinator' | 'node of the readers'
  hits: 'primary' | 'standby'
  strike: (servers: OwnPatroni, name: string) => Promise<void> | void
  /** Some time after; without it the server comes back by itself. */
  bringBack?: (servers: OwnPatroni, name: string) => void
}

const KILLED = {
  hits: 'primary',
  strike: (servers, name) => servers.killMachine(name),
  bringBack: (servers, name) => servers.startMachine(name),
} satisfies Partial<Blow>

const FROZEN = {
  strike: (servers, name) => servers.freeze(name),
  bringBack: (servers, name) => servers.thaw(name),
} satisfies Partial<Blow>

export const BLOWS: readonly Blow[] = [
  { what: 'machine killed', at: 'coordinator', ...KILLED },
  {
    what: 'PostgreSQL killed',
    at: 'coordinator',
    hits: 'primary',
    strike: (servers, name) => servers.killPostgres(name),
  },
  {
    what: 'planned change',
    at: 'coordinator',
    hits: 'primary',
    strike: (servers, name) => servers.switchOver(name),
  },
  { what: 'machine frozen', at: 'coordinator', hits: 'primary', ...FROZEN },
  { what: 'standby frozen', at: 'coordinator', hits: 'standby', ...FROZEN },
]

/** The same in words. */
export const TOLD =
  'Machine killed: SIGKILL of PostgreSQL and Patroni, started again ten seconds after the other one took over. PostgreSQL killed: SIGKILL of its first process alone. Planned change: a switchover by Patroni. Machine frozen: SIGSTOP of both, which go on ten seconds after the other one took over, and must not be written to. Standby frozen: for 30 seconds; what is saved waits until Patroni gives it up.'

/** Of a cluster, whose coordinator and nodes each have a standby. */
export const CLUSTER_BLOWS: readonly Blow[] = [
  { what: 'node killed', at: 'node of the readers', ...KILLED },
  { what: 'coordinator killed', at: 'coordinator', ...KILLED },
]

export const CLUSTER_TOLD =
  'Killed: SIGKILL of PostgreSQL and Patroni, started again ten seconds after the other one took over. The node is the one on which both the readers and the account that is read stand; the account of the second blow may stand on the other one.'
