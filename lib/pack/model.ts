/** What pages and routes know of evidence packs (docs/decisions/064-evidence-pack.md). Pure. */
import type { CloseScope } from '#lib/reconcile/close/scope.ts'

/**
 * A pack of more lines would be a file that nobody can send: packs of its profiles are asked for.
 */
export const MOST_PACK_LINES = 200_000

/** For how many days a link may be made. */
export const LINK_DAYS = [7, 14, 30] as const

/** `waiting`: a worker makes it. `failed`: it could not; asking again starts anew. */
type PackState = 'waiting' | 'made' | 'failed'

export type PackLink = {
  id: string
  madeBy: string
  /** ISO 8601. */
  expiresAt: string
  state: 'open' | 'expired' | 'withdrawn'
  openCount: number
  /** ISO 8601; null: never. */
  openedAt: string | null
}

/** A pack as lists show it. The hashes are in hex, and null until it is made. */
export type PackRow = {
  id: string
  state: PackState
  askedBy: string
  /** ISO 8601. */
  askedAt: string
  hash: string | null
  size: number | null
  seal: string | null
  lineCount: number | null
  links: PackLink[]
}

/** The scope as an address names it. */
export function writePackScope(scope: CloseScope): URLSearchParams {
  if (scope.kind === 'invoice')
    return new URLSearchParams({ kind: 'invoice', connection: scope.connectionId, serial: scope.serialNumber })
  const period = { kind: scope.kind, connection: scope.connectionId, month: scope.month }
  return new URLSearchParams(scope.kind === 'profile_month' ? { ...period, profile: scope.profileId } : period)
}
