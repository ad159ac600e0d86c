/**
 * The states a connection may go through, as data (docs/decisions/008-connection-states.md). The
 * database holds the same list in `connection_transition` and refuses every other move.
 */
import type { ConnectionState } from './model.ts'

/** What the database stores. `refreshing` is derived: active, with a leased credential. */
export type StoredState = Exclude<ConnectionState, 'refreshing'>

/**
 * Where a connection can go from each state.
 * - `pending`: a consent is there, its account not compared yet
 * - `active`: its tokens work, as far as is known
 * - `refreshing`: active, and a worker is renewing the tokens right now
 * - `needs_reconnect`: the tokens are no longer good, for the cause beside the state
 * - `disconnecting`: nothing is read any more; the worker ends the link, destroys the tokens, and
 *   deletes the data if chosen
 * - `disconnected`: no tokens; history stays, and data unless its deletion was chosen
 */
export const TRANSITIONS: Readonly<Record<ConnectionState, readonly ConnectionState[]>> = {
  pending: ['active', 'needs_reconnect', 'disconnecting', 'disconnected'],
  active: ['refreshing', 'needs_reconnect', 'disconnecting'],
  refreshing: ['active', 'needs_reconnect', 'disconnecting'],
  // straight back to active: a stopped worker may bring tokens declared lost (reliability F8)
  needs_reconnect: ['pending', 'active', 'disconnecting'],
  disconnecting: ['disconnected'],
  disconnected: ['pending'],
}

export const CONNECTION_STATES = Object.keys(TRANSITIONS) as ConnectionState[]

/** An admin has ended the link: nothing is read, no secret is accepted or used. */
const DISCONNECTED = ['disconnecting', 'disconnected'] as const satisfies readonly StoredState[]

/** True from the click on "Disconnect" until a new consent. */
export function isDisconnected(state: ConnectionState): boolean {
  return DISCONNECTED.some((each) => each === state)
}

/** SQL, for `state in ${...}`: the states where `isDisconnected` is true. */
export const SQL_DISCONNECTED = `(${DISCONNECTED.map((state) => `'${state}'`).join(', ')})`

/** The stored states from which `to` can be reached. */
export function listSources(to: StoredState): StoredState[] {
  return CONNECTION_STATES.filter(
    (from): from is StoredState => from !== 'refreshing' && TRANSITIONS[from].includes(to),
  )
}

/** The state people see: active shows as refreshing while a worker leases the credential. */
export function toShownState(stored: StoredState, isLeased: boolean): ConnectionState {
  return stored === 'active' && isLeased ? 'refreshing' : stored
}

/** Whether its tokens work, as far as is known. Only such connections read the platform. */
export function isConnected({ state }: { state: ConnectionState }): boolean {
  return state === 'active' || state === 'refreshing'
}
