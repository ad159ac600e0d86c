-- Certification rules and their trials (docs/decisions/066-certification-rules.md).
SELECT set_config('tieout.scope', 'system', true);

ALTER TABLE organization
  -- whether a rule may approve what somebody else prepared
  ADD COLUMN rules_approve boolean NOT NULL DEFAULT false;

CREATE TABLE certification_rule (
  organization_id  uuid NOT NULL REFERENCES organization(id),
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  name             text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
  made_by          uuid NOT NULL,
  made_by_name     text NOT NULL,
  at               timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, id)
);

-- What a rule asks and does. Nobody changes one; who made it owns what it does.
CREATE TABLE rule_version (
  organization_id  uuid NOT NULL,
  rule_id          uuid NOT NULL,
  version          integer NOT NULL,
  verb             text NOT NULL CHECK (verb IN ('accept', 'prepare', 'approve')),
  conditions       text[] NOT NULL,
  -- by currency, as text
  limits           jsonb NOT NULL CHECK (jsonb_typeof(limits) = 'object'),
  -- percent that stays for people, and what decides with an id
  share            numeric NOT NULL CHECK (share BETWEEN 0 AND 100),
  seed             text NOT NULL CHECK (seed ~ '^[0-9a-f]{32}$'),
  months_left_out  integer[] NOT NULL,
  active_from      date NOT NULL,
  made_by          uuid NOT NULL,
  made_by_name     text NOT NULL,
  at               timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, rule_id, version),
  FOREIGN KEY (organization_id, rule_id) REFERENCES certification_rule(organization_id, id)
);

-- A version, replayed over the stored history of the invoices issued in some months. The worker writes the figures once.
CREATE TABLE rule_trial (
  organization_id  uuid NOT NULL,
  number           bigint GENERATED ALWAYS AS IDENTITY,
  rule_id          uuid NOT NULL,
  version          integer NOT NULL,
  first_month      date NOT NULL CHECK (extract(day FROM first_month) = 1),
  last_month       date NOT NULL CHECK (extract(day FROM last_month) = 1),
  asked_by         uuid NOT NULL,
  asked_by_name    text NOT NULL,
  asked_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- a worker replays it until then; so many have begun
  lease_until      timestamptz,
  tries            smallint NOT NULL DEFAULT 0,
  done_at          timestamptz,
  -- given up
  failed_at        timestamptz,
  -- {lineCount, invoiceCount, wholeCount, totals, later: {lineCount, changed, disputed, money}, failed: [{condition, lineCount}]}
  figures          json,
  PRIMARY KEY (organization_id, number),
  FOREIGN KEY (organization_id, rule_id, version) REFERENCES rule_version(organization_id, rule_id, version),
  CHECK (last_month >= first_month),
  CHECK ((done_at IS NULL) = (figures IS NULL)),
  CHECK (done_at IS NULL OR failed_at IS NULL)
);
CREATE INDEX rule_trial_of_rule ON rule_trial (organization_id, rule_id, version);
CREATE INDEX rule_trial_open ON rule_trial (organization_id, number) WHERE (done_at IS NULL AND failed_at IS NULL);

-- The lines that it would have accepted, invoice by invoice. `later_ids`: those of them that changed or were disputed later.
CREATE TABLE rule_trial_part (
  organization_id        uuid NOT NULL,
  trial                  bigint NOT NULL,
  connection_id          uuid NOT NULL,
  invoice_serial_number  text NOT NULL,
  line_ids               text[] NOT NULL,
  later_ids              text[] NOT NULL,
  is_whole               boolean NOT NULL,
  PRIMARY KEY (organization_id, trial, connection_id, invoice_serial_number),
  FOREIGN KEY (organization_id, trial) REFERENCES rule_trial(organization_id, number)
);

-- Which version of a rule counts; null: none. The newest row says it.
CREATE TABLE rule_switch (
  organization_id  uuid NOT NULL,
  number           bigint GENERATED ALWAYS AS IDENTITY,
  rule_id          uuid NOT NULL,
  version          integer,
  -- the trial of that very version
  trial            bigint,
  actor_id         uuid NOT NULL,
  actor_name       text NOT NULL,
  at               timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, number),
  FOREIGN KEY (organization_id, rule_id, version) REFERENCES rule_version(organization_id, rule_id, version),
  FOREIGN KEY (organization_id, rule_id) REFERENCES certification_rule(organization_id, id),
  FOREIGN KEY (organization_id, trial) REFERENCES rule_trial(organization_id, number),
  CHECK ((version IS NULL) = (trial IS NULL))
);
CREATE INDEX rule_switch_of_rule ON rule_switch (organization_id, rule_id, number);

-- How far a version is in an account: the end of the last sync that it judged, and what it left for people then.
CREATE TABLE rule_turn (
  organization_id  uuid NOT NULL,
  rule_id          uuid NOT NULL,
  version          integer NOT NULL,
  connection_id    uuid NOT NULL,
  moment           timestamptz NOT NULL,
  failed           json NOT NULL,
  refused          json NOT NULL,
  at               timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, rule_id, version, connection_id),
  FOREIGN KEY (organization_id, rule_id, version) REFERENCES rule_version(organization_id, rule_id, version),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);

DO $$
DECLARE each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['certification_rule', 'rule_version', 'rule_trial', 'rule_trial_part', 'rule_switch', 'rule_turn'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each);
  END LOOP;
END $$;

-- Which version of which rule decided or signed; its owner is the actor.
ALTER TABLE decision ADD COLUMN rule_id uuid, ADD COLUMN rule_version integer,
  ADD CHECK ((rule_id IS NULL) = (rule_version IS NULL)),
  ADD FOREIGN KEY (organization_id, rule_id, rule_version) REFERENCES rule_version(organization_id, rule_id, version);
CREATE INDEX decision_of_rule ON decision (organization_id, rule_id) WHERE (rule_id IS NOT NULL);
ALTER TABLE sign_off ADD COLUMN rule_id uuid, ADD COLUMN rule_version integer,
  ADD CHECK ((rule_id IS NULL) = (rule_version IS NULL)),
  ADD FOREIGN KEY (organization_id, rule_id, rule_version) REFERENCES rule_version(organization_id, rule_id, version);
CREATE INDEX sign_off_of_rule ON sign_off (organization_id, rule_id) WHERE (rule_id IS NOT NULL);

-- What a rule has to know of a past line; null: from before it was kept. `seen`: review_hash without what stands beside it.
ALTER TABLE line_past
  ADD COLUMN invoice_serial_number text,
  ADD COLUMN invoice_mode          text,
  ADD COLUMN tax_regime            text,
  ADD COLUMN tax_percentage        numeric,
  ADD COLUMN tax_amount            numeric,
  ADD COLUMN vendor_name           text,
  ADD COLUMN seen                  bytea;
CREATE INDEX line_past_of_invoice ON line_past (organization_id, connection_id, invoice_serial_number)
  WHERE (invoice_serial_number IS NOT NULL);

-- The same of a past invoice; `taxes_summary` null: from before it was kept.
ALTER TABLE invoice_version
  ADD COLUMN profile_id         text,
  ADD COLUMN issuing_date       date,
  ADD COLUMN credit_used        numeric,
  ADD COLUMN stated_line_count  integer,
  ADD COLUMN taxes_summary      json;
