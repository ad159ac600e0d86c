-- Sign-offs, locks, and what changes after them (docs/decisions/062-sign-off.md). A scope is an invoice, or a month of issue of
-- a profile or of an account; a month is its first day.

ALTER TABLE organization
  -- who prepared a sign-off may not approve it
  ADD COLUMN four_eyes boolean NOT NULL DEFAULT true;

-- Somebody prepared or approved a scope, as it was seen. Nobody changes one; `ended_at` follows its end.
CREATE TABLE sign_off (
  organization_id        uuid NOT NULL REFERENCES organization(id),
  id                     uuid NOT NULL DEFAULT gen_random_uuid(),
  scope_kind             text NOT NULL CHECK (scope_kind IN ('invoice', 'profile_month', 'connection_month')),
  connection_id          uuid NOT NULL,
  profile_id             text,
  month                  date CHECK (extract(day FROM month) = 1),
  invoice_serial_number  text,
  -- one more whenever its period was opened again
  generation             integer NOT NULL,
  step                   text NOT NULL CHECK (step IN ('prepared', 'approved')),
  -- the person; of a rule or a key, its owner
  actor_kind             text NOT NULL,
  actor_id               uuid NOT NULL,
  actor_name             text NOT NULL,
  actor_role             text NOT NULL,
  at                     timestamptz NOT NULL DEFAULT clock_timestamp(),
  seal                   bytea NOT NULL CHECK (octet_length(seal) = 32),
  line_count             bigint NOT NULL,
  invoice_count          bigint NOT NULL,
  -- lines that the platform has, by currency: [{currency, lineCount, total}]
  totals                 json NOT NULL,
  -- what was accepted undecided, with why: [{currency, amount, reason, note, by}]
  residuals              json NOT NULL DEFAULT '[]',
  -- versions that the seal has: of the proof, of the newest check, of the account's newest habit
  proof_version          smallint NOT NULL,
  checks_number          bigint NOT NULL,
  habits_number          bigint NOT NULL,
  rule                   text,
  -- the sync that was under way, as the signer was told
  running_run            uuid,
  ended_at               timestamptz,
  PRIMARY KEY (organization_id, id),
  CHECK ((scope_kind = 'invoice') = (invoice_serial_number IS NOT NULL)),
  CHECK ((scope_kind = 'invoice') = (month IS NULL)),
  CHECK ((scope_kind = 'profile_month') = (profile_id IS NOT NULL))
);
-- one at a time of each step
CREATE UNIQUE INDEX sign_off_of_invoice ON sign_off (organization_id, connection_id, invoice_serial_number, step)
  WHERE (ended_at IS NULL AND invoice_serial_number IS NOT NULL);
CREATE UNIQUE INDEX sign_off_of_profile ON sign_off (organization_id, connection_id, month, profile_id, step)
  WHERE (ended_at IS NULL AND profile_id IS NOT NULL);
CREATE UNIQUE INDEX sign_off_of_account ON sign_off (organization_id, connection_id, month, step)
  WHERE (ended_at IS NULL AND profile_id IS NULL AND month IS NOT NULL);
CREATE INDEX sign_off_standing ON sign_off (organization_id, connection_id) WHERE (ended_at IS NULL);
CREATE INDEX sign_off_of_scope ON sign_off (organization_id, connection_id, month, invoice_serial_number);

-- Why a sign-off no longer stands. Nobody changes one.
CREATE TABLE sign_off_end (
  organization_id        uuid NOT NULL,
  sign_off_id            uuid NOT NULL,
  cause                  text NOT NULL CHECK (cause IN ('changed', 'gone', 'back', 'new_line', 'proof', 'checks', 'decided', 'compared',
                                                        'invoice', 'withdrawn', 'superseded')),
  at                     timestamptz NOT NULL DEFAULT clock_timestamp(),
  run_id                 uuid,
  connection_id          uuid NOT NULL,
  -- the first that changed: an invoice, and a line where it was one
  invoice_serial_number  text,
  line_id                text,
  -- how many changed in that statement
  change_count           bigint NOT NULL DEFAULT 0,
  -- of the first: {currency, amount}; null where there was nothing
  before                 json,
  after                  json,
  -- of all of them, by currency: [{currency, amount}]
  moved                  json NOT NULL DEFAULT '[]',
  -- who did it; null: the platform, a rule, or what follows from them
  actor_kind             text,
  actor_id               uuid,
  actor_name             text,
  note                   text,
  PRIMARY KEY (organization_id, sign_off_id),
  FOREIGN KEY (organization_id, sign_off_id) REFERENCES sign_off(organization_id, id)
);
CREATE INDEX sign_off_end_of_account ON sign_off_end (organization_id, connection_id, at);

-- An approved month in which nobody decides any more. Opened again once, it stays as it was.
CREATE TABLE period_lock (
  organization_id   uuid NOT NULL REFERENCES organization(id),
  number            bigint GENERATED ALWAYS AS IDENTITY,
  scope_kind        text NOT NULL CHECK (scope_kind IN ('profile_month', 'connection_month')),
  connection_id     uuid NOT NULL,
  profile_id        text,
  month             date NOT NULL CHECK (extract(day FROM month) = 1),
  generation        integer NOT NULL,
  -- the approval that it stands on
  sign_off_id       uuid NOT NULL,
  actor_kind        text NOT NULL,
  actor_id          uuid NOT NULL,
  actor_name        text NOT NULL,
  at                timestamptz NOT NULL DEFAULT clock_timestamp(),
  reopened_at       timestamptz,
  reopened_by       uuid,
  reopened_by_name  text,
  reopen_reason     text,
  PRIMARY KEY (organization_id, number),
  FOREIGN KEY (organization_id, sign_off_id) REFERENCES sign_off(organization_id, id),
  CHECK ((scope_kind = 'profile_month') = (profile_id IS NOT NULL)),
  CHECK (num_nonnulls(reopened_at, reopened_by, reopened_by_name, reopen_reason) IN (0, 4))
);
CREATE UNIQUE INDEX period_lock_of_profile ON period_lock (organization_id, connection_id, month, profile_id)
  WHERE (reopened_at IS NULL AND profile_id IS NOT NULL);
CREATE UNIQUE INDEX period_lock_of_account ON period_lock (organization_id, connection_id, month)
  WHERE (reopened_at IS NULL AND profile_id IS NULL);
CREATE INDEX period_lock_of_scope ON period_lock (organization_id, connection_id, month);
CREATE INDEX period_lock_of_sign_off ON period_lock (organization_id, sign_off_id);

-- One person may decide in a locked period, until a moment. It may end before.
CREATE TABLE lock_exception (
  organization_id   uuid NOT NULL,
  id                uuid NOT NULL DEFAULT gen_random_uuid(),
  lock_number       bigint NOT NULL,
  person_id         uuid NOT NULL,
  person_name       text NOT NULL,
  until             timestamptz NOT NULL,
  reason            text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 2000),
  granted_by        uuid NOT NULL,
  granted_by_name   text NOT NULL,
  at                timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at          timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, lock_number) REFERENCES period_lock(organization_id, number),
  CHECK (until > at)
);
CREATE INDEX lock_exception_of_lock ON lock_exception (organization_id, lock_number);

-- What changed in a locked period. Amounts are of lines that the platform had before and has after, so that they add up to the
-- difference between what was signed and what is there now. Nobody changes one.
CREATE TABLE drift (
  organization_id        uuid NOT NULL,
  id                     uuid NOT NULL DEFAULT gen_random_uuid(),
  lock_number            bigint NOT NULL,
  connection_id          uuid NOT NULL,
  -- null: a check or a habit, which is about all of them
  invoice_serial_number  text,
  line_id                text,
  cause                  text NOT NULL CHECK (cause IN ('changed', 'gone', 'back', 'new_line', 'proof', 'checks', 'compared', 'invoice')),
  at                     timestamptz NOT NULL DEFAULT clock_timestamp(),
  run_id                 uuid,
  currency_before        text,
  amount_before          numeric,
  currency_after         text,
  amount_after           numeric,
  -- content hashes of the record before and after
  before_hash            text,
  after_hash             text,
  -- the next month after the lock's that was open
  booked_in              date NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, lock_number) REFERENCES period_lock(organization_id, number),
  CHECK ((currency_before IS NULL) = (amount_before IS NULL)),
  CHECK ((currency_after IS NULL) = (amount_after IS NULL))
);
CREATE INDEX drift_of_lock ON drift (organization_id, lock_number, at);
CREATE INDEX drift_booked_in ON drift (organization_id, connection_id, booked_in);

DO $$
DECLARE each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['sign_off', 'sign_off_end', 'period_lock', 'lock_exception', 'drift'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each);
  END LOOP;
END $$;
