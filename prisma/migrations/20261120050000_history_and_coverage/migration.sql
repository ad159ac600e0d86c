-- History: what a line or an invoice said before the platform changed it. Written by a trigger in the transaction of the
-- change, whatever statement makes it (docs/decisions/007-history-by-trigger.md).
CREATE TABLE line_version (
  organization_id        uuid NOT NULL,
  id                     bigint GENERATED ALWAYS AS IDENTITY,
  connection_id          uuid NOT NULL,
  line_id                text NOT NULL,
  -- under which invoice the change is listed: that of the version that followed
  invoice_serial_number  text NOT NULL,
  valid_from             timestamptz NOT NULL,
  valid_until            timestamptz NOT NULL,
  -- the run that saw the change; null when none did
  run_id                 uuid,
  content_hash           text NOT NULL,
  -- the money effect of the change, so that a list of changes adds up without reading a payload
  currency               text NOT NULL,
  total_amount           numeric NOT NULL,
  next_currency          text NOT NULL,
  next_total_amount      numeric NOT NULL,
  raw                    json NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX line_version_of_line ON line_version (organization_id, connection_id, line_id, id);
CREATE INDEX line_version_of_invoice ON line_version (organization_id, connection_id, invoice_serial_number);
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
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX invoice_version_of_invoice ON invoice_version (organization_id, connection_id, invoice_serial_number, id);
CREATE INDEX invoice_version_recent ON invoice_version (organization_id, valid_until);

-- The run is named by the transaction: set_config('tieout.run_id', '<uuid>', true).
CREATE FUNCTION keep_line_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO line_version (organization_id, connection_id, line_id, invoice_serial_number, valid_from, valid_until, run_id,
                            content_hash, currency, total_amount, next_currency, next_total_amount, raw)
  VALUES (old.organization_id, old.connection_id, old.id, new.invoice_serial_number, old.changed_at, now(),
          nullif(current_setting('tieout.run_id', true), '')::uuid,
          old.content_hash, old.currency, old.total_amount, new.currency, new.total_amount, old.raw);
  RETURN NULL;
END $$;

CREATE FUNCTION keep_invoice_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO invoice_version (organization_id, connection_id, invoice_serial_number, valid_from, valid_until, run_id,
                               content_hash, currency, total, next_currency, next_total, raw)
  VALUES (old.organization_id, old.connection_id, old.serial_number, old.changed_at, now(),
          nullif(current_setting('tieout.run_id', true), '')::uuid,
          old.content_hash, old.currency, old.total, new.currency, new.total, old.raw);
  RETURN NULL;
END $$;

-- For each row, with a condition: a statement that changes no content (an unchanged page, a new proof version, a mark) never
-- enters a function.
CREATE TRIGGER keep_version AFTER UPDATE ON line FOR EACH ROW
  WHEN (old.content_hash IS DISTINCT FROM new.content_hash) EXECUTE FUNCTION keep_line_version();
CREATE TRIGGER keep_version AFTER UPDATE ON invoice FOR EACH ROW
  WHEN (old.content_hash IS DISTINCT FROM new.content_hash) EXECUTE FUNCTION keep_invoice_version();

-- How many lines an invoice says it has, where it says so: its list of lines comes whole or with a count of its own. Kept
-- apart because the payload of a long invoice is expensive to open again for every proof of completeness.
ALTER TABLE invoice ADD COLUMN stated_line_count integer GENERATED ALWAYS AS (
  CASE json_typeof(raw -> 'lines')
    WHEN 'array' THEN json_array_length(raw -> 'lines')
    WHEN 'object' THEN CASE WHEN raw -> 'lines' ->> 'total' ~ '^[0-9]{1,9}$' THEN (raw -> 'lines' ->> 'total')::integer END
  END) STORED;

-- Drift of the interface: where an account's records differ from the shape this program was written for. One row per path
-- and deviation; counts are of records, per run.
CREATE TABLE interface_drift (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  list             text NOT NULL CHECK (list IN ('profiles', 'invoices', 'lines')),
  path             text NOT NULL,
  -- key: a member that is not known; type: a known member of another type; value: a new value of an enumeration
  kind             text NOT NULL CHECK (kind IN ('key', 'type', 'value')),
  -- the type that was seen, or the value
  detail           text NOT NULL,
  example          text NOT NULL,
  first_seen_at    timestamptz NOT NULL DEFAULT now(),
  last_seen_at     timestamptz NOT NULL DEFAULT now(),
  first_run_id     uuid NOT NULL,
  last_run_id      uuid NOT NULL,
  -- in how many records of the last run it was seen, so far as counted at last_seen_at
  record_count     bigint NOT NULL,
  PRIMARY KEY (organization_id, connection_id, list, path, kind, detail),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['line_version', 'invoice_version', 'interface_drift']
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
