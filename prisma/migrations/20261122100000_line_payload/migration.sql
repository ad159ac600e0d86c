SELECT set_config('tieout.scope', 'system', true);

-- The record of a line as it was sent, apart from what is computed with: a list, a sum or a file reads a million lines
-- without reading a gigabyte of texts. Written in the transaction of its line; the panel, the history and a proof by new
-- rules read it.
CREATE TABLE line_payload (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  line_id          text NOT NULL,
  -- json, not jsonb: the record byte for byte
  raw              json NOT NULL,
  PRIMARY KEY (organization_id, connection_id, line_id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);
-- Compressed from 256 bytes on, and not from 2 kB: a record has about one.
ALTER TABLE line_payload SET (toast_tuple_target = 256);

-- lz4 opens a record in a fraction of the time; a server that was built without it keeps its own way.
DO $$
BEGIN
  ALTER TABLE line_payload ALTER COLUMN raw SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN
  NULL;
END $$;

INSERT INTO line_payload (organization_id, connection_id, line_id, raw)
SELECT organization_id, connection_id, id, raw FROM line ORDER BY organization_id, connection_id, id;

-- A changed line's record is still the earlier one when this runs: the payload follows in a statement of its own.
CREATE OR REPLACE FUNCTION keep_line_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO line_version (organization_id, connection_id, line_id, invoice_serial_number, valid_from, valid_until, run_id,
                            content_hash, currency, total_amount, next_currency, next_total_amount, raw)
  VALUES (old.organization_id, old.connection_id, old.id, new.invoice_serial_number, old.changed_at, now(),
          nullif(current_setting('tieout.run_id', true), '')::uuid,
          old.content_hash, old.currency, old.total_amount, new.currency, new.total_amount,
          (SELECT raw FROM line_payload p
           WHERE p.organization_id = old.organization_id AND p.connection_id = old.connection_id AND p.line_id = old.id));
  RETURN NULL;
END $$;

ALTER TABLE line DROP COLUMN raw;
-- Writes the table anew: without the dropped column's gigabytes, in the order in which lists show it.
CLUSTER line USING line_by_expense_date;
ALTER TABLE line SET WITHOUT CLUSTER;
ANALYZE line, line_payload;

ALTER TABLE line_payload ENABLE ROW LEVEL SECURITY;
ALTER TABLE line_payload FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON line_payload
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');
