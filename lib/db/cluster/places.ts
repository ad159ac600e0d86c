/**
 * Where each table stands on a cluster (docs/decisions/067-one-form-for-two-engines.md). One
 * PostgreSQL needs none of this: there all tables stand beside each other.
 */

/**
 * `organization`: an organization's rows together on one node. `reference`: a copy on every node.
 * `local`: the coordinator's alone.
 */
export type Place = 'organization' | 'reference' | 'local'

/** On every node: an organization's tables refer to them, and their triggers read them there. */
const REFERENCE: Record<string, string> = {
  organization: 'every table refers to it, and a trigger asks for four eyes',
  app_user: 'known by e-mail before by organization; what people write refers to them, wherever it stands',
  connection_transition: 'a trigger of the connections asks which moves are allowed',
}

/** The coordinator’s: asked for before anybody knows an organization. */
const LOCAL: Record<string, string> = {
  _prisma_migrations: 'one list of what was applied',
  user_session: 'a cookie names it; each request asks for it, in one round trip',
  invitation: 'a link names it by its secret',
  password_wish: 'names an address that may be nobody’s',
  password_reset: 'a link names it by its secret',
  connect_intent: 'a browser’s cookie names it, not its organization',
  user_identity: 'a company’s sign-in names a person by it',
  single_sign_on: 'found by a domain, before sign-in',
  single_sign_on_domain: 'one domain is one organization’s, of all',
  single_sign_on_answer: 'an answer names it by its state, before sign-in',
  authenticator: 'asked for while a person signs in',
  recovery_code: 'asked for while a person signs in',
  pending_sign_in: 'a cookie names it',
  passkey: 'a device names it, before it names a person',
  passkey_challenge: 'nobody’s yet',
  directory_token: 'a directory’s request names it, before its organization',
  directory_setting: 'beside what directories say of people',
  directory_person: 'beside what directories say of people',
  directory_group: 'beside what directories say of people',
  directory_member: 'beside what directories say of people',
  throttle: 'tries of people whom nobody knows yet',
  partner_host: 'the platform is shared by all',
  token_key_canary: 'the keys are the installation’s',
}

/** An organization's: everything that it has from the platform, and what its people say of it. */
const OF_ORGANIZATION = `
  assignment attachment audit_entry audit_head certification_rule check_setting connection
  connection_candidate connection_credential connection_event connection_tally connection_warning
  decision decision_head decision_invoice decision_part default_view digest digest_setting
  disconnection dispute_letter dispute_letter_line document_wish doubtful_invoice drift
  habit_decision interface_drift invoice invoice_review invoice_rollup invoice_version
  invoice_words judging known_page line line_comparison line_comparison_state line_fall line_past
  line_payload line_review line_rollup line_seen line_touch line_version lock_exception mention
  message message_version name_look operator_notice pack pack_link period_lock plain_invoice
  plain_invoice_sum profile reason_list refresh_attempt rejected_line reparse_wish rule_switch
  rule_trial rule_trial_part rule_turn rule_version saved_view scim_answer scim_check
  scim_credential scim_endpoint sign_off sign_off_end stored_file sync_arrival sync_evidence
  sync_hint sync_loss sync_page sync_run sync_window thread trip_rollup`
  .trim()
  .split(/\s+/)

/** The place of each table by its name; kept answers stand with their organization, unsaid. */
export const PLACES: Record<string, Place> = {
  ...Object.fromEntries(Object.keys(REFERENCE).map((table) => [table, 'reference' as const])),
  ...Object.fromEntries(Object.keys(LOCAL).map((table) => [table, 'local' as const])),
  ...Object.fromEntries(OF_ORGANIZATION.map((table) => [table, 'organization' as const])),
}

/** @internal The tables of one place. */
export function listPlaced(place: Place): string[] {
  return Object.keys(PLACES).filter((table) => PLACES[table] === place)
}
