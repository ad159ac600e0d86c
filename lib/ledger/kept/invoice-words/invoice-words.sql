-- Words of invoices: bits that say which texts cannot be in the lines of an invoice.
-- Made from:     the search texts, amounts, currencies and cards of its lines and its serial number, by the worker (lib/ledger/kept/invoice-words/note-invoice-words.ts).
-- Kept by:       nobody: what is not noted is searched.
-- Taken back by: the triggers here, when a line comes or says something else. What is gone takes nothing back: the bits then say
--                too much, and the search looks at the lines.
-- Read by:       lib/ledger/kept/invoice-words/find-invoices-of-text.ts.
-- Compared by:   lib/ledger/kept/invoice-words/note-invoice-words.test.ts, with a scan of all lines.
-- Beware:        whoever notes has the account's tally (tally.sql), and so has whoever changes what is noted.

-- A line that comes, or says something else, takes the note of its invoice back. What is gone takes nothing back: the bits
-- then say too much.
-- A line that comes changes the sums of its invoice, which are fewer rows than the lines.
CREATE FUNCTION forget_invoice_words() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  invoices text[];
  owner uuid;
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id), array_agg(serial_number) INTO organizations, connections, invoices
  FROM (SELECT DISTINCT organization_id, connection_id, invoice_serial_number AS serial_number FROM touched) t;
  IF invoices IS NULL THEN RETURN NULL; END IF;
  PERFORM hold_accounts(organizations, connections);
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    DELETE FROM invoice_words w
    USING unnest(organizations, connections, invoices) AS t (organization_id, connection_id, serial_number)
    WHERE w.organization_id = owner AND t.organization_id = owner AND w.connection_id = t.connection_id
      AND w.serial_number = t.serial_number;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER forget_words_added AFTER INSERT ON invoice_rollup REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_invoice_words();

CREATE TRIGGER forget_words_changed AFTER UPDATE ON invoice_rollup REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_invoice_words();

-- An invoice without lines has no note.
CREATE TRIGGER forget_words_removed AFTER DELETE ON invoice_rollup REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_invoice_words();

-- Another text leaves the sums as they are, and so do two lines that change places. Sets are compared, and not line by line:
-- a plan that is kept knows nothing of how many they are.
CREATE FUNCTION forget_words_of_lines() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  invoices text[];
  owner uuid;
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id), array_agg(serial_number) INTO organizations, connections, invoices
  FROM (SELECT DISTINCT organization_id, connection_id, invoice_serial_number AS serial_number
        FROM (SELECT organization_id, connection_id, id, invoice_serial_number, search_text, total_amount, currency,
                credit_card_last_4_digits, tax_amount, unit_price, non_taxable_unit_price, difference, tax_difference FROM added
              EXCEPT
              SELECT organization_id, connection_id, id, invoice_serial_number, search_text, total_amount, currency,
                credit_card_last_4_digits, tax_amount, unit_price, non_taxable_unit_price, difference, tax_difference FROM removed) says
       ) t;
  IF invoices IS NULL THEN RETURN NULL; END IF;
  PERFORM hold_accounts(organizations, connections);
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    DELETE FROM invoice_words w
    USING unnest(organizations, connections, invoices) AS t (organization_id, connection_id, serial_number)
    WHERE w.organization_id = owner AND t.organization_id = owner AND w.connection_id = t.connection_id
      AND w.serial_number = t.serial_number;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER forget_words_of_changed AFTER UPDATE ON line REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION forget_words_of_lines();

CREATE FUNCTION forget_all_invoice_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE invoice_words;
  RETURN NULL;
END $$;

CREATE TRIGGER forget_words_emptied AFTER TRUNCATE ON invoice_rollup
  FOR EACH STATEMENT EXECUTE FUNCTION forget_all_invoice_words();
