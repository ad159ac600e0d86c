-- What people decide about invoices themselves (docs/decisions/058-decisions.md). Whether a decision still holds is no
-- column: it does as long as the invoice's proof says what was seen.
ALTER TABLE decision ADD COLUMN invoice_count integer NOT NULL DEFAULT 0;

-- The invoices of a decision, and the hash of what was seen of each. Nobody changes one.
CREATE TABLE decision_invoice (
  organization_id        uuid NOT NULL,
  decision               bigint NOT NULL,
  connection_id          uuid NOT NULL,
  invoice_serial_number  text NOT NULL,
  seen_hash              text NOT NULL,
  PRIMARY KEY (organization_id, decision, connection_id, invoice_serial_number),
  FOREIGN KEY (organization_id, decision) REFERENCES decision(organization_id, number)
);
CREATE INDEX decision_invoice_of ON decision_invoice (organization_id, connection_id, invoice_serial_number);

-- What was decided last about an invoice. No row: nobody has decided it.
CREATE TABLE invoice_review (
  organization_id        uuid NOT NULL,
  connection_id          uuid NOT NULL,
  invoice_serial_number  text NOT NULL,
  state                  text NOT NULL CHECK (state IN ('accepted', 'disputed')),
  decision               bigint NOT NULL,
  seen                   jsonb NOT NULL,
  -- the row that it had before this decision; null: it was open
  before                 jsonb,
  PRIMARY KEY (organization_id, connection_id, invoice_serial_number),
  FOREIGN KEY (organization_id, decision) REFERENCES decision(organization_id, number)
);
CREATE INDEX invoice_review_of_decision ON invoice_review (organization_id, decision);

DO $$
DECLARE each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['decision_invoice', 'invoice_review'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each);
  END LOOP;
END $$;
