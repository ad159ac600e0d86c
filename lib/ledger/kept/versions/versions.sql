-- Versions: what a line or an invoice was before it changed (docs/decisions/007-history-by-trigger.md).
-- Made from:     the row before each change that the platform made, and its record.
-- Kept by:       the triggers here, in the transaction that writes the change.
-- Taken back by: nothing: history stays until the account's data is deleted.
-- Read by:       lib/ledger/history: the list of changes, the bridge, a line's history; lib/ledger/certify: what a rule knew.
-- Compared by:   lib/ledger/history tests, with a sandbox that remembers what it sent.

-- What a line was stays JSON: a version is written when a line changes, and seldom.
CREATE FUNCTION keep_line_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  raw_before json;
BEGIN
  SELECT raw::json INTO raw_before FROM line_payload p
  WHERE p.organization_id = old.organization_id AND p.connection_id = old.connection_id AND p.line_id = old.id;
  INSERT INTO line_version (organization_id, connection_id, line_id, invoice_serial_number, valid_from, valid_until, run_id,
                            content_hash, currency, total_amount, next_currency, next_total_amount, raw)
  VALUES (old.organization_id, old.connection_id, old.id, new.invoice_serial_number, old.changed_at, now(),
          nullif(current_setting('tieout.run_id', true), '')::uuid,
          old.content_hash, old.currency, old.total_amount, new.currency, new.total_amount, raw_before);
  RETURN NULL;
END $$;

-- For each row, with a condition: a statement that changes no content (an unchanged page, a new proof version, a mark) never
-- enters a function.
CREATE TRIGGER keep_version AFTER UPDATE ON line FOR EACH ROW
  WHEN (old.content_hash IS DISTINCT FROM new.content_hash) EXECUTE FUNCTION keep_line_version();

CREATE FUNCTION keep_invoice_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO invoice_version (organization_id, connection_id, invoice_serial_number, valid_from, valid_until, run_id,
                               content_hash, currency, total, next_currency, next_total, raw, profile_id, issuing_date, credit_used,
                               stated_line_count, taxes_summary)
  VALUES (old.organization_id, old.connection_id, old.serial_number, old.changed_at, now(),
          nullif(current_setting('tieout.run_id', true), '')::uuid,
          old.content_hash, old.currency, old.total, new.currency, new.total, old.raw, old.profile_id, old.issuing_date, old.credit_used,
          old.stated_line_count, old.taxes_summary);
  RETURN NULL;
END $$;

CREATE TRIGGER keep_version AFTER UPDATE ON invoice FOR EACH ROW
  WHEN (old.content_hash IS DISTINCT FROM new.content_hash) EXECUTE FUNCTION keep_invoice_version();
