import type { ConcernCode } from '#lib/connections/concerns.ts'

/** A concern in a few words, which follow the account's name and a colon. */
export const CONCERN_TITLES: Record<ConcernCode, string> = {
  link_ended: 'needs reconnect',
  link_ran_out: 'its link expired',
  link_ends: 'its link ends soon',
  other_account: 'access was granted for another account',
  check_waits: 'its account is not checked yet',
  disconnect_waits: 'disconnecting has not started',
  disconnect_unconfirmed: 'the end of its link is not confirmed',
  renewal_unfinished: 'a renewal of its tokens was left unfinished',
  sync_failed: 'last sync failed',
  sync_waits: 'its sync has not started',
  sync_put_off: 'its sync is waiting',
  sync_orphaned: 'the worker of its sync stopped',
  sync_stalled: 'its sync makes no progress',
  loss_held: 'lines vanished: decide',
  scope_missing: 'a scope was not granted',
}
