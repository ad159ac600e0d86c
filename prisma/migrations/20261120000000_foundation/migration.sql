-- The organization is the tenant: its id is the first column of every key, and row-level security stands behind
-- every query. A transaction says whose rows it may see:
--   set_config('tieout.organization_id', '<uuid>', true)   one organization
--   set_config('tieout.scope', 'system', true)              sign-in and the worker's dispatcher only
CREATE TABLE organization (
  id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name        text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE app_user (
  organization_id  uuid NOT NULL REFERENCES organization,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  email            text NOT NULL CHECK (email = lower(email)),
  name             text NOT NULL,
  role             text NOT NULL CHECK (role IN ('admin', 'finance', 'viewer')),
  password_hash    text,
  created_at       timestamptz NOT NULL DEFAULT now(),
  disabled_at      timestamptz,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX app_user_email ON app_user (email);

-- A signed-in browser. Only the hash of its secret is stored: a stolen dump signs nobody in.
CREATE TABLE user_session (
  organization_id  uuid NOT NULL,
  id_hash          text NOT NULL,
  user_id          uuid NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  last_seen_at     timestamptz NOT NULL DEFAULT now(),
  expires_at       timestamptz NOT NULL,
  ended_at         timestamptz,
  PRIMARY KEY (organization_id, id_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user (organization_id, id) ON DELETE CASCADE
);

CREATE TABLE connection (
  organization_id  uuid NOT NULL REFERENCES organization,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  name             text,
  state            text NOT NULL DEFAULT 'pending'
                   CHECK (state IN ('pending', 'active', 'refreshing', 'needs_reconnect', 'disconnecting', 'disconnected')),
  state_cause      text,
  scopes_asked     text NOT NULL,
  scopes_granted   text,
  created_by       uuid NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  connected_at     timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, created_by) REFERENCES app_user (organization_id, id)
);

-- The one place where tokens are: sealed (JWE) to the worker's key, bound to connection and generation.
CREATE TABLE connection_credential (
  organization_id     uuid NOT NULL,
  connection_id       uuid NOT NULL,
  generation          integer NOT NULL CHECK (generation > 0),
  sealed_tokens       text NOT NULL,
  key_id              text NOT NULL,
  obtained_at         timestamptz NOT NULL,
  access_expires_at   timestamptz NOT NULL,
  refresh_expires_at  timestamptz NOT NULL,
  lease_owner         text,
  lease_until         timestamptz,
  PRIMARY KEY (organization_id, connection_id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);

-- Written and committed before each refresh request, so that a crash leaves a trace.
CREATE TABLE refresh_attempt (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id    uuid NOT NULL,
  generation       integer NOT NULL,
  started_at       timestamptz NOT NULL DEFAULT now(),
  finished_at      timestamptz,
  outcome          text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX refresh_attempt_connection ON refresh_attempt (organization_id, connection_id, started_at DESC);

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
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX connect_intent_id_hash ON connect_intent (id_hash);

CREATE TABLE sync_run (
  organization_id    uuid NOT NULL,
  id                 uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id      uuid NOT NULL,
  trigger            text NOT NULL CHECK (trigger IN ('connect', 'manual', 'schedule')),
  status             text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
  phase              text CHECK (phase IN ('profiles', 'invoices', 'lines')),
  requested_by       uuid,
  requested_at       timestamptz NOT NULL DEFAULT now(),
  started_at         timestamptz,
  finished_at        timestamptz,
  -- the worker that holds the run; a page is committed only while its fence is the current one
  fence              bigint NOT NULL DEFAULT 0,
  lease_until        timestamptz,
  -- where the current phase goes on: which reading of its list (a list that moved is read again), next record offset
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
  -- how often the run was taken up since its last committed page
  attempts           integer NOT NULL DEFAULT 0,
  error_code         text,
  error_text         text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT sync_run_adds_up CHECK (profiles_received + invoices_received + lines_received
                                     = inserted + updated + unchanged + duplicate + rejected)
);
-- one sync per connection at a time: a second wish joins the first
CREATE UNIQUE INDEX sync_run_one_at_a_time ON sync_run (organization_id, connection_id) WHERE status IN ('queued', 'running');
CREATE INDEX sync_run_recent ON sync_run (organization_id, connection_id, requested_at DESC);

-- The page ledger: one row per committed page, in the same transaction as its rows.
CREATE TABLE sync_page (
  organization_id  uuid NOT NULL,
  run_id           uuid NOT NULL,
  list             text NOT NULL CHECK (list IN ('profiles', 'invoices', 'lines')),
  pass             integer NOT NULL,
  page_offset      integer NOT NULL,
  reported_total   integer,
  received         integer NOT NULL,
  inserted         integer NOT NULL,
  updated          integer NOT NULL,
  unchanged        integer NOT NULL,
  duplicate        integer NOT NULL,
  rejected         integer NOT NULL,
  -- first 64 bits of the SHA-256 of each key on the page: what this run has seen, for duplicates across pages
  key_hashes       bigint[] NOT NULL,
  committed_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, run_id, list, pass, page_offset),
  FOREIGN KEY (organization_id, run_id) REFERENCES sync_run (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT sync_page_adds_up CHECK (received = inserted + updated + unchanged + duplicate + rejected)
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
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);

CREATE TABLE invoice (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  serial_number    text NOT NULL,
  profile_id       text,
  profile_name     text,
  legal_name       text,
  mode             text,
  status           text,
  issuing_date     date,
  due_date         date,
  from_date        date,
  to_date          date,
  billing_period   text,
  currency         text NOT NULL,
  total            numeric NOT NULL,
  credit_used      numeric,
  taxes_summary    json NOT NULL DEFAULT '[]',
  reference        text,
  raw              json NOT NULL,
  content_hash     text NOT NULL,
  first_seen_at    timestamptz NOT NULL DEFAULT now(),
  changed_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, connection_id, serial_number),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX invoice_issued ON invoice (organization_id, issuing_date DESC, serial_number);

-- numeric keeps the scale at which a figure was stated; raw (json, not jsonb) keeps the record byte for byte.
CREATE TABLE line (
  organization_id           uuid NOT NULL,
  connection_id             uuid NOT NULL,
  id                        text NOT NULL,
  invoice_serial_number     text NOT NULL,
  profile_id                text,
  profile_name              text,
  invoice_mode              text,
  invoice_status            text,
  issuing_date              date,
  due_date                  date,
  currency                  text NOT NULL,
  expense_date              date NOT NULL,
  description               text NOT NULL,
  quantity                  numeric NOT NULL,
  unit_price                numeric NOT NULL,
  non_taxable_unit_price    numeric NOT NULL,
  tax_percentage            numeric NOT NULL,
  tax_amount                numeric NOT NULL,
  tax_regime                text,
  total_amount              numeric NOT NULL,
  trip_id                   text,
  trip_name                 text,
  service                   text,
  related_vertical          text,
  cost_center               text,
  start_date                date,
  end_date                  date,
  credit_card_last_4_digits text,
  labels                    text[] NOT NULL DEFAULT '{}',
  out_of_policy             boolean,
  vendor_code               text,
  vendor_name               text,
  traveler_names            text[] NOT NULL DEFAULT '{}',
  booker_name               text,
  include_breakfast         boolean,
  raw                       json NOT NULL,
  content_hash              text NOT NULL,
  -- the proof, recomputable from the columns above (lib/reconcile/line-proof.ts)
  proof_version             smallint NOT NULL,
  expected_total_amount     numeric NOT NULL,
  difference                numeric NOT NULL,
  expected_tax_amount       numeric NOT NULL,
  tax_difference            numeric NOT NULL,
  finding_codes             text[] NOT NULL DEFAULT '{}',
  finding_count             smallint NOT NULL GENERATED ALWAYS AS (cardinality(finding_codes)) STORED,
  note_codes                text[] NOT NULL DEFAULT '{}',
  first_seen_at             timestamptz NOT NULL DEFAULT now(),
  changed_at                timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, connection_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX line_by_expense_date ON line (organization_id, expense_date DESC, connection_id, id);
-- not connection_id second: beside the key (organization_id, connection_id, id), a planner without statistics would then
-- look lines up by this index and read the whole connection for each
CREATE INDEX line_by_invoice ON line (organization_id, invoice_serial_number, connection_id);
CREATE INDEX line_by_trip ON line (organization_id, trip_id);
CREATE INDEX line_with_finding ON line (organization_id, expense_date DESC) WHERE finding_count > 0;

-- A record that could not be parsed: kept as it came, counted everywhere, read again after an upgrade.
CREATE TABLE rejected_line (
  organization_id        uuid NOT NULL,
  connection_id          uuid NOT NULL,
  list                   text NOT NULL CHECK (list IN ('profiles', 'invoices', 'lines')),
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
  PRIMARY KEY (organization_id, connection_id, list, raw_hash),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['app_user', 'user_session', 'connection', 'connection_credential', 'refresh_attempt',
    'connect_intent', 'sync_run', 'sync_page', 'profile', 'invoice', 'line', 'rejected_line']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, tenant_table);
  END LOOP;
  ALTER TABLE organization ENABLE ROW LEVEL SECURITY;
  ALTER TABLE organization FORCE ROW LEVEL SECURITY;
  CREATE POLICY organization_only ON organization
    USING (id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
           OR (SELECT current_setting('tieout.scope', true)) = 'system');
END $$;
