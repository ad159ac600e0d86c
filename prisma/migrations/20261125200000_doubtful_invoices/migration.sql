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
ALTER TABLE doubtful_invoice ENABLE ROW LEVEL SECURITY;
ALTER TABLE doubtful_invoice FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON doubtful_invoice
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');

-- As before (migration plain_invoices), for both kinds.
CREATE OR REPLACE FUNCTION forget_plain_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM touched) THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('plain invoices of ' || connection_id, 0))
  FROM (SELECT DISTINCT connection_id FROM touched ORDER BY 1) account;
  IF TG_TABLE_NAME = 'invoice' THEN
    DELETE FROM plain_invoice p USING touched t
    WHERE p.organization_id = t.organization_id AND p.connection_id = t.connection_id AND p.serial_number = t.serial_number;
    DELETE FROM doubtful_invoice d USING touched t
    WHERE d.organization_id = t.organization_id AND d.connection_id = t.connection_id AND d.serial_number = t.serial_number;
  ELSE
    DELETE FROM plain_invoice p
    USING (SELECT DISTINCT organization_id, connection_id, invoice_serial_number FROM touched) t
    WHERE p.organization_id = t.organization_id AND p.connection_id = t.connection_id
      AND p.serial_number = t.invoice_serial_number;
    DELETE FROM doubtful_invoice d
    USING (SELECT DISTINCT organization_id, connection_id, invoice_serial_number FROM touched) t
    WHERE d.organization_id = t.organization_id AND d.connection_id = t.connection_id
      AND d.serial_number = t.invoice_serial_number;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION forget_all_plain_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE plain_invoice, doubtful_invoice;
  RETURN NULL;
END $$;

-- A finding beside other lines that goes may leave its invoice plain.
CREATE TRIGGER forget_plain_removed AFTER DELETE ON line_comparison REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
