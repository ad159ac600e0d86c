-- Comparisons: lines that are a finding beside others of their account (docs/decisions/024-line-comparisons.md).
-- Made from:     all lines and invoices of an account, by the worker, when nobody is reading it (lib/ledger/kept/comparisons/compare-lines.ts).
-- Kept by:       nobody: `line_comparison_state` counts the changes since, and a new comparison replaces all of them.
-- Taken back by: nothing; the judgment of an invoice that it is of is (plain-invoices.sql).
-- Read by:       the findings of invoices, and a line's panel.
-- Compared by:   lib/ledger/kept/comparisons/compare-lines.test.ts, with a comparison of every pair.

-- Each statement that changes lines counts once. A connection that is deleted as a whole takes its row along.
CREATE FUNCTION note_lines_to_compare() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  account record;
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM touched) account;
  FOR account IN SELECT * FROM unnest(organizations, connections) AS t (organization_id, connection_id) ORDER BY 1, 2 LOOP
    PERFORM FROM connection c WHERE c.organization_id = account.organization_id AND c.id = account.connection_id;
    IF FOUND THEN
      INSERT INTO line_comparison_state AS s (organization_id, connection_id) VALUES (account.organization_id, account.connection_id)
      ON CONFLICT (organization_id, connection_id) DO UPDATE SET change_count = s.change_count + 1;
    END IF;
  END LOOP;
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
DECLARE
  organizations uuid[];
  connections uuid[];
  owner uuid;
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM removed r JOIN added a USING (organization_id, connection_id, serial_number)
        WHERE (r.missing_since IS NULL) <> (a.missing_since IS NULL)) account;
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    UPDATE line_comparison_state s SET change_count = s.change_count + 1
    FROM unnest(organizations, connections) AS t (organization_id, connection_id)
    WHERE s.organization_id = owner AND t.organization_id = owner AND s.connection_id = t.connection_id;
  END LOOP;
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
