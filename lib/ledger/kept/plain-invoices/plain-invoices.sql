-- Plain and doubtful invoices: which need no proof on a page, and which were judged (docs/decisions/016-roll-ups.md).
-- Made from:     `invoice`, `invoice_rollup`, `rejected_line` and `line_comparison`, by the worker
--                (lib/ledger/kept/plain-invoices/note-plain-invoices.ts).
-- Kept by:       `plain_invoice_sum` by the triggers here: sums of the plain ones by profile and month.
-- Taken back by: the triggers here: whatever changes what a judgment was made of takes it back, in the same transaction.
-- Read by:       lib/ledger/kept/plain-invoices/read-completeness.ts; what is noted nowhere is proved when it is asked for.
-- Compared by:   lib/ledger/kept/plain-invoices/note-plain-invoices.test.ts and read-completeness.test.ts, with the proof of every invoice.
-- Beware:        a judgment waits for no change, and a change for the judgment: both have the account's tally (tally.sql).

CREATE FUNCTION forget_plain_invoices() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  invoices text[];
  owner uuid;
BEGIN
  IF table_of_shard(TG_TABLE_NAME) = 'invoice' THEN
    SELECT array_agg(organization_id), array_agg(connection_id), array_agg(serial_number) INTO organizations, connections, invoices
    FROM touched;
  ELSE
    SELECT array_agg(organization_id), array_agg(connection_id), array_agg(serial_number) INTO organizations, connections, invoices
    FROM (SELECT DISTINCT organization_id, connection_id, invoice_serial_number AS serial_number FROM touched) t;
  END IF;
  IF organizations IS NULL THEN RETURN NULL; END IF;
  PERFORM hold_accounts(organizations, connections);
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    DELETE FROM plain_invoice p
    USING unnest(organizations, connections, invoices) AS t (organization_id, connection_id, serial_number)
    WHERE p.organization_id = owner AND t.organization_id = owner AND p.connection_id = t.connection_id
      AND p.serial_number = t.serial_number;
    DELETE FROM doubtful_invoice d
    USING unnest(organizations, connections, invoices) AS t (organization_id, connection_id, serial_number)
    WHERE d.organization_id = owner AND t.organization_id = owner AND d.connection_id = t.connection_id
      AND d.serial_number = t.serial_number;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER forget_plain_added AFTER INSERT ON invoice_rollup REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();

CREATE TRIGGER forget_plain_changed AFTER UPDATE ON invoice_rollup REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();

CREATE TRIGGER forget_plain_removed AFTER DELETE ON invoice_rollup REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();

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

-- An invoice with such a line is not plain. A row that goes leaves an invoice unjudged, which is
-- right at any time.
CREATE TRIGGER forget_plain_added AFTER INSERT ON line_comparison REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();

CREATE TRIGGER forget_plain_changed AFTER UPDATE ON line_comparison REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();

-- A finding beside other lines that goes may leave its invoice plain.
CREATE TRIGGER forget_plain_removed AFTER DELETE ON line_comparison REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_plain_invoices();

CREATE FUNCTION forget_all_plain_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE plain_invoice, doubtful_invoice;
  RETURN NULL;
END $$;

CREATE TRIGGER forget_plain_emptied AFTER TRUNCATE ON invoice_rollup
  FOR EACH STATEMENT EXECUTE FUNCTION forget_all_plain_invoices();

CREATE TRIGGER forget_plain_emptied AFTER TRUNCATE ON invoice
  FOR EACH STATEMENT EXECUTE FUNCTION forget_all_plain_invoices();

-- Each trigger calls the rows of its statement `touched`. A plain invoice is never changed, only taken out.
CREATE FUNCTION sum_plain_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  sums plain_invoice_sum[];
BEGIN
  SELECT array_agg(change) INTO sums
  FROM (SELECT ROW(organization_id, connection_id, NULL, profile_id, left(issuing_date::text, 7), currency, is_gone,
                   sign * count(*), sign * sum(line_count), sign * sum(total))::plain_invoice_sum AS change
        FROM touched GROUP BY organization_id, connection_id, profile_id, left(issuing_date::text, 7), currency, is_gone) s;
  INSERT INTO plain_invoice_sum (organization_id, connection_id, profile_id, month, currency, is_gone, invoice_count, line_count, total)
  SELECT organization_id, connection_id, profile_id, month, currency, is_gone, invoice_count, line_count, total FROM unnest(sums);
  RETURN NULL;
END $$;

CREATE TRIGGER sum_plain_added AFTER INSERT ON plain_invoice REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION sum_plain_invoices();

CREATE TRIGGER sum_plain_removed AFTER DELETE ON plain_invoice REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION sum_plain_invoices();

CREATE FUNCTION refuse_change_of_plain_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a plain invoice is taken out and judged anew, never changed';
END $$;

CREATE TRIGGER sum_plain_changed BEFORE UPDATE ON plain_invoice
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_plain_invoices();

CREATE FUNCTION empty_plain_invoice_sums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE plain_invoice_sum;
  RETURN NULL;
END $$;

CREATE TRIGGER sum_plain_emptied AFTER TRUNCATE ON plain_invoice
  FOR EACH STATEMENT EXECUTE FUNCTION empty_plain_invoice_sums();
