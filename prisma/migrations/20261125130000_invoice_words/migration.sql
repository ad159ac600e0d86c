-- What the lines of an invoice say, in a few bits: the search of a text looks there first, and then only at the lines of the
-- invoices that may have it (docs/decisions/037-words-of-invoices.md). The bits may say too much and never too little. An
-- invoice without a row is one that nobody has looked at yet. The worker looks, when it has read an account
-- (lib/ledger/apply/note-invoice-words.ts).
CREATE TABLE invoice_words (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  serial_number    text NOT NULL,
  -- of the function that made the bits (lib/ledger/fields/word-bits.ts)
  version          smallint NOT NULL,
  line_count       integer NOT NULL,
  trigrams         bit(4096) NOT NULL,
  amounts          bit(1024) NOT NULL,
  PRIMARY KEY (organization_id, connection_id, serial_number)
);
ALTER TABLE invoice_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_words FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON invoice_words
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');

-- A line that comes, or says something else, takes the note of its invoice back. What is gone takes nothing back: the bits
-- then say too much. The lock is that of forget_plain_invoices, so whoever makes either kind of note has the account alone.
-- A line that comes changes the sums of its invoice, which are fewer rows than the lines.
CREATE FUNCTION forget_invoice_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM touched) THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('plain invoices of ' || connection_id, 0))
  FROM (SELECT DISTINCT connection_id FROM touched ORDER BY 1) account;
  DELETE FROM invoice_words w
  USING (SELECT DISTINCT organization_id, connection_id, invoice_serial_number FROM touched) t
  WHERE w.organization_id = t.organization_id AND w.connection_id = t.connection_id
    AND w.serial_number = t.invoice_serial_number;
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
CREATE FUNCTION forget_words_of_lines() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('plain invoices of ' || connection_id, 0))
  FROM (SELECT DISTINCT connection_id FROM added ORDER BY 1) account;
  DELETE FROM invoice_words w
  USING (SELECT DISTINCT organization_id, connection_id, invoice_serial_number
         FROM (SELECT organization_id, connection_id, id, invoice_serial_number, search_text, total_amount FROM added
               EXCEPT
               SELECT organization_id, connection_id, id, invoice_serial_number, search_text, total_amount FROM removed) says
        ) t
  WHERE w.organization_id = t.organization_id AND w.connection_id = t.connection_id
    AND w.serial_number = t.invoice_serial_number;
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

-- With the notes; of them only what a search compares besides the bits.
CREATE OR REPLACE FUNCTION refresh_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  ANALYZE public.line (organization_id, connection_id, id, invoice_serial_number, profile_id, profile_name, invoice_mode,
      invoice_status, issuing_date, currency, expense_date, total_amount, trip_id, trip_name, service, related_vertical, cost_center,
      tax_regime, tax_percentage, finding_count, finding_codes, first_seen_at, changed_at, missing_since, text_hash, proof_version),
    public.line_payload (organization_id, connection_id, line_id), public.invoice, public.profile, public.rejected_line,
    public.line_rollup, public.trip_rollup, public.invoice_rollup,
    public.invoice_words (organization_id, connection_id, serial_number, version, line_count);
END $$;
