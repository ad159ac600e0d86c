-- The text of a line's record, byte for byte as before, is no longer checked to be JSON each time it is written: the worker has
-- parsed it (docs/decisions/014-a-large-ledger.md). Writes the table anew, and keeps lz4 where the server has it.
DO $$
BEGIN
  ALTER TABLE line_payload ALTER COLUMN raw TYPE text USING raw::text, ALTER COLUMN raw SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN
  ALTER TABLE line_payload ALTER COLUMN raw TYPE text USING raw::text;
END $$;

-- What a line was stays JSON: a version is written when a line changes, and seldom.
CREATE OR REPLACE FUNCTION keep_line_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO line_version (organization_id, connection_id, line_id, invoice_serial_number, valid_from, valid_until, run_id,
                            content_hash, currency, total_amount, next_currency, next_total_amount, raw)
  VALUES (old.organization_id, old.connection_id, old.id, new.invoice_serial_number, old.changed_at, now(),
          nullif(current_setting('tieout.run_id', true), '')::uuid,
          old.content_hash, old.currency, old.total_amount, new.currency, new.total_amount,
          (SELECT raw::json FROM line_payload p
           WHERE p.organization_id = old.organization_id AND p.connection_id = old.connection_id AND p.line_id = old.id));
  RETURN NULL;
END $$;
