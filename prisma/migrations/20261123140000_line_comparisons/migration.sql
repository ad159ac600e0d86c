SELECT set_config('tieout.scope', 'system', true);

-- What lines of an account say beside each other: a line that is also on an earlier invoice, a refund of nothing or of more
-- than was paid (docs/decisions/024-line-comparisons.md). The worker writes them (lib/ledger/apply/compare-lines.ts), by
-- difference. `amount`: the money in question, above zero. The other line is the first one, or the one that is refunded.
CREATE TABLE line_comparison (
  organization_id              uuid NOT NULL,
  connection_id                uuid NOT NULL,
  line_id                      text NOT NULL,
  code                         text NOT NULL CHECK (code IN ('duplicate_line', 'refund_without_original', 'refund_above_original')),
  invoice_serial_number        text NOT NULL,
  other_line_id                text,
  other_invoice_serial_number  text,
  currency                     text NOT NULL,
  amount                       numeric NOT NULL,
  PRIMARY KEY (organization_id, connection_id, line_id, code),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT line_comparison_names_the_other CHECK ((code = 'refund_without_original') = (other_line_id IS NULL)
                                                    AND (other_line_id IS NULL) = (other_invoice_serial_number IS NULL))
);
CREATE INDEX line_comparison_of_invoice ON line_comparison (organization_id, connection_id, invoice_serial_number);

-- How often an account's lines have changed, and how often they had when they were last compared. Apart from the lines: an
-- account that a sync finds unchanged is not compared again, and one whose worker ended before it compared is not forgotten.
CREATE TABLE line_comparison_state (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  change_count     bigint NOT NULL DEFAULT 1,
  compared_count   bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, connection_id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['line_comparison', 'line_comparison_state']
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

-- What is here already has never been compared; housekeeping does it.
INSERT INTO line_comparison_state (organization_id, connection_id) SELECT organization_id, id FROM connection;

-- Each statement that changes lines counts once. A connection that is deleted as a whole takes its row along.
CREATE FUNCTION note_lines_to_compare() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO line_comparison_state AS s (organization_id, connection_id)
  SELECT organization_id, connection_id FROM (SELECT DISTINCT organization_id, connection_id FROM touched) t
  WHERE EXISTS (SELECT FROM connection c WHERE c.organization_id = t.organization_id AND c.id = t.connection_id)
  ORDER BY 1, 2
  ON CONFLICT (organization_id, connection_id) DO UPDATE SET change_count = s.change_count + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER to_compare_added AFTER INSERT ON line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_lines_to_compare();
CREATE TRIGGER to_compare_changed AFTER UPDATE ON line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_lines_to_compare();
CREATE TRIGGER to_compare_removed AFTER DELETE ON line REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_lines_to_compare();

-- Lines of an invoice that is gone take no part, so an invoice that goes or returns counts, too.
CREATE FUNCTION note_invoices_to_compare() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE line_comparison_state s SET change_count = s.change_count + 1
  WHERE (s.organization_id, s.connection_id) IN (
    SELECT organization_id, connection_id FROM removed r JOIN added a USING (organization_id, connection_id, serial_number)
    WHERE (r.missing_since IS NULL) <> (a.missing_since IS NULL));
  RETURN NULL;
END $$;
CREATE TRIGGER to_compare_changed AFTER UPDATE ON invoice REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_invoices_to_compare();

CREATE FUNCTION note_all_to_compare() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE line_comparison_state SET change_count = change_count + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER to_compare_emptied AFTER TRUNCATE ON line
  FOR EACH STATEMENT EXECUTE FUNCTION note_all_to_compare();

-- An invoice with such a line is not plain (migration plain_invoices). A row that goes leaves an invoice unjudged, which is
-- right at any time.
CREATE TRIGGER forget_plain_added AFTER INSERT ON line_comparison REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
CREATE TRIGGER forget_plain_changed AFTER UPDATE ON line_comparison REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();
