-- Refresh protocol: what each call came to and when the next may be made, answers kept for a later version to read,
-- warnings before a link runs out, what operators have to know, and a canary per key that seals tokens.

ALTER TABLE refresh_attempt
  ADD COLUMN reason           text,
  -- no call for the same generation before this moment of the database's clock (Retry-After, back-off)
  ADD COLUMN next_attempt_at  timestamptz,
  -- an answer of 2xx that this version could not read, sealed to the worker's key: the tokens may be in it
  ADD COLUMN sealed_answer    text,
  ADD COLUMN answer_key_id    text,
  ADD CONSTRAINT refresh_attempt_answer_is_whole CHECK ((sealed_answer IS NULL) = (answer_key_id IS NULL));
CREATE INDEX refresh_attempt_generation ON refresh_attempt (organization_id, connection_id, generation);
CREATE INDEX refresh_attempt_kept_answer ON refresh_attempt (answer_key_id) WHERE sealed_answer IS NOT NULL;
CREATE INDEX connection_credential_expiry ON connection_credential (refresh_expires_at);

-- One row per refresh token and threshold: a warning is given once, however many workers look.
CREATE TABLE connection_warning (
  organization_id     uuid NOT NULL,
  connection_id       uuid NOT NULL,
  refresh_expires_at  timestamptz NOT NULL,
  days_left           integer NOT NULL CHECK (days_left IN (7, 3, 1)),
  warned_at           timestamptz NOT NULL DEFAULT now(),
  -- null while no mail has gone out; a worker that is sending it holds mail_lease_until
  mailed_at           timestamptz,
  mail_lease_until    timestamptz,
  PRIMARY KEY (organization_id, connection_id, refresh_expires_at, days_left),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);

-- What whoever runs the program has to know or do; kept until it is settled. subject is a connection's id, or empty.
CREATE TABLE operator_notice (
  organization_id  uuid NOT NULL REFERENCES organization,
  kind             text NOT NULL CHECK (kind IN ('client_refused', 'no_refresh_token', 'answer_unreadable', 'token_unreadable')),
  subject          text NOT NULL DEFAULT '',
  detail           text NOT NULL,
  occurrences      integer NOT NULL DEFAULT 1,
  first_seen_at    timestamptz NOT NULL DEFAULT now(),
  last_seen_at     timestamptz NOT NULL DEFAULT now(),
  resolved_at      timestamptz,
  PRIMARY KEY (organization_id, kind, subject)
);

-- A sealed word per key: a worker that cannot open one of them has lost a key and does not start. Retiring a key
-- removes its row. It belongs to no organization and holds no secret.
CREATE TABLE token_key_canary (
  key_id      text PRIMARY KEY,
  sealed      text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['connection_warning', 'operator_notice']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, tenant_table);
  END LOOP;
END $$;
