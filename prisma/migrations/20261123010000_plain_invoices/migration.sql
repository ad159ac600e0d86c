-- Invoices of which the proof is certain to find them complete, with what a survey of all invoices adds up of them: it then
-- looks only at the others (docs/decisions/016-roll-ups.md). An invoice without a row is one that nobody has judged yet, or
-- that must be proved. The worker judges, when it has read an account (lib/ledger/apply/note-plain-invoices.ts).
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
ALTER TABLE plain_invoice ENABLE ROW LEVEL SECURITY;
ALTER TABLE plain_invoice FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON plain_invoice
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');

-- Whatever a judgment looks at takes it back when it changes: the invoice, the sums of its lines, its unreadable lines. Each
-- trigger calls the rows of its statement `touched`. The lock keeps a judgment from being stored that saw what came before:
-- who changes something shares it until the end of the transaction, who judges has it alone, and the statement after the
-- lock sees what was stored meanwhile.
CREATE FUNCTION forget_plain_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM touched) THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('plain invoices of ' || connection_id, 0))
  FROM (SELECT DISTINCT connection_id FROM touched ORDER BY 1) account;
  IF TG_TABLE_NAME = 'invoice' THEN
    DELETE FROM plain_invoice p USING touched t
    WHERE p.organization_id = t.organization_id AND p.connection_id = t.connection_id AND p.serial_number = t.serial_number;
  ELSE
    DELETE FROM plain_invoice p
    USING (SELECT DISTINCT organization_id, connection_id, invoice_serial_number FROM touched) t
    WHERE p.organization_id = t.organization_id AND p.connection_id = t.connection_id
      AND p.serial_number = t.invoice_serial_number;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION forget_all_plain_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE plain_invoice;
  RETURN NULL;
END $$;

CREATE TRIGGER forget_plain_added AFTER INSERT ON invoice_rollup REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
CREATE TRIGGER forget_plain_changed AFTER UPDATE ON invoice_rollup REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
CREATE TRIGGER forget_plain_removed AFTER DELETE ON invoice_rollup REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
CREATE TRIGGER forget_plain_emptied AFTER TRUNCATE ON invoice_rollup
  FOR EACH STATEMENT EXECUTE FUNCTION forget_all_plain_invoices();

-- A record may name another invoice than before.
CREATE TRIGGER forget_plain_added AFTER INSERT ON rejected_line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
CREATE TRIGGER forget_plain_before_change AFTER UPDATE ON rejected_line REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
CREATE TRIGGER forget_plain_changed AFTER UPDATE ON rejected_line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
CREATE TRIGGER forget_plain_removed AFTER DELETE ON rejected_line REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();

CREATE TRIGGER forget_plain_changed AFTER UPDATE ON invoice REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
CREATE TRIGGER forget_plain_removed AFTER DELETE ON invoice REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
CREATE TRIGGER forget_plain_emptied AFTER TRUNCATE ON invoice
  FOR EACH STATEMENT EXECUTE FUNCTION forget_all_plain_invoices();
