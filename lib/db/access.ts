/**
 * What the processes' database roles may do, table by table
 * (docs/decisions/013-three-database-roles.md). A separate role owns the tables and only migrates.
 * No other role can use a table that is not listed here.
 */

/** The processes with their own database role. */
export const PROCESSES = ['web', 'worker'] as const
export type Process = (typeof PROCESSES)[number]

/** Privileges as GRANT takes them; `hidden`: columns that the process may write but not read. */
type Access = Record<Process, string> & { hidden?: Partial<Record<Process, string[]>> }

const READ = 'select'
const ALL = 'select, insert, update, delete'
/** A table of the ledger: the worker writes it, the web server shows it. */
const LEDGER: Access = { web: READ, worker: ALL }

/**
 * As `LEDGER`. The web server also marks rows as missing when an admin decides about a held loss
 * or takes that back (lib/sync/losses).
 */
const MARKED: Access = { web: 'select, update (missing_since)', worker: ALL }

/** Sums of lines: whoever may mark lines takes them out of the sums. */
const ROLLUP: Access = { web: ALL, worker: ALL }

export const ACCESS: Record<string, Access> = {
  _prisma_migrations: { web: READ, worker: READ },

  // a trigger numbers and chains the entries, with its owner's rights; nobody changes one
  audit_entry: { web: 'select, insert', worker: 'select, insert' },
  audit_head: { web: READ, worker: READ },

  // people: the worker names them and mails them, and needs neither passwords nor sessions but for
  // when somebody was last here
  // organization: a lock on its row, which needs a right to update, keeps two admins from being the
  // last at once
  organization: {
    web: 'select, insert, update (name, fiscal_month, idle_minutes, session_days, second_step_required, number_format, date_format, time_zone, folds_names, four_eyes, rules_approve)',
    worker: READ,
  },
  app_user: { web: 'select, insert, update', worker: READ, hidden: { worker: ['password_hash'] } },
  // the worker makes the links that it mails, and reads none
  invitation: {
    web: ALL,
    worker: 'select, update (secret_hash, mail_wanted_at, mail_lease_until, mailed_at)',
    hidden: { worker: ['secret_hash'] },
  },
  user_session: { web: ALL, worker: 'select (last_seen_at)' },
  // the web server asks for a link and checks one; the worker makes and mails it
  password_wish: { web: 'insert', worker: 'select, update, delete' },
  password_reset: { web: ALL, worker: ALL },
  connect_intent: { web: ALL, worker: '' },
  user_identity: { web: ALL, worker: '' },
  // the web server opens the client's secret: it is sealed against whoever has a dump
  single_sign_on: { web: 'select, insert, update', worker: '' },
  single_sign_on_domain: { web: ALL, worker: '' },
  single_sign_on_answer: { web: ALL, worker: '' },
  authenticator: { web: ALL, worker: '' },
  recovery_code: { web: ALL, worker: '' },
  pending_sign_in: { web: ALL, worker: '' },
  passkey: { web: ALL, worker: '' },
  passkey_challenge: { web: ALL, worker: '' },

  // what people keep of their own lists; the worker has no lists
  // a sync notes how new names look; who turns folding on notes those that are stored
  name_look: { web: 'select, insert, update', worker: ALL },
  saved_view: { web: ALL, worker: '' },
  default_view: { web: 'select, insert, delete', worker: '' },

  // what people say stays as it is; the worker deletes threads with their account, and what is in
  // them goes along by its foreign keys
  thread: { web: 'select, insert', worker: 'select, delete' },
  message: { web: 'select, insert', worker: READ },
  message_version: { web: 'select, insert', worker: '' },
  mention: { web: 'select, insert, update (read_at)', worker: READ },
  assignment: { web: 'select, insert, update (ended_at, ending)', worker: READ },
  // the worker tells people what waits for them, and never what was said
  digest_setting: { web: 'select, insert, update', worker: READ },
  digest: { web: 'select, insert', worker: ALL },
  // bytes go with the last file that is of them; the worker removes them unread
  attachment: { web: 'select, insert, update (message_id, removed_at)', worker: 'select, delete' },
  stored_file: {
    web: 'select, insert, update (content, stored_at)',
    worker: 'select, insert, update (stored_at), delete',
    hidden: { worker: ['content'] },
  },
  line_seen: { web: 'select, insert, update (seen_at)', worker: 'select, delete' },
  // people ask for packs and hand out links, the worker makes the packs
  pack: {
    web: 'select, insert',
    worker: 'select, update (state, tries, lease_until, ended_at, hash, size, seal, line_count, invoice_count), delete',
  },
  pack_link: {
    web: 'select, insert, update (withdrawn_at, withdrawn_by_name, opened_at, open_count)',
    worker: '',
  },

  // company directories talk to the web server alone
  directory_token: { web: 'select, insert, update (last_used_at, revoked_at)', worker: '' },
  directory_setting: { web: 'select, insert, update', worker: '' },
  directory_person: { web: 'select, insert, update', worker: '' },
  directory_group: { web: ALL, worker: '' },
  directory_member: { web: 'select, insert, delete', worker: '' },
  // tries to sign in, and of directories
  throttle: { web: ALL, worker: '' },

  // sealed columns: the web server writes them and never reads them
  connection_credential: { web: 'select, insert, update', worker: ALL, hidden: { web: ['sealed_tokens'] } },
  connection_candidate: { web: ALL, worker: ALL, hidden: { web: ['sealed_tokens'] } },
  scim_credential: { web: 'select, insert, update', worker: ALL, hidden: { web: ['sealed_key'] } },
  refresh_attempt: { web: '', worker: ALL },
  token_key_canary: { web: READ, worker: ALL },

  connection: { web: 'select, insert, update', worker: 'select, update' },
  connection_transition: { web: READ, worker: READ },
  connection_event: { web: 'select, insert', worker: 'select, insert' },
  connection_warning: { web: READ, worker: ALL },
  // whoever marks lines waits in turn on this row (tally.sql), and counts its trips
  connection_tally: { web: 'select, update (line_count, trip_count)', worker: ALL },
  disconnection: { web: 'select, insert', worker: ALL },
  operator_notice: { web: READ, worker: ALL },
  partner_host: { web: READ, worker: ALL },

  scim_check: { web: 'select, insert, update', worker: ALL },
  scim_endpoint: LEDGER,
  scim_answer: LEDGER,

  sync_run: { web: 'select, insert, update', worker: ALL },
  sync_loss: { web: 'select, update', worker: ALL },
  sync_hint: { web: 'select, insert, update', worker: ALL },
  sync_page: LEDGER,
  sync_window: LEDGER,
  sync_arrival: LEDGER,
  sync_evidence: LEDGER,
  interface_drift: LEDGER,

  profile: LEDGER,
  // marking rows also closes rejected records that were not found again
  rejected_line: { web: 'select, update (resolved_at)', worker: ALL },
  reparse_wish: { web: 'select, insert', worker: ALL },
  // whoever waited for a document removes it
  document_wish: { web: 'select, insert, delete', worker: ALL },
  invoice: MARKED,
  line: MARKED,
  line_payload: LEDGER,
  // triggers keep them as lines are written or marked
  line_rollup: ROLLUP,
  trip_rollup: ROLLUP,
  invoice_rollup: ROLLUP,
  // triggers take rows out when what they stand on changes
  plain_invoice: { web: 'select, delete', worker: ALL },
  doubtful_invoice: { web: 'select, delete', worker: ALL },
  // triggers add rows as plain invoices come and go
  plain_invoice_sum: { web: 'select, insert', worker: ALL },
  invoice_words: { web: 'select, delete', worker: ALL },
  line_comparison: LEDGER,
  // a trigger counts each change of lines
  line_comparison_state: { web: 'select, insert, update (change_count)', worker: ALL },
  // a trigger notes each row that is marked
  line_touch: { web: 'select, insert, update', worker: ALL },
  line_version: LEDGER,
  // a trigger keeps what a row was that is marked
  line_past: { web: 'select, insert', worker: ALL },
  invoice_version: LEDGER,
  known_page: { web: '', worker: ALL },

  // people decide in the web server, the worker applies what is large; syncs let decisions fall
  // rules decide in the worker, by the same path
  decision_head: { web: 'select, insert, update', worker: 'select, insert, update' },
  decision: { web: 'select, insert, update', worker: 'select, insert, update' },
  decision_part: { web: 'select, insert, update (left_out)', worker: 'select, insert, update (left_out)' },
  line_review: ROLLUP,
  decision_invoice: { web: 'select, insert', worker: '' },
  invoice_review: { web: ALL, worker: 'select, delete' },
  // nobody changes a letter, but it may be taken back; the worker deletes them with their account
  dispute_letter: {
    web: 'select, insert, update (withdrawn_by, withdrawn_by_name, withdrawn_at)',
    worker: 'select, delete',
  },
  dispute_letter_line: { web: 'select, insert', worker: 'select, delete' },
  reason_list: { web: 'select, insert, update', worker: READ },
  line_fall: { web: 'select, insert', worker: 'select, insert, delete' },

  // people sign in the web server, rules in the worker; what changes under a signature ends it.
  // Nobody changes or deletes what was signed, and why it ended
  sign_off: { web: 'select, insert, update (ended_at)', worker: 'select, insert, update (ended_at)' },
  sign_off_end: { web: 'select, insert', worker: 'select, insert' },
  period_lock: {
    web: 'select, insert, update (reopened_at, reopened_by, reopened_by_name, reopen_reason)',
    worker: READ,
  },
  lock_exception: { web: 'select, insert, update (ended_at)', worker: READ },
  drift: { web: 'select, insert', worker: 'select, insert' },

  // people make rules, ask for trials and turn them on; the worker tries and follows them. Nobody
  // changes what was tried, or which version counted
  certification_rule: { web: 'select, insert', worker: READ },
  rule_version: { web: 'select, insert', worker: READ },
  rule_trial: { web: 'select, insert', worker: 'select, update (lease_until, tries, done_at, failed_at, figures)' },
  rule_trial_part: { web: READ, worker: 'select, insert' },
  rule_switch: { web: 'select, insert', worker: READ },
  rule_turn: { web: READ, worker: ALL },

  // people decide in the web server, the worker judges the lines
  check_setting: { web: 'select, insert', worker: READ },
  habit_decision: { web: 'select, insert', worker: 'select, delete' },
  judging: { web: 'select, insert, update', worker: 'select, insert, update' },
}

/** Sequences, from which a process also draws numbers through triggers. */
export const SEQUENCES: Record<string, Record<Process, string>> = {
  line_touch_order: { web: 'usage', worker: 'usage, select' },
}

/** Functions with their owner's rights, and who may call them; all others are triggers. */
export const FUNCTIONS: Record<string, Record<Process, string>> = {
  'refresh_statistics()': { web: '', worker: 'execute' },
  'refresh_review_statistics()': { web: '', worker: 'execute' },
  'find_password_holder(text)': { web: '', worker: 'execute' },
}

/** One privilege. `columns`: on these alone; null: on the whole table but its hidden ones. */
export type NeededPrivilege = { table: string; privilege: string; columns: string[] | null; hidden: string[] }

/** The privileges of `ACCESS`, and those on tables of kept answers, one by one. */
export function listPrivileges(process: Process, keptAnswers: readonly string[]): NeededPrivilege[] {
  const all = { ...ACCESS, ...Object.fromEntries(keptAnswers.map((table) => [table, ROLLUP])) }
  return Object.entries(all).flatMap(([table, access]) =>
    [...access[process].matchAll(/(\w+)(?:\s*\(([^)]*)\))?/g)].map(([, privilege = '', columns]) => ({
      table,
      privilege,
      columns: columns?.split(',').map((column) => column.trim()) ?? null,
      hidden: privilege === 'select' ? (access.hidden?.[process] ?? []) : [],
    })),
  )
}
