/**
 * Which states a connection may go through, as data (docs/decisions/008-connection-states.md). The
 * database holds the same list in `connection_transition` and refuses every other move.
 */
import type { ConnectionState } from './model.ts'

/**
 * What the database stores. `refreshing` is not: it is an active connection whose credential a
 * worker holds a lease on.
 */
export type StoredState = Exclude<ConnectionState, 'refreshing'>

/**
 * Where a connection can go from each state.
 * - `pending`: a consent is there, and it is not known yet whether it is for the same account
 * - `active`: its tokens work, as far as is known
 * - `refreshing`: active, and a worker is renewing the tokens at this moment
 * - `needs_reconnect`: the tokens are no longer good, for the cause beside the state
 * - `disconnecting`: nothing is read any more; the worker ends the link, destroys the tokens,
 *   deletes data if so chosen
 * - `disconnected`: no tokens; history, and data unless it was to be deleted, are kept
 */
export const TRANSITIONS: Readonly<Record<ConnectionState, readonly ConnectionState[]>> = {
  pending: ['active', 'needs_reconnect', 'disconnecting', 'disconnected'],
  active: ['refreshing', 'needs_reconnect', 'disconnecting'],
  refreshing: ['active', 'needs_reconnect', 'disconnecting'],
  // straight back to active: tokens that a stopped worker brings after their loss had been declared
  // (reliability F8)
  needs_reconnect: ['pending', 'active', 'disconnecting'],
  disconnecting: ['disconnected'],
  disconnected: ['pending'],
}

export const CONNECTION_STATES = Object.keys(TRANSITIONS) as ConnectionState[]

/**
 * An admin has ended the link: nothing is read in the account's name, and no secret of its is taken
 * or used.
 */
const DISCONNECTED = ['disconnecting', 'disconnected'] as const satisfies readonly StoredState[]

/** True from the click on "Disconnect" on, until a new consent. */
export function isDisconnected(state: ConnectionState): boolean {
  return DISCONNECTED.some((each) => each === state)
}

/** SQL, for `state in ${...}`: the states of which `isDisconnected` is true. */
export const SQL_DISCONNECTED = `(${DISCONNECTED.map((state) => `'${state}'`).join(', ')})`

/** The states from which `to` can be reached, of those that are stored. */
export function listSources(to: StoredState): StoredState[] {
  return CONNECTION_STATES.filter(
    (from): from is StoredState => from !== 'refreshing' && TRANSITIONS[from].includes(to),
  )
}

/**
 * The state that people see: an active connection is refreshing while a worker holds a lease on its
 * credential.
 */
export function toShownState(stored: StoredState, isLeased: boolean): ConnectionState {
  return stored === 'active' && isLeased ? 'refreshing' : stored
}

/**
 * Whether its tokens work, as far as is known: what is read from the platform is read through such
 * a connection.
 */
export function isConnected({ state }: { state: ConnectionState }): boolean {
  return state === 'active' || state === 'refreshing'
}
