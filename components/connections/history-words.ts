import type { MarkKind } from '#components/primitives/mark.tsx'
import { describeInterval } from '#components/sync/schedule-words.ts'
import { plural } from '#components/text/plural.ts'
import type { ConnectionEvent, ConnectionEventKind, ConnectionState, StateCause } from '#lib/connections/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { CHECK_PROBLEMS, REVOKE_PROBLEMS } from './concern-words.ts'
import { CAUSES } from './connection-state.ts'

export type EventWords = { mark: MarkKind; text: string; detail: string | null }

const STATE_WORDS: Record<ConnectionState, string> = {
  pending: 'Checking the account',
  active: 'Active',
  refreshing: 'Renewing its tokens',
  needs_reconnect: 'Needs reconnect',
  disconnecting: 'Disconnecting',
  disconnected: 'Disconnected',
}

const STATE_MARKS: Record<ConnectionState, MarkKind> = {
  pending: 'open',
  active: 'good',
  refreshing: 'partial',
  needs_reconnect: 'failed',
  disconnecting: 'held',
  disconnected: 'held',
}

const LINK_ENDS: Record<string, string> = {
  revoked: 'the platform confirmed it',
  already_dead: 'it had already ended there',
  expired: 'the platform did not confirm it, but the token has expired by now',
  unreadable:
    'the token could not be opened, so the platform was not asked; the customer can switch the integration off in its marketplace',
  no_tokens: 'there was no token left to end',
}

type Words = (event: ConnectionEvent) => EventWords

const say =
  (mark: MarkKind, text: string, detail?: (event: ConnectionEvent) => string | null): Words =>
  (event) => ({ mark, text, detail: detail?.(event) ?? null })

const toState: Words = ({ fromState, toState: to, cause }) => {
  const state = to ?? 'pending'
  const from = fromState === null || fromState === to ? '' : `${STATE_WORDS[fromState]} → `
  const why = cause !== null && Object.hasOwn(CAUSES, cause) ? CAUSES[cause as StateCause] : cause
  return { mark: STATE_MARKS[state], text: `${from}${STATE_WORDS[state]}`, detail: why }
}

const WORDS: Record<ConnectionEventKind, Words> = {
  created: say('open', 'Connection created'),
  state: toState,
  connected: say('good', 'Access was granted', ({ detail }) => detail && `scopes granted: ${detail}`),
  consent_given: say('open', 'Access was granted again, to reconnect'),
  account_confirmed: say('good', 'It is the same account', ({ detail }) => detail && `scopes granted: ${detail}`),
  other_account: say('failed', 'Access was granted for another account', () => 'none of its data was stored here'),
  not_confirmed: say('failed', 'Could not confirm that it is the same account', ({ cause }) =>
    cause === null ? null : (CHECK_PROBLEMS[cause] ?? 'the platform refused the request'),
  ),
  kept_as_new: say('good', 'The other account was kept as a new connection'),
  candidate_destroyed: say('held', 'Tokens of the other account destroyed', ({ cause }) =>
    cause === 'expired' ? 'it was not kept within an hour' : null,
  ),
  disconnect_requested: say('held', 'Disconnect requested', ({ cause }) =>
    cause === 'delete' ? 'its data will be deleted' : 'its data is kept',
  ),
  revoke_failed: say('partial', 'The platform did not confirm the end of the link', ({ cause }) =>
    cause === null ? null : (REVOKE_PROBLEMS[cause] ?? null),
  ),
  link_ended: say('held', 'Link ended', ({ cause, detail }) => {
    const doubt =
      detail === 'in_doubt' ? '; an earlier renewal got no answer, so the platform may still list the integration' : ''
    return `${LINK_ENDS[cause ?? ''] ?? ''}${doubt}` || null
  }),
  tokens_destroyed: say('held', 'Tokens destroyed'),
  data_deleted: say('held', 'Data deleted', ({ detail }) => (detail ? `${formatCount(Number(detail))} records` : null)),
  sync_paused: say('held', 'Sync paused'),
  sync_continued: say('open', 'Sync resumed'),
  sync_canceled: say('held', 'Sync canceled'),
  loss_kept: say('good', 'Held loss decided: everything is kept'),
  loss_marked: say('held', 'Held loss decided: removal accepted', ({ detail }) => toCounts(detail)),
  loss_taken_back: say('good', 'Accepted removal taken back: counted again', ({ detail }) => toCounts(detail)),
  schedule_changed: say('open', 'Schedule changed', ({ detail }) =>
    detail === null ? null : `synced ${describeInterval(Number(detail))}`,
  ),
  look_back_changed: say('open', 'Schedule changed', ({ detail }) =>
    detail === null ? null : `recent lines read again ${describeInterval(Number(detail) * 60)}`,
  ),
  verification_changed: say('open', 'Schedule changed', ({ detail }) =>
    detail === null ? null : `everything read again ${describeInterval(Number(detail) * 1440)}`,
  ),
  sync_resumed: say('good', 'The sync that stopped with the link continues from its checkpoint'),
}

/** Lines and invoices, as a decision about a loss names them. */
function toCounts(detail: string | null): string | null {
  const [lines, invoices] = (detail ?? '').split(' ').map(Number)
  return detail ? `${plural(lines ?? 0, 'line')}, ${plural(invoices ?? 0, 'invoice')}` : null
}

/** Words for an event. An unknown kind is shown by its name. */
export function describeEvent(event: ConnectionEvent): EventWords {
  const words = Object.hasOwn(WORDS, event.kind) ? WORDS[event.kind] : undefined
  return words ? words(event) : { mark: 'open', text: event.kind.replaceAll('_', ' '), detail: event.detail }
}
