import type { MarkKind } from '#components/primitives/mark.tsx'
import { describeProgress } from '#components/sync/run-words.ts'
import { listMissingScopes } from '#lib/connections/concerns.ts'
import type { ConnectionSummary, StateCause } from '#lib/connections/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { isUnderWay } from '#lib/reconcile/sync-run.ts'

export type StateText = { mark: MarkKind; text: string; detail: string | null }

/** Words for why a connection is in its state. */
export const CAUSES: Record<StateCause, string> = {
  refresh_expired: 'not used for 30 days, so the link ended',
  lost_response: 'an answer was lost after the token was used',
  revoked_or_reused: 'access was revoked on the platform',
  rejected: 'the platform refuses to renew the link',
  key_lost: 'the key that opens its tokens is lost',
  other_account: 'access was granted for another account',
  not_confirmed: 'could not confirm that it is the same account',
}

/** A connection's state as a shape and a text, with the reason when something is wrong. */
export function toStateText(connection: ConnectionSummary): StateText {
  const { state, stateCause, run } = connection
  const cause = stateCause && CAUSES[stateCause]
  switch (state) {
    case 'needs_reconnect':
      return { mark: 'failed', text: 'Needs reconnect', detail: cause }
    case 'disconnecting':
      return { mark: 'held', text: 'Disconnecting', detail: toDisconnectText(connection) }
    case 'disconnected':
      return { mark: 'held', text: 'Disconnected', detail: cause ?? toDataText(connection) }
    case 'pending':
      return { mark: 'open', text: 'Checking the account', detail: null }
    case 'active':
    case 'refreshing':
      if (isUnderWay(run) && run.waitsUntil !== null) return { mark: 'held', text: 'Sync waiting', detail: null }
      if (isUnderWay(run)) return { mark: 'partial', text: 'Syncing', detail: null }
      if (run?.status === 'failed') return { mark: 'failed', text: 'Last sync failed', detail: null }
      if (run?.status === 'paused') return { mark: 'held', text: 'Sync paused', detail: describeProgress(run).text }
      if (run?.status === 'held')
        return { mark: 'held', text: 'Many lines disappeared', detail: 'waiting for an admin' }
      return { mark: 'good', text: state === 'refreshing' ? 'Renewing its tokens' : 'Active', detail: null }
  }
}

function toDisconnectText({ disconnect }: ConnectionSummary): string | null {
  if (disconnect === null) return null
  if (disconnect.phase === 'ending_link') return 'ending the link on the platform'
  return `deleting data: ${formatCount(disconnect.erasedRows)} records so far`
}

function toDataText({ dataDeletedAt }: ConnectionSummary): string {
  return dataDeletedAt === null ? 'its data is kept' : 'its data was deleted'
}

/** True while the page should poll the connection. */
export function isBusy({ state, run, candidate }: ConnectionSummary): boolean {
  return (
    isUnderWay(run) ||
    state === 'pending' ||
    state === 'disconnecting' ||
    state === 'refreshing' ||
    candidate?.status === 'unchecked'
  )
}

/**
 * The account's name: the organization's own, else the platform's, or its first profile's once the
 * first sync has read the profiles.
 */
export function toAccountName(connection: Pick<ConnectionSummary, 'name' | 'profiles'>): string {
  return connection.name ?? connection.profiles[0]?.name ?? 'New account'
}

/** The scopes asked for but not granted, and those granted but not asked for. */
export function compareScopes({
  scopesAsked,
  scopesGranted,
}: Pick<ConnectionSummary, 'scopesAsked' | 'scopesGranted'>): {
  missing: string[]
  extra: string[]
} {
  return {
    missing: listMissingScopes({ scopesAsked, scopesGranted }),
    extra: scopesGranted.filter((scope) => !scopesAsked.includes(scope)),
  }
}
