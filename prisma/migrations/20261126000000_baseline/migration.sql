-- Every table, column, key and policy as it is. Functions and triggers are no part of it: they stand beside what they are about
-- (lib/**/*.sql) and are applied whenever they change (lib/db/apply-programs.ts). The two functions here define columns.

-- The taxes that an invoice states beside those of its lines, as texts that are equal exactly when the figures are. Reading
-- them out of each invoice's JSON took most of the time of the coverage page (docs/decisions/016-roll-ups.md). The bodies
-- are parsed here, so that a restored database computes them whatever its search path.
CREATE FUNCTION to_tax_figures(rate numeric, tax numeric, total numeric, regime text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(trim_scale(rate)::text, '') || ' ' || coalesce(trim_scale(tax)::text, '') || ' '
    || coalesce(trim_scale(total)::text, '') || coalesce(' ' || regime, '');

-- A repeated one gets its number: whatever has each of these texts, and no more, has the same taxes.
CREATE FUNCTION to_stated_taxes(taxes_summary json) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT coalesce(array_agg(CASE number WHEN 1 THEN figures ELSE number || ' times ' || figures END), '{}')
  FROM (SELECT figures, row_number() OVER (PARTITION BY figures) AS number
        FROM json_to_recordset(taxes_summary) s ("taxRegime" text, "taxPercentage" numeric, "taxAmount" numeric, total numeric),
             LATERAL to_tax_figures(s."taxPercentage", s."taxAmount", s.total, s."taxRegime") figures) numbered;
END;

-- The organization is the tenant: its id is the first column of every key, and row-level security stands behind
-- every query. A transaction says whose rows it may see:
--   set_config('tieout.organization_id', '<uuid>', true)   one organization
--   set_config('tieout.scope', 'system', true)              sign-in and the worker's dispatcher only
CREATE TABLE organization (
  id                    uuid NOT NULL DEFAULT gen_random_uuid(),
  name                  text NOT NULL,
  created_at            timestamptz NOT NULL DEFAULT now(),
  fiscal_month          smallint NOT NULL DEFAULT 1,
  idle_minutes          integer NOT NULL DEFAULT 720,
  session_days          integer NOT NULL DEFAULT 30,
  second_step_required  boolean NOT NULL DEFAULT false,
  PRIMARY KEY (id),
  CHECK ((fiscal_month >= 1) AND (fiscal_month <= 12)),
  CHECK ((idle_minutes >= 15) AND (idle_minutes <= 1440)),
  CHECK ((session_days >= 1) AND (session_days <= 30))
);

CREATE TABLE app_user (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  email            text,
  name             text NOT NULL,
  role             text NOT NULL,
  password_hash    text,
  created_at       timestamptz NOT NULL DEFAULT now(),
  disabled_at      timestamptz,
  seen_on          date,
  seen_before      date,
  removed_at       timestamptz,
  break_glass      boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id),
  CHECK (email = lower(email)),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  CONSTRAINT app_user_removed_is_out CHECK (((removed_at IS NULL) = (email IS NOT NULL)) AND ((removed_at IS NULL)
    OR ((disabled_at IS NOT NULL) AND (password_hash IS NULL)))),
  CHECK (role = ANY (ARRAY['admin'::text, 'finance'::text, 'viewer'::text]))
);
CREATE UNIQUE INDEX app_user_email ON app_user (email);

-- A signed-in browser. Only the hash of its secret is stored: a stolen dump signs nobody in.
CREATE TABLE user_session (
  organization_id    uuid NOT NULL,
  id_hash            text NOT NULL,
  user_id            uuid NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT now(),
  last_seen_at       timestamptz NOT NULL DEFAULT now(),
  expires_at         timestamptz NOT NULL,
  ended_at           timestamptz,
  browser            text,
  network            text,
  confirmed_at       timestamptz,
  by_single_sign_on  boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id_hash),
  CHECK (length(browser) <= 80),
  CHECK (length(network) <= 80),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX user_session_of_user ON user_session (organization_id, user_id) WHERE (ended_at IS NULL);

CREATE TABLE connection (
  organization_id        uuid NOT NULL,
  id                     uuid NOT NULL DEFAULT gen_random_uuid(),
  name                   text,
  state                  text NOT NULL DEFAULT 'pending',
  state_cause            text,
  scopes_asked           text NOT NULL,
  scopes_granted         text,
  created_by             uuid NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  connected_at           timestamptz,
  last_generation        integer NOT NULL DEFAULT 0,
  state_changed_at       timestamptz NOT NULL DEFAULT now(),
  connected_by           uuid,
  data_deleted_at        timestamptz,
  next_sync_at           timestamptz,
  next_verification_at   timestamptz,
  sync_every_minutes     integer NOT NULL DEFAULT 60,
  look_back_every_hours  integer NOT NULL DEFAULT 24,
  verify_every_days      integer NOT NULL DEFAULT 7,
  next_look_back_at      timestamptz,
  looked_back_at         timestamptz,
  verified_at            timestamptz,
  lines_followed_upto    timestamptz,
  platform_name          text,
  PRIMARY KEY (organization_id, id),
  CHECK ((look_back_every_hours >= 1) AND (look_back_every_hours <= 168)),
  FOREIGN KEY (organization_id, created_by) REFERENCES app_user(organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  CONSTRAINT connection_refreshing_is_derived CHECK (state <> 'refreshing'::text),
  CHECK (state = ANY (ARRAY['pending'::text, 'active'::text, 'refreshing'::text, 'needs_reconnect'::text,
    'disconnecting'::text, 'disconnected'::text])),
  CHECK ((sync_every_minutes >= 5) AND (sync_every_minutes <= 10080)),
  CHECK ((verify_every_days >= 1) AND (verify_every_days <= 90))
);

-- The one place where tokens are: sealed (JWE) to the worker's key, bound to connection and generation.
CREATE TABLE connection_credential (
  organization_id     uuid NOT NULL,
  connection_id       uuid NOT NULL,
  generation          integer NOT NULL,
  sealed_tokens       text NOT NULL,
  key_id              text NOT NULL,
  obtained_at         timestamptz NOT NULL,
  access_expires_at   timestamptz NOT NULL,
  refresh_expires_at  timestamptz NOT NULL,
  lease_owner         text,
  lease_until         timestamptz,
  PRIMARY KEY (organization_id, connection_id),
  CHECK (generation > 0),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX connection_credential_expiry ON connection_credential (refresh_expires_at);

-- Written and committed before each refresh request, so that a crash leaves a trace.
CREATE TABLE refresh_attempt (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id    uuid NOT NULL,
  generation       integer NOT NULL,
  started_at       timestamptz NOT NULL DEFAULT now(),
  finished_at      timestamptz,
  outcome          text,
  reason           text,
  next_attempt_at  timestamptz,
  sealed_answer    text,
  answer_key_id    text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT refresh_attempt_answer_is_whole CHECK ((sealed_answer IS NULL) = (answer_key_id IS NULL)),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX refresh_attempt_connection ON refresh_attempt (organization_id, connection_id, started_at DESC);
CREATE INDEX refresh_attempt_generation ON refresh_attempt (organization_id, connection_id, generation);
CREATE INDEX refresh_attempt_kept_answer ON refresh_attempt (answer_key_id) WHERE (sealed_answer IS NOT NULL);
CREATE INDEX refresh_attempt_settled ON refresh_attempt (finished_at) WHERE (finished_at IS NOT NULL);

-- One click on "Connect account": who started it, bound to the state sent along, single use, ten minutes.
CREATE TABLE connect_intent (
  organization_id  uuid NOT NULL,
  id_hash          text NOT NULL,
  user_id          uuid NOT NULL,
  session_id_hash  text NOT NULL,
  connection_id    uuid,
  state_hash       text,
  created_at       timestamptz NOT NULL DEFAULT now(),
  expires_at       timestamptz NOT NULL,
  spent_at         timestamptz,
  outcome          text,
  PRIMARY KEY (organization_id, id_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX connect_intent_id_hash ON connect_intent (id_hash);

CREATE TABLE sync_run (
  organization_id    uuid NOT NULL,
  id                 uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id      uuid NOT NULL,
  trigger            text NOT NULL,
  status             text NOT NULL DEFAULT 'queued',
  phase              text,
  requested_by       uuid,
  requested_at       timestamptz NOT NULL DEFAULT now(),
  started_at         timestamptz,
  finished_at        timestamptz,
  fence              bigint NOT NULL DEFAULT 0,
  lease_until        timestamptz,
  pass               integer NOT NULL DEFAULT 1,
  cursor_offset      integer NOT NULL DEFAULT 0,
  profiles_expected  integer,
  invoices_expected  integer,
  lines_expected     integer,
  profiles_received  integer NOT NULL DEFAULT 0,
  invoices_received  integer NOT NULL DEFAULT 0,
  lines_received     integer NOT NULL DEFAULT 0,
  inserted           integer NOT NULL DEFAULT 0,
  updated            integer NOT NULL DEFAULT 0,
  unchanged          integer NOT NULL DEFAULT 0,
  duplicate          integer NOT NULL DEFAULT 0,
  rejected           integer NOT NULL DEFAULT 0,
  attempts           integer NOT NULL DEFAULT 0,
  error_code         text,
  error_text         text,
  kind               text NOT NULL DEFAULT 'backfill',
  look_back_from     date,
  closing_rounds     integer NOT NULL DEFAULT 0,
  lines_missing      integer NOT NULL DEFAULT 0,
  invoices_missing   integer NOT NULL DEFAULT 0,
  pages_removed_at   timestamptz,
  data_erased_at     timestamptz,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT sync_run_adds_up CHECK (((profiles_received + invoices_received) + lines_received) = ((((inserted + updated) + unchanged) + duplicate) + rejected)),
  CHECK (kind = ANY (ARRAY['backfill'::text, 'changes'::text, 'incremental'::text, 'verification'::text, 'invoices'::text])),
  CONSTRAINT sync_run_of_erased_data CHECK ((data_erased_at IS NULL) OR (status = ANY (ARRAY['succeeded'::text,
    'failed'::text, 'canceled'::text]))),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE,
  CHECK (phase = ANY (ARRAY['profiles'::text, 'invoices'::text, 'lines'::text])),
  CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'paused'::text, 'succeeded'::text, 'held'::text, 'failed'::text,
    'canceled'::text])),
  CHECK (trigger = ANY (ARRAY['connect'::text, 'manual'::text, 'schedule'::text, 'webhook'::text]))
);
CREATE UNIQUE INDEX sync_run_one_at_a_time ON sync_run (organization_id,
  connection_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text, 'paused'::text]));
CREATE INDEX sync_run_recent ON sync_run (organization_id, connection_id, requested_at DESC);
CREATE INDEX sync_run_with_pages ON sync_run (finished_at) WHERE ((finished_at IS NOT NULL) AND (pages_removed_at IS NULL));

-- The page ledger: one row per committed page, in the same transaction as its rows.
CREATE TABLE sync_page (
  organization_id  uuid NOT NULL,
  run_id           uuid NOT NULL,
  list             text NOT NULL,
  pass             integer NOT NULL,
  page_offset      integer NOT NULL,
  reported_total   integer,
  received         integer NOT NULL,
  inserted         integer NOT NULL,
  updated          integer NOT NULL,
  unchanged        integer NOT NULL,
  duplicate        integer NOT NULL,
  rejected         integer NOT NULL,
  key_hashes       bigint[] NOT NULL,
  committed_at     timestamptz NOT NULL DEFAULT now(),
  window_number    integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, run_id, window_number, list, pass, page_offset),
  CONSTRAINT sync_page_adds_up CHECK (received = ((((inserted + updated) + unchanged) + duplicate) + rejected)),
  CHECK (list = ANY (ARRAY['profiles'::text, 'invoices'::text, 'lines'::text])),
  FOREIGN KEY (organization_id, run_id) REFERENCES sync_run(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE profile (
  organization_id      uuid NOT NULL,
  connection_id        uuid NOT NULL,
  id                   text NOT NULL,
  name                 text,
  legal_name           text,
  currency             text,
  payment_method_type  text,
  billing_period       text,
  raw                  json NOT NULL,
  content_hash         text NOT NULL,
  first_seen_at        timestamptz NOT NULL DEFAULT now(),
  changed_at           timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, connection_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);

CREATE TABLE invoice (
  organization_id    uuid NOT NULL,
  connection_id      uuid NOT NULL,
  serial_number      text NOT NULL,
  profile_id         text,
  profile_name       text,
  legal_name         text,
  mode               text,
  status             text,
  issuing_date       date,
  due_date           date,
  from_date          date,
  to_date            date,
  billing_period     text,
  currency           text NOT NULL,
  total              numeric NOT NULL,
  credit_used        numeric,
  taxes_summary      json NOT NULL DEFAULT '[]'::json,
  reference          text,
  raw                json NOT NULL,
  content_hash       text NOT NULL,
  first_seen_at      timestamptz NOT NULL DEFAULT now(),
  changed_at         timestamptz NOT NULL DEFAULT now(),
  missing_since      timestamptz,
  stated_line_count  integer GENERATED ALWAYS AS (
CASE json_typeof((raw -> 'lines'::text))
    WHEN 'array'::text THEN json_array_length((raw -> 'lines'::text))
    WHEN 'object'::text THEN
    CASE
        WHEN (((raw -> 'lines'::text) ->> 'total'::text) ~ '^[0-9]{1,9}$'::text) THEN (((raw -> 'lines'::text) ->> 'total'::text))::integer
        ELSE NULL::integer
    END
    ELSE NULL::integer
END) STORED,
  text_hash          bytea,
  news_at            timestamptz NOT NULL DEFAULT now(),
  stated_taxes       text[] GENERATED ALWAYS AS (to_stated_taxes(taxes_summary)) STORED NOT NULL,
  PRIMARY KEY (organization_id, connection_id, serial_number),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX invoice_issued ON invoice (organization_id, issuing_date DESC, serial_number);
CREATE INDEX invoice_missing ON invoice (organization_id, connection_id) WHERE (missing_since IS NOT NULL);
CREATE INDEX invoice_news ON invoice (organization_id, connection_id, news_at);

-- numeric keeps the scale at which a figure was stated; raw (json, not jsonb) keeps the record byte for byte.
CREATE TABLE line (
  organization_id            uuid NOT NULL,
  connection_id              uuid NOT NULL,
  expense_date               date NOT NULL,
  proof_version              smallint NOT NULL,
  finding_count              smallint GENERATED ALWAYS AS (cardinality(finding_codes)) STORED NOT NULL,
  missing_since              timestamptz,
  search_text                text NOT NULL DEFAULT chr(30),
  currency                   text NOT NULL,
  total_amount               numeric NOT NULL,
  related_vertical           text,
  service                    text,
  cost_center                text,
  trip_name                  text,
  trip_id                    text,
  id                         text NOT NULL,
  invoice_serial_number      text NOT NULL,
  invoice_mode               text,
  invoice_status             text,
  profile_id                 text,
  profile_name               text,
  issuing_date               date,
  due_date                   date,
  description                text NOT NULL,
  quantity                   numeric NOT NULL,
  unit_price                 numeric NOT NULL,
  non_taxable_unit_price     numeric NOT NULL,
  tax_percentage             numeric NOT NULL,
  tax_amount                 numeric NOT NULL,
  tax_regime                 text,
  start_date                 date,
  end_date                   date,
  credit_card_last_4_digits  text,
  labels                     text[] NOT NULL DEFAULT '{}'::text[],
  out_of_policy              boolean,
  vendor_code                text,
  vendor_name                text,
  traveler_names             text[] NOT NULL DEFAULT '{}'::text[],
  booker_name                text,
  include_breakfast          boolean,
  content_hash               text NOT NULL,
  text_hash                  bytea,
  expected_total_amount      numeric NOT NULL,
  difference                 numeric NOT NULL,
  expected_tax_amount        numeric NOT NULL,
  tax_difference             numeric NOT NULL,
  finding_codes              text[] NOT NULL DEFAULT '{}'::text[],
  note_codes                 text[] NOT NULL DEFAULT '{}'::text[],
  explained_codes            text[],
  reason_codes               text[],
  first_seen_at              timestamptz NOT NULL DEFAULT now(),
  changed_at                 timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, connection_id, id)
);
CREATE INDEX line_by_cost_center ON line (organization_id, cost_center, service) WHERE (missing_since IS NULL);
CREATE INDEX line_by_expense_date ON line (organization_id, expense_date DESC, connection_id, id) INCLUDE (currency,
  total_amount, finding_count, related_vertical, cost_center, service, profile_id, invoice_serial_number, trip_id,
  issuing_date, invoice_status, invoice_mode, tax_regime, tax_percentage) WHERE (missing_since IS NULL);
CREATE INDEX line_by_invoice ON line (organization_id, invoice_serial_number, connection_id);
CREATE INDEX line_by_trip ON line (organization_id, trip_id);
CREATE INDEX line_differing ON line (organization_id, connection_id, id) WHERE ((difference <> (0)::numeric)
  OR (tax_difference <> (0)::numeric));
CREATE INDEX line_first_seen ON line USING brin (first_seen_at) WITH (autosummarize='on');
CREATE INDEX line_missing ON line (organization_id, missing_since) WHERE (missing_since IS NOT NULL);
CREATE INDEX line_with_finding ON line (organization_id, expense_date DESC) WHERE (finding_count > 0);

-- A record that could not be parsed: kept as it came, counted everywhere, read again after an upgrade.
CREATE TABLE rejected_line (
  organization_id        uuid NOT NULL,
  connection_id          uuid NOT NULL,
  list                   text NOT NULL,
  raw_hash               text NOT NULL,
  raw                    text NOT NULL,
  record_id              text,
  invoice_serial_number  text,
  reason                 text NOT NULL,
  path                   text NOT NULL,
  first_run_id           uuid NOT NULL,
  first_seen_at          timestamptz NOT NULL DEFAULT now(),
  last_seen_at           timestamptz NOT NULL DEFAULT now(),
  resolved_at            timestamptz,
  parser_version         smallint NOT NULL DEFAULT 1,
  stated_total           numeric,
  stated_currency        text,
  PRIMARY KEY (organization_id, connection_id, list, raw_hash),
  CHECK (list = ANY (ARRAY['profiles'::text, 'invoices'::text, 'lines'::text])),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);

-- The one place where the key is: sealed (JWE) to the worker's key, bound to connection and generation. A removed key
-- leaves its row, so that the next one gets a new generation and the page can say who removed it.
CREATE TABLE scim_credential (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  generation       integer NOT NULL,
  sealed_key       text,
  key_id           text,
  changed_by       uuid NOT NULL,
  changed_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, connection_id),
  CHECK (generation > 0),
  CONSTRAINT scim_credential_is_whole CHECK ((sealed_key IS NULL) = (key_id IS NULL)),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);

-- A wish to ask the endpoints; the worker takes it up under a fence and a lease, as it does with sync_run.
CREATE TABLE scim_check (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id    uuid NOT NULL,
  status           text NOT NULL DEFAULT 'queued',
  requested_by     uuid,
  requested_at     timestamptz NOT NULL DEFAULT now(),
  started_at       timestamptz,
  finished_at      timestamptz,
  fence            bigint NOT NULL DEFAULT 0,
  lease_until      timestamptz,
  attempts         integer NOT NULL DEFAULT 0,
  failure          text,
  PRIMARY KEY (organization_id, id),
  CHECK (failure = ANY (ARRAY['no_key'::text, 'key_unreadable'::text, 'not_configured'::text, 'interrupted'::text])),
  CONSTRAINT scim_check_failure_is_named CHECK ((status = 'failed'::text) = (failure IS NOT NULL)),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE,
  CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'finished'::text, 'failed'::text]))
);
CREATE UNIQUE INDEX scim_check_one_at_a_time ON scim_check (organization_id,
  connection_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX scim_check_recent ON scim_check (organization_id, connection_id, requested_at DESC);

-- What asking each endpoint brought the last time.
CREATE TABLE scim_endpoint (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  endpoint         text NOT NULL,
  last_checked_at  timestamptz NOT NULL,
  last_read_at     timestamptz,
  http_status      integer,
  problem_code     text,
  problem_detail   text,
  PRIMARY KEY (organization_id, connection_id, endpoint),
  CHECK (endpoint = ANY (ARRAY['ServiceProviderConfig'::text, 'ResourceTypes'::text, 'Schemas'::text])),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);

-- Each answer as received, kept when it differs from the one before.
CREATE TABLE scim_answer (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  endpoint         text NOT NULL,
  number           integer NOT NULL,
  received_at      timestamptz NOT NULL,
  content_type     text,
  raw              text NOT NULL,
  content_hash     text NOT NULL,
  PRIMARY KEY (organization_id, connection_id, endpoint, number),
  CHECK (endpoint = ANY (ARRAY['ServiceProviderConfig'::text, 'ResourceTypes'::text, 'Schemas'::text])),
  CHECK (number > 0),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);

-- One row per refresh token and threshold: a warning is given once, however many workers look.
CREATE TABLE connection_warning (
  organization_id     uuid NOT NULL,
  connection_id       uuid NOT NULL,
  refresh_expires_at  timestamptz NOT NULL,
  days_left           integer NOT NULL,
  warned_at           timestamptz NOT NULL DEFAULT now(),
  mailed_at           timestamptz,
  mail_lease_until    timestamptz,
  PRIMARY KEY (organization_id, connection_id, refresh_expires_at, days_left),
  CHECK (days_left = ANY (ARRAY[7, 3, 1])),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);

-- What whoever runs the program has to know or do; kept until it is settled. subject is a connection's id, or empty.
CREATE TABLE operator_notice (
  organization_id  uuid NOT NULL,
  kind             text NOT NULL,
  subject          text NOT NULL DEFAULT '',
  detail           text NOT NULL,
  occurrences      integer NOT NULL DEFAULT 1,
  first_seen_at    timestamptz NOT NULL DEFAULT now(),
  last_seen_at     timestamptz NOT NULL DEFAULT now(),
  resolved_at      timestamptz,
  PRIMARY KEY (organization_id, kind, subject),
  CHECK (kind = ANY (ARRAY['client_refused'::text, 'no_refresh_token'::text, 'answer_unreadable'::text,
    'token_unreadable'::text])),
  FOREIGN KEY (organization_id) REFERENCES organization(id)
);

-- A sealed word per key: a worker that cannot open one of them has lost a key and does not start. Retiring a key
-- removes its row. It belongs to no organization and holds no secret.
CREATE TABLE token_key_canary (
  key_id      text NOT NULL,
  sealed      text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key_id)
);

-- The moves that lib/connections/states.ts allows; a test keeps the two equal. `refreshing` is a live lease on the
-- credential and is never stored.
CREATE TABLE connection_transition (
  from_state  text NOT NULL,
  to_state    text NOT NULL,
  PRIMARY KEY (from_state, to_state)
);
INSERT INTO connection_transition (from_state, to_state) VALUES
  ('pending', 'active'),
  ('pending', 'needs_reconnect'),
  ('pending', 'disconnecting'),
  ('pending', 'disconnected'),
  ('active', 'needs_reconnect'),
  ('active', 'disconnecting'),
  ('needs_reconnect', 'pending'),
  ('needs_reconnect', 'active'),
  ('needs_reconnect', 'disconnecting'),
  ('disconnecting', 'disconnected'),
  ('disconnected', 'pending');

-- What happened to each connection. No foreign key to the connection: its history outlives it.
CREATE TABLE connection_event (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  number           bigint GENERATED ALWAYS AS IDENTITY,
  happened_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind             text NOT NULL,
  from_state       text,
  to_state         text,
  cause            text,
  actor_id         uuid,
  actor_name       text,
  detail           text,
  PRIMARY KEY (organization_id, connection_id, number),
  CHECK (kind ~ '^[a-z_]{1,40}$'::text),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  CONSTRAINT connection_event_state_is_named CHECK ((kind = ANY (ARRAY['created'::text,
    'state'::text])) = (to_state IS NOT NULL))
);

-- A consent for a connection that exists, until the worker has compared the account's profiles with what is stored. The
-- tokens never stand in the connection's own credential before that. `sealed_for` is the connection in their header.
CREATE TABLE connection_candidate (
  organization_id     uuid NOT NULL,
  connection_id       uuid NOT NULL,
  status              text NOT NULL DEFAULT 'unchecked',
  sealed_for          uuid NOT NULL,
  generation          integer NOT NULL,
  sealed_tokens       text NOT NULL,
  key_id              text NOT NULL,
  scopes_asked        text NOT NULL,
  scopes_granted      text,
  obtained_at         timestamptz NOT NULL,
  access_expires_at   timestamptz NOT NULL,
  refresh_expires_at  timestamptz NOT NULL,
  consented_by        uuid NOT NULL,
  state_before        text NOT NULL,
  profile_names       text[] NOT NULL DEFAULT '{}'::text[],
  held_by             uuid,
  attempts            integer NOT NULL DEFAULT 0,
  next_try_at         timestamptz NOT NULL DEFAULT now(),
  last_problem        text,
  fence               bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, connection_id),
  CHECK (generation > 0),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE,
  CHECK (state_before = ANY (ARRAY['pending'::text, 'active'::text, 'needs_reconnect'::text, 'disconnected'::text])),
  CHECK (status = ANY (ARRAY['unchecked'::text, 'other_account'::text]))
);
CREATE INDEX connection_candidate_due ON connection_candidate (next_try_at);

-- One wish to disconnect: what is to become of the data, how far it is, and how the platform answered so far.
CREATE TABLE disconnection (
  organization_id      uuid NOT NULL,
  id                   uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id        uuid NOT NULL,
  data_choice          text NOT NULL,
  requested_by         uuid NOT NULL,
  requested_at         timestamptz NOT NULL DEFAULT now(),
  attempts             integer NOT NULL DEFAULT 0,
  next_try_at          timestamptz NOT NULL DEFAULT now(),
  last_problem         text,
  outcome              text,
  tokens_destroyed_at  timestamptz,
  erased_rows          bigint NOT NULL DEFAULT 0,
  finished_at          timestamptz,
  fence                bigint NOT NULL DEFAULT 0,
  lease_until          timestamptz,
  PRIMARY KEY (organization_id, id),
  CHECK (data_choice = ANY (ARRAY['keep'::text, 'delete'::text])),
  CONSTRAINT disconnection_ends_in_order CHECK (((tokens_destroyed_at IS NULL) OR (outcome IS NOT NULL))
    AND ((finished_at IS NULL) OR (tokens_destroyed_at IS NOT NULL))),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE,
  CHECK (outcome = ANY (ARRAY['revoked'::text, 'already_dead'::text, 'expired'::text, 'unreadable'::text, 'no_tokens'::text]))
);
CREATE INDEX disconnection_due ON disconnection (next_try_at) WHERE (finished_at IS NULL);
CREATE UNIQUE INDEX disconnection_one_at_a_time ON disconnection (organization_id,
  connection_id) WHERE (finished_at IS NULL);

-- How many invoices and lines each connection holds, so that a page need not count a million rows. Kept by statement, in
-- the transaction that stores or deletes the rows.
CREATE TABLE connection_tally (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  invoice_count    bigint NOT NULL DEFAULT 0,
  line_count       bigint NOT NULL DEFAULT 0,
  trip_count       bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, connection_id)
);

-- One part of a list: issued between two days (null = open end), of one status, or of one invoice; all null = the whole list.
CREATE TABLE sync_window (
  organization_id  uuid NOT NULL,
  run_id           uuid NOT NULL,
  number           integer NOT NULL,
  list             text NOT NULL,
  issued_from      date,
  issued_upto      date,
  invoice_status   text,
  serial_number    text,
  state            text NOT NULL DEFAULT 'waiting',
  may_split        boolean NOT NULL DEFAULT true,
  pass             integer NOT NULL DEFAULT 1,
  cursor_offset    integer NOT NULL DEFAULT 0,
  expected         integer,
  received         integer NOT NULL DEFAULT 0,
  inserted         integer NOT NULL DEFAULT 0,
  updated          integer NOT NULL DEFAULT 0,
  unchanged        integer NOT NULL DEFAULT 0,
  duplicate        integer NOT NULL DEFAULT 0,
  rejected         integer NOT NULL DEFAULT 0,
  created_at       timestamptz NOT NULL DEFAULT now(),
  started_at       timestamptz,
  completed_at     timestamptz,
  PRIMARY KEY (organization_id, run_id, number),
  CONSTRAINT sync_window_adds_up CHECK (received = ((((inserted + updated) + unchanged) + duplicate) + rejected)),
  CHECK (list = ANY (ARRAY['profiles'::text, 'invoices'::text, 'lines'::text])),
  FOREIGN KEY (organization_id, run_id) REFERENCES sync_run(organization_id, id) ON DELETE CASCADE,
  CHECK (state = ANY (ARRAY['waiting'::text, 'reading'::text, 'complete'::text, 'split'::text]))
);

-- A loss too large to be believed: what a complete reading did not find, until an admin decides.
CREATE TABLE sync_loss (
  organization_id   uuid NOT NULL,
  run_id            uuid NOT NULL,
  connection_id     uuid NOT NULL,
  found_at          timestamptz NOT NULL DEFAULT now(),
  line_count        integer NOT NULL,
  missing_lines     integer NOT NULL,
  invoice_count     integer NOT NULL,
  missing_invoices  integer NOT NULL,
  totals            json NOT NULL,
  decision          text,
  decided_by        uuid,
  decided_at        timestamptz,
  taken_back_by     uuid,
  taken_back_at     timestamptz,
  lines_back        integer,
  invoices_back     integer,
  PRIMARY KEY (organization_id, run_id),
  CHECK (decision = ANY (ARRAY['accepted'::text, 'rejected'::text, 'superseded'::text])),
  CONSTRAINT sync_loss_is_whole CHECK ((decision IS NULL) = (decided_at IS NULL)),
  FOREIGN KEY (organization_id, run_id) REFERENCES sync_run(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT sync_loss_taken_back CHECK ((taken_back_at IS NULL) OR (decision = 'accepted'::text))
);
CREATE INDEX sync_loss_open ON sync_loss (organization_id, connection_id) WHERE (decision IS NULL);

-- An invoice that the platform says has something new (webhook): one row per invoice, however often it is said.
CREATE TABLE sync_hint (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  serial_number    text NOT NULL,
  received_at      timestamptz NOT NULL DEFAULT now(),
  handled_at       timestamptz,
  PRIMARY KEY (organization_id, connection_id, serial_number),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX sync_hint_open ON sync_hint (organization_id, connection_id) WHERE (handled_at IS NULL);

-- What the platform answered when it was not its interface: the beginning of it, masked.
CREATE TABLE sync_evidence (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id    uuid NOT NULL,
  run_id           uuid NOT NULL,
  list             text NOT NULL,
  page_offset      integer NOT NULL,
  seen_at          timestamptz NOT NULL DEFAULT now(),
  kind             text NOT NULL,
  http_status      integer,
  reason           text NOT NULL,
  beginning        text,
  PRIMARY KEY (organization_id, id),
  CHECK (length(beginning) <= 2048),
  FOREIGN KEY (organization_id, run_id) REFERENCES sync_run(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX sync_evidence_run ON sync_evidence (organization_id, run_id, seen_at);

-- The platform's hosts, shared by all organizations and workers: how many calls are left in the budget, and whether the
-- circuit is open (no calls until retry_at, then one to see).
CREATE TABLE partner_host (
  host                  text NOT NULL,
  tokens                double precision,
  tokens_at             timestamptz,
  circuit               text NOT NULL DEFAULT 'closed',
  consecutive_failures  integer NOT NULL DEFAULT 0,
  times_opened          integer NOT NULL DEFAULT 0,
  opened_at             timestamptz,
  retry_at              timestamptz,
  last_failure_at       timestamptz,
  last_failure_kind     text,
  last_failure_status   smallint,
  PRIMARY KEY (host),
  CHECK (circuit = ANY (ARRAY['closed'::text, 'open'::text, 'half_open'::text])),
  CONSTRAINT partner_host_failure_is_whole CHECK ((last_failure_status IS NULL) OR (last_failure_kind IS NOT NULL)),
  CHECK (last_failure_kind = ANY (ARRAY['timeout'::text, 'refused'::text, 'reset'::text, 'dns'::text, 'tls'::text,
    'redirect'::text, 'too_large'::text, 'bad_encoding'::text, 'bad_body'::text, 'unauthorized'::text, 'forbidden'::text,
    'throttled'::text, 'unavailable'::text, 'rejected'::text, 'foreign_origin'::text])),
  CHECK ((last_failure_status >= 100) AND (last_failure_status <= 999))
);

-- History: what a line or an invoice said before the platform changed it. Written by a trigger in the transaction of the
-- change, whatever statement makes it (docs/decisions/007-history-by-trigger.md).
CREATE TABLE line_version (
  organization_id        uuid NOT NULL,
  id                     bigint GENERATED ALWAYS AS IDENTITY,
  connection_id          uuid NOT NULL,
  line_id                text NOT NULL,
  invoice_serial_number  text NOT NULL,
  valid_from             timestamptz NOT NULL,
  valid_until            timestamptz NOT NULL,
  run_id                 uuid,
  content_hash           text NOT NULL,
  currency               text NOT NULL,
  total_amount           numeric NOT NULL,
  next_currency          text NOT NULL,
  next_total_amount      numeric NOT NULL,
  raw                    json NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX line_version_of_invoice ON line_version (organization_id, connection_id, invoice_serial_number);
CREATE INDEX line_version_of_line ON line_version (organization_id, connection_id, line_id, id);
CREATE INDEX line_version_recent ON line_version (organization_id, valid_until);

CREATE TABLE invoice_version (
  organization_id        uuid NOT NULL,
  id                     bigint GENERATED ALWAYS AS IDENTITY,
  connection_id          uuid NOT NULL,
  invoice_serial_number  text NOT NULL,
  valid_from             timestamptz NOT NULL,
  valid_until            timestamptz NOT NULL,
  run_id                 uuid,
  content_hash           text NOT NULL,
  currency               text NOT NULL,
  total                  numeric NOT NULL,
  next_currency          text NOT NULL,
  next_total             numeric NOT NULL,
  raw                    json NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX invoice_version_of_invoice ON invoice_version (organization_id, connection_id, invoice_serial_number, id);
CREATE INDEX invoice_version_recent ON invoice_version (organization_id, valid_until);

-- Drift of the interface: where an account's records differ from the shape this program was written for. One row per path
-- and deviation; counts are of records, per run.
CREATE TABLE interface_drift (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  list             text NOT NULL,
  path             text NOT NULL,
  kind             text NOT NULL,
  detail           text NOT NULL,
  example          text NOT NULL,
  first_seen_at    timestamptz NOT NULL DEFAULT now(),
  last_seen_at     timestamptz NOT NULL DEFAULT now(),
  first_run_id     uuid NOT NULL,
  last_run_id      uuid NOT NULL,
  record_count     bigint NOT NULL,
  PRIMARY KEY (organization_id, connection_id, list, path, kind, detail),
  CHECK (kind = ANY (ARRAY['key'::text, 'type'::text, 'value'::text])),
  CHECK (list = ANY (ARRAY['profiles'::text, 'invoices'::text, 'lines'::text])),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);

-- Pages of lines that need not be opened when they come again byte for byte: each of their lines is in the ledger as the page
-- says it (docs/decisions/010-known-pages.md). One row per place of a reading, replaced when the page there is another one.
CREATE TABLE known_page (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  place            text NOT NULL,
  page_offset      integer NOT NULL,
  body_hash        bytea NOT NULL,
  reported_total   integer,
  key_hashes       bigint[] NOT NULL,
  proof_version    smallint NOT NULL,
  known_in         pg_snapshot NOT NULL,
  known_order      bigint NOT NULL,
  PRIMARY KEY (organization_id, connection_id, place, page_offset),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);

CREATE SEQUENCE line_touch_order;
SELECT nextval('line_touch_order');
CREATE TABLE line_touch (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  key_hash         bigint NOT NULL,
  touched_in       xid8 NOT NULL,
  touch_order      bigint NOT NULL,
  PRIMARY KEY (organization_id, connection_id, key_hash),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX line_touch_recent ON line_touch (organization_id, connection_id, touched_in);

-- What removed pages had brought, per run, list and day (UTC) of their commit: the list of changes tells what arrived since
-- any day. A page that brought nothing leaves no row.
CREATE TABLE sync_arrival (
  organization_id  uuid NOT NULL,
  run_id           uuid NOT NULL,
  list             text NOT NULL,
  day              date NOT NULL,
  inserted         integer NOT NULL,
  PRIMARY KEY (organization_id, run_id, list, day),
  CHECK (inserted > 0),
  CHECK (list = ANY (ARRAY['profiles'::text, 'invoices'::text, 'lines'::text])),
  FOREIGN KEY (organization_id, run_id) REFERENCES sync_run(organization_id, id) ON DELETE CASCADE
);

-- How many attempts to sign in were counted lately: per account and address, per address, per account, per known browser
-- (docs/decisions/012-sign-in-throttle.md). One row per key, shared by all web processes.
--
-- No organization_id and no policy, like partner_host: an attempt belongs to no organization before it has succeeded, and
-- an address that is nobody's has to be counted like any other. There is nothing in it to protect either: the key is an
-- HMAC under the session secret, from which neither an email nor an address can be told.
CREATE TABLE sign_in_throttle (
  key         text NOT NULL,
  level       double precision NOT NULL,
  counted_at  timestamptz NOT NULL,
  PRIMARY KEY (key)
);
CREATE INDEX sign_in_throttle_old ON sign_in_throttle (counted_at);

-- Reading rejected records again is a wish: made by the web process or, after an upgrade, by a worker; done by workers, a
-- bounded batch at a time. The transaction of a batch holds the wish, and stores how far it came beside what it brought: a
-- worker that dies in the middle has done nothing, and the next goes on from there.
CREATE TABLE reparse_wish (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id    uuid NOT NULL,
  requested_by     uuid,
  requested_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  list             text,
  raw_hash         text,
  accepted         integer NOT NULL DEFAULT 0,
  still_rejected   integer NOT NULL DEFAULT 0,
  finished_at      timestamptz,
  is_failed        boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT reparse_wish_failed_is_finished CHECK ((NOT is_failed) OR (finished_at IS NOT NULL)),
  CHECK (list = ANY (ARRAY['profiles'::text, 'invoices'::text, 'lines'::text])),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE,
  CONSTRAINT reparse_wish_place_is_whole CHECK ((list IS NULL) = (raw_hash IS NULL))
);
CREATE UNIQUE INDEX reparse_wish_one_at_a_time ON reparse_wish (organization_id, connection_id) WHERE (finished_at IS NULL);
CREATE INDEX reparse_wish_recent ON reparse_wish (organization_id, connection_id, requested_at DESC);

-- The record of a line as it was sent, apart from what is computed with: a list, a sum or a file reads a million lines
-- without reading a gigabyte of texts. Written in the transaction of its line; the panel, the history and a proof by new
-- rules read it.
CREATE TABLE line_payload (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  line_id          text NOT NULL,
  raw              text NOT NULL,
  PRIMARY KEY (organization_id, connection_id, line_id)
);

-- Few rows: one set of columns per `grain`; the others are null. `expense_date` is the month's first day.
CREATE TABLE line_rollup (
  organization_id   uuid NOT NULL,
  connection_id     uuid NOT NULL,
  grain             text NOT NULL,
  cell              uuid NOT NULL,
  currency          text NOT NULL,
  expense_date      date,
  related_vertical  text,
  cost_center       text,
  service           text,
  profile_id        text,
  profile_name      text,
  invoice_mode      text,
  invoice_status    text,
  tax_regime        text,
  tax_percentage    numeric,
  line_count        integer NOT NULL,
  total_amount      numeric NOT NULL,
  finding_count     integer NOT NULL,
  issuing_date      date,
  line_states       numeric NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, connection_id, grain, cell)
) WITH (fillfactor=60);

-- One row per trip and currency. `dated_label`: the day and the trip's name on it, of the latest line that has a name.
CREATE TABLE trip_rollup (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  cell             uuid NOT NULL,
  currency         text NOT NULL,
  trip_id          text,
  dated_label      text,
  line_count       integer NOT NULL,
  total_amount     numeric NOT NULL,
  finding_count    integer NOT NULL,
  issuing_date     date,
  has_names        boolean NOT NULL DEFAULT false,
  line_states      numeric NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, connection_id, cell)
) WITH (fillfactor=80);
CREATE INDEX trip_rollup_by_label ON trip_rollup (organization_id, "left"(COALESCE(substr(dated_label, 12), trip_id), 100),
  trip_id);
CREATE INDEX trip_rollup_by_trip ON trip_rollup (organization_id, trip_id);
CREATE INDEX trip_rollup_with_names ON trip_rollup (organization_id) WHERE has_names;

-- What each invoice's lines add up to, by currency and tax, with what its lines repeat of it.
CREATE TABLE invoice_rollup (
  organization_id        uuid NOT NULL,
  connection_id          uuid NOT NULL,
  invoice_serial_number  text NOT NULL,
  cell                   uuid NOT NULL,
  currency               text NOT NULL,
  issuing_date           date,
  profile_id             text,
  profile_name           text,
  invoice_mode           text,
  invoice_status         text,
  tax_regime             text,
  tax_percentage         numeric,
  line_count             integer NOT NULL,
  total_amount           numeric NOT NULL,
  tax_amount             numeric NOT NULL,
  finding_count          integer NOT NULL,
  tax_figures            text GENERATED ALWAYS AS (to_tax_figures(tax_percentage, tax_amount, total_amount, tax_regime)) STORED NOT NULL,
  least_amount           numeric,
  greatest_amount        numeric,
  line_states            numeric NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, connection_id, invoice_serial_number, cell)
) WITH (fillfactor=80);
CREATE INDEX invoice_rollup_by_day ON invoice_rollup (organization_id, issuing_date);
CREATE INDEX invoice_rollup_with_states ON invoice_rollup (organization_id) WHERE (line_states > (0)::numeric);

-- Invoices of which the proof is certain to find them complete, with what a survey of all invoices adds up of them: it then
-- looks only at the others (docs/decisions/016-roll-ups.md). An invoice without a row is one that nobody has judged yet, or
-- that must be proved. The worker judges, when it has read an account (lib/ledger/kept/plain-invoices/note-plain-invoices.ts).
CREATE TABLE plain_invoice (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  serial_number    text NOT NULL,
  profile_id       text,
  issuing_date     date,
  currency         text NOT NULL,
  total            numeric NOT NULL,
  line_count       integer NOT NULL,
  is_gone          boolean NOT NULL,
  PRIMARY KEY (organization_id, connection_id, serial_number)
);

-- A wish to see an invoice's original document (docs/decisions/023-original-documents.md). Only the worker opens tokens: the
-- web server writes the wish, the worker brings the bytes, and the row is removed when they are passed on, or minutes later.
-- The platform's own address of the document is never here.
CREATE TABLE document_wish (
  organization_id        uuid NOT NULL,
  id                     uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id          uuid NOT NULL,
  invoice_serial_number  text NOT NULL,
  status                 text NOT NULL DEFAULT 'queued',
  requested_by           uuid NOT NULL,
  requested_at           timestamptz NOT NULL DEFAULT now(),
  failure                text,
  content                bytea,
  PRIMARY KEY (organization_id, id),
  CHECK (failure = ANY (ARRAY['none'::text, 'not_pdf'::text, 'too_large'::text, 'forbidden'::text, 'needs_reconnect'::text,
    'unreachable'::text])),
  CONSTRAINT document_wish_failure_is_named CHECK ((status = 'failed'::text) = (failure IS NOT NULL)),
  CONSTRAINT document_wish_has_its_document CHECK ((status = 'done'::text) = (content IS NOT NULL)),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE,
  CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text]))
);
CREATE INDEX document_wish_of_connection ON document_wish (organization_id, connection_id);
CREATE INDEX document_wish_queue ON document_wish (requested_at);

-- What lines of an account say beside each other: a line that is also on an earlier invoice, a refund of nothing or of more
-- than was paid (docs/decisions/024-line-comparisons.md). The worker writes them (lib/ledger/kept/comparisons/compare-lines.ts), by
-- difference. `amount`: the money in question, above zero. The other line is the first one, or the one that is refunded.
CREATE TABLE line_comparison (
  organization_id              uuid NOT NULL,
  connection_id                uuid NOT NULL,
  line_id                      text NOT NULL,
  code                         text NOT NULL,
  invoice_serial_number        text NOT NULL,
  other_line_id                text,
  other_invoice_serial_number  text,
  currency                     text NOT NULL,
  amount                       numeric NOT NULL,
  PRIMARY KEY (organization_id, connection_id, line_id, code),
  CHECK (code = ANY (ARRAY['duplicate_line'::text, 'refund_without_original'::text, 'refund_above_original'::text])),
  CONSTRAINT line_comparison_names_the_other CHECK (((code = 'refund_without_original'::text) = (other_line_id IS NULL))
    AND ((other_line_id IS NULL) = (other_invoice_serial_number IS NULL))),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX line_comparison_of_invoice ON line_comparison (organization_id, connection_id, invoice_serial_number);

-- How often an account's lines have changed, and how often they had when they were last compared. Apart from the lines: an
-- account that a sync finds unchanged is not compared again, and one whose worker ended before it compared is not forgotten.
CREATE TABLE line_comparison_state (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  change_count     bigint NOT NULL DEFAULT 1,
  compared_count   bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, connection_id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);

-- Checks to tune and habits of issuers (docs/decisions/026-checks-and-habits.md). Both are kept as what was decided, one row
-- after the other: the newest counts, and the others say who changed it and when.
CREATE TABLE check_setting (
  organization_id  uuid NOT NULL,
  number           bigint GENERATED ALWAYS AS IDENTITY,
  check_code       text NOT NULL,
  level            text NOT NULL,
  tolerance        jsonb NOT NULL DEFAULT '{}'::jsonb,
  changed_by       uuid NOT NULL,
  changed_by_name  text NOT NULL,
  changed_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, number),
  CHECK (check_code ~ '^[a-z_]{1,60}$'::text),
  CHECK (level = ANY (ARRAY['finding'::text, 'note'::text, 'off'::text])),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  CHECK (jsonb_typeof(tolerance) = 'object'::text)
);
CREATE INDEX check_setting_newest ON check_setting (organization_id, check_code, number DESC);

-- An issuer is a profile and a mode, at one regime and rate; null where the lines do not say.
CREATE TABLE habit_decision (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  number           bigint GENERATED ALWAYS AS IDENTITY,
  profile_id       text,
  invoice_mode     text,
  tax_regime       text,
  tax_percentage   numeric NOT NULL,
  finding_code     text NOT NULL,
  convention       text NOT NULL,
  decision         text NOT NULL,
  decided_by       uuid NOT NULL,
  decided_by_name  text NOT NULL,
  decided_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, number),
  CHECK (convention ~ '^[a-z_]{1,60}$'::text),
  CHECK (decision = ANY (ARRAY['accepted'::text, 'declined'::text, 'withdrawn'::text])),
  CHECK (finding_code = ANY (ARRAY['total'::text, 'tax'::text])),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX habit_decision_of_connection ON habit_decision (organization_id, connection_id, number);

-- A wish to judge an organization's lines by its rules again: they have changed. Open while `done` is behind `wished`.
CREATE TABLE judging (
  organization_id  uuid NOT NULL,
  wished           bigint NOT NULL DEFAULT 1,
  done             bigint NOT NULL DEFAULT 0,
  wished_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id),
  CONSTRAINT judging_is_behind_its_wish CHECK (done <= wished),
  FOREIGN KEY (organization_id) REFERENCES organization(id)
);

-- Who did what and when (docs/decisions/029-audit.md): append-only, numbered without a gap and chained by hash per organization.
-- The database numbers and chains, so that no process can write an entry anywhere but at the end.
CREATE TABLE audit_head (
  organization_id  uuid NOT NULL,
  number           bigint NOT NULL,
  hash             bytea NOT NULL,
  PRIMARY KEY (organization_id),
  FOREIGN KEY (organization_id) REFERENCES organization(id)
);

CREATE TABLE audit_entry (
  organization_id  uuid NOT NULL,
  number           bigint NOT NULL,
  at               timestamptz NOT NULL,
  actor_kind       text NOT NULL,
  actor_id         uuid,
  actor_name       text NOT NULL,
  network          text,
  action           text NOT NULL,
  subject_kind     text,
  subject_id       text,
  subject_name     text,
  before           text,
  after            text,
  previous_hash    bytea NOT NULL,
  hash             bytea NOT NULL,
  PRIMARY KEY (organization_id, number),
  CHECK (action ~ '^[a-z-]+(\.[a-z-]+)+$'::text),
  CHECK (actor_kind = ANY (ARRAY['person'::text, 'program'::text, 'operator'::text, 'directory'::text])),
  FOREIGN KEY (organization_id) REFERENCES organization(id)
);
CREATE INDEX audit_entry_by_action ON audit_entry (organization_id, action, number DESC);
CREATE INDEX audit_entry_by_actor ON audit_entry (organization_id, actor_name, number DESC);
CREATE INDEX audit_entry_by_subject ON audit_entry (organization_id, subject_kind, number DESC);
CREATE INDEX audit_entry_by_time ON audit_entry (organization_id, at);

-- An open invitation. Only the hash of its link's secret is stored: a stolen dump lets nobody in. Accepting and withdrawing
-- delete the row; the audit keeps what happened.
CREATE TABLE invitation (
  organization_id   uuid NOT NULL,
  id                uuid NOT NULL DEFAULT gen_random_uuid(),
  email             text NOT NULL,
  name              text NOT NULL,
  role              text NOT NULL,
  secret_hash       text NOT NULL,
  invited_by_name   text NOT NULL,
  created_at        timestamptz NOT NULL,
  expires_at        timestamptz NOT NULL,
  mail_wanted_at    timestamptz,
  mail_lease_until  timestamptz,
  mailed_at         timestamptz,
  PRIMARY KEY (organization_id, id),
  CHECK (email = lower(email)),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  CHECK (role = ANY (ARRAY['admin'::text, 'finance'::text, 'viewer'::text]))
);
CREATE UNIQUE INDEX invitation_of_email ON invitation (organization_id, email);
CREATE UNIQUE INDEX invitation_of_secret ON invitation (organization_id, secret_hash);

-- An address that asked for a link. Whether it is anybody's is for the worker to find out: the web server does the same for
-- every address. It belongs to no organization, like sign_in_throttle, and is removed as soon as it is answered.
CREATE TABLE password_wish (
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  address      text NOT NULL,
  network      text,
  asked_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_until  timestamptz,
  PRIMARY KEY (id),
  CHECK (length(address) <= 320)
);

-- A link that sets a password, once. Whoever has the secret may use it, so only its hash is here.
CREATE TABLE password_reset (
  organization_id  uuid NOT NULL,
  secret_hash      text NOT NULL,
  user_id          uuid NOT NULL,
  made_at          timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  mailed_at        timestamptz,
  closed_at        timestamptz,
  PRIMARY KEY (organization_id, secret_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX password_reset_by_secret ON password_reset (secret_hash);
CREATE INDEX password_reset_of_user ON password_reset (organization_id, user_id);

-- An authenticator app (RFC 6238). Its secret is sealed with a key of the web server.
CREATE TABLE authenticator (
  organization_id  uuid NOT NULL,
  user_id          uuid NOT NULL,
  sealed_secret    text NOT NULL,
  created_at       timestamptz NOT NULL,
  confirmed_at     timestamptz,
  last_step        bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE
);

-- Codes to sign in with once, instead of the app's. Keyed hashes.
CREATE TABLE recovery_code (
  organization_id  uuid NOT NULL,
  user_id          uuid NOT NULL,
  code_hash        text NOT NULL,
  created_at       timestamptz NOT NULL,
  used_at          timestamptz,
  PRIMARY KEY (organization_id, user_id, code_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE
);

-- The right password was given, and the second step is still to come: five minutes and five tries.
CREATE TABLE pending_sign_in (
  organization_id  uuid NOT NULL,
  id_hash          text NOT NULL,
  user_id          uuid NOT NULL,
  password_mark    text NOT NULL,
  next             text NOT NULL,
  expires_at       timestamptz NOT NULL,
  tries            smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX pending_sign_in_of_user ON pending_sign_in (organization_id, user_id);

-- Passkeys (WebAuthn). Public keys: nobody can sign in with what is here.
CREATE TABLE passkey (
  organization_id  uuid NOT NULL,
  user_id          uuid NOT NULL,
  credential_id    text NOT NULL,
  public_key       bytea NOT NULL,
  counter          bigint NOT NULL,
  transports       text[] NOT NULL,
  name             text NOT NULL,
  created_at       timestamptz NOT NULL,
  last_used_at     timestamptz,
  PRIMARY KEY (organization_id, user_id, credential_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE
);

-- Challenges that an authenticator has to sign, each once. No organization_id and no policy, like sign_in_throttle: who signs
-- in with a passkey has no organization yet. There is only a hash of random bits, of the cookie or session it was made for, and
-- a keyed hash of the network.
CREATE TABLE passkey_challenge (
  challenge_hash  text NOT NULL,
  purpose         text NOT NULL,
  holder_hash     text NOT NULL,
  network         text NOT NULL,
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (challenge_hash),
  CHECK (purpose = ANY (ARRAY['register'::text, 'sign-in'::text]))
);
CREATE INDEX passkey_challenge_by_network ON passkey_challenge (network, expires_at);
CREATE INDEX passkey_challenge_old ON passkey_challenge (expires_at);

-- Single sign-on by OpenID Connect (docs/decisions/033-single-sign-on.md): one identity provider per organization.
CREATE TABLE single_sign_on (
  organization_id  uuid NOT NULL,
  mode             text NOT NULL DEFAULT 'off',
  issuer           text NOT NULL,
  client_id        text NOT NULL,
  sealed_secret    text,
  auth_method      text NOT NULL,
  role_claim       text NOT NULL,
  admin_values     text[] NOT NULL,
  finance_values   text[] NOT NULL,
  viewer_values    text[] NOT NULL,
  PRIMARY KEY (organization_id),
  CHECK (auth_method = ANY (ARRAY['client_secret_basic'::text, 'client_secret_post'::text, 'none'::text])),
  CONSTRAINT single_sign_on_has_its_secret CHECK ((auth_method = 'none'::text) = (sealed_secret IS NULL)),
  CHECK (mode = ANY (ARRAY['off'::text, 'optional'::text, 'enforced'::text])),
  FOREIGN KEY (organization_id) REFERENCES organization(id)
);

-- Domains of email addresses whose people an organization signs in; one organization each.
CREATE TABLE single_sign_on_domain (
  organization_id  uuid NOT NULL,
  domain           text NOT NULL,
  PRIMARY KEY (organization_id, domain),
  CHECK (domain = lower(domain)),
  FOREIGN KEY (organization_id) REFERENCES single_sign_on(organization_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX single_sign_on_domain_once ON single_sign_on_domain (domain);

-- Answers of the provider that were taken, by the hash of their state: each counts once.
CREATE TABLE single_sign_on_answer (
  organization_id  uuid NOT NULL,
  state_hash       text NOT NULL,
  expires_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, state_hash),
  FOREIGN KEY (organization_id) REFERENCES organization(id)
);

-- Who somebody is: an issuer and what it calls them. Never the email address, which may change hands.
CREATE TABLE user_identity (
  organization_id  uuid NOT NULL,
  issuer           text NOT NULL,
  subject          text NOT NULL,
  user_id          uuid NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, issuer, subject),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX user_identity_of_user ON user_identity (organization_id, user_id);

-- What the directory shows to get in: the secret's hash. A secret is shown once, and never stored.
CREATE TABLE directory_token (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  name             text NOT NULL,
  hash             text NOT NULL,
  created_by_name  text NOT NULL,
  created_at       timestamptz NOT NULL,
  expires_at       timestamptz,
  last_used_at     timestamptz,
  revoked_at       timestamptz,
  PRIMARY KEY (organization_id, id),
  CHECK (hash ~ '^[0-9a-f]{64}$'::text),
  CHECK ((length(name) >= 1) AND (length(name) <= 80)),
  FOREIGN KEY (organization_id) REFERENCES organization(id)
);
CREATE INDEX directory_token_by_hash ON directory_token (hash);

-- The role of people whom the directory puts into no mapped group; null: they may not sign in.
CREATE TABLE directory_setting (
  organization_id  uuid NOT NULL,
  default_role     text,
  PRIMARY KEY (organization_id),
  CHECK (default_role = ANY (ARRAY['viewer'::text, 'finance'::text, 'admin'::text])),
  FOREIGN KEY (organization_id) REFERENCES organization(id)
);

-- A person whom the directory manages: what it said of them. Their address, name, role and whether they may sign in are in app_user.
CREATE TABLE directory_person (
  organization_id  uuid NOT NULL,
  user_id          uuid NOT NULL,
  external_id      text,
  active           boolean NOT NULL,
  is_ended         boolean NOT NULL DEFAULT false,
  attributes       jsonb NOT NULL,
  version          integer NOT NULL DEFAULT 1,
  created_at       timestamptz NOT NULL,
  changed_at       timestamptz NOT NULL,
  removed_at       timestamptz,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX directory_person_external ON directory_person (organization_id, external_id);

CREATE TABLE directory_group (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  display_name     text NOT NULL,
  external_id      text,
  role             text,
  version          integer NOT NULL DEFAULT 1,
  created_at       timestamptz NOT NULL,
  changed_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  CHECK (role = ANY (ARRAY['viewer'::text, 'finance'::text, 'admin'::text]))
);

CREATE TABLE directory_member (
  organization_id  uuid NOT NULL,
  group_id         uuid NOT NULL,
  user_id          uuid NOT NULL,
  PRIMARY KEY (organization_id, group_id, user_id),
  FOREIGN KEY (organization_id, group_id) REFERENCES directory_group(organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES directory_person(organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX directory_member_of_user ON directory_member (organization_id, user_id);

-- How much of a directory's allowance is used, and how often a network sent a token that is none. As sign_in_throttle: no
-- organization, and keyed hashes or ids that reveal nothing.
CREATE TABLE directory_throttle (
  key         text NOT NULL,
  level       double precision NOT NULL,
  counted_at  timestamptz NOT NULL,
  PRIMARY KEY (key)
);
CREATE INDEX directory_throttle_old ON directory_throttle (counted_at);

-- What the lines of an invoice say, in a few bits: the search of a text looks there first, and then only at the lines of the
-- invoices that may have it (docs/decisions/037-words-of-invoices.md). The bits may say too much and never too little. An
-- invoice without a row is one that nobody has looked at yet. The worker looks, when it has read an account
-- (lib/ledger/kept/invoice-words/note-invoice-words.ts).
CREATE TABLE invoice_words (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  serial_number    text NOT NULL,
  version          smallint NOT NULL,
  line_count       integer NOT NULL,
  trigrams         bit(4096) NOT NULL,
  amounts          bit(1024) NOT NULL,
  PRIMARY KEY (organization_id, connection_id, serial_number)
);

-- What a survey adds up of the plainly complete invoices, kept as they come and go: reading one row for each of them was the
-- largest part of a survey, and grew with them (docs/decisions/016-roll-ups.md). A change adds rows, also below zero, and
-- changes none: no transaction waits for another, and what a reader sees adds up. The worker folds them when it has judged.
CREATE TABLE plain_invoice_sum (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  id               bigint GENERATED ALWAYS AS IDENTITY,
  profile_id       text,
  month            text,
  currency         text NOT NULL,
  is_gone          boolean NOT NULL,
  invoice_count    bigint NOT NULL,
  line_count       bigint NOT NULL,
  total            numeric NOT NULL,
  PRIMARY KEY (organization_id, connection_id, id)
);

-- Invoices that were judged and have to be proved (docs/decisions/016-roll-ups.md). A survey then judges neither kind again,
-- nor reads the figures of those that it has proved before: `note` names them as they are. It is drawn at random for each
-- judgment, which goes when anything that it looked at changes, so no two states of an invoice ever have the same.
CREATE TABLE doubtful_invoice (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  serial_number    text NOT NULL,
  note             uuid NOT NULL DEFAULT gen_random_uuid(),
  PRIMARY KEY (organization_id, connection_id, serial_number)
);

-- An organization sees its own rows; sign-in and the worker's dispatcher see all. The rows of these tables are of no organization:
-- moves that are allowed, the platform's hosts, canaries of keys, and what is counted or asked for before it is known who somebody is.
DO $$
DECLARE each record;
BEGIN
  FOR each IN
    SELECT c.relname AS name, CASE c.relname WHEN 'organization' THEN 'id' ELSE 'organization_id' END AS owner
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname NOT IN (
      '_prisma_migrations', 'connection_transition', 'directory_throttle', 'partner_host', 'passkey_challenge', 'password_wish',
      'sign_in_throttle', 'token_key_canary')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each.name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each.name);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (%I = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each.name, each.owner);
  END LOOP;
END $$;
