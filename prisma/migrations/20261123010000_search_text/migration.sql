SELECT set_config('tieout.scope', 'system', true);

-- What a search looks through, as one text without case and accents (lib/ledger/fields/search-text.ts). And the columns in
-- another order: first those of a fixed length, then what a question about all lines looks at. PostgreSQL walks a row from its
-- beginning, and walked forty columns to see whether the platform still has the line (docs/decisions/014-a-large-ledger.md).
-- Indexes, triggers and constraints are made anew from their own words.
CREATE TEMPORARY TABLE made_again ON COMMIT DROP AS
SELECT 1 AS place, format('ALTER TABLE line ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)) AS statement
FROM pg_constraint WHERE conrelid = 'line'::regclass AND contype IN ('p', 'c', 'f')
UNION ALL
SELECT 2, pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = 'line'::regclass AND NOT indisprimary
UNION ALL
SELECT 3, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'line'::regclass AND NOT tgisinternal;

ALTER TABLE line RENAME TO line_before;
CREATE TABLE line (
  organization_id           uuid NOT NULL,
  connection_id             uuid NOT NULL,
  expense_date              date NOT NULL,
  proof_version             smallint NOT NULL,
  finding_count             smallint NOT NULL GENERATED ALWAYS AS (cardinality(finding_codes)) STORED,
  missing_since             timestamptz,
  -- it begins with this character while it is not the program's own
  search_text               text NOT NULL DEFAULT chr(30),
  currency                  text NOT NULL,
  total_amount              numeric NOT NULL,
  related_vertical          text,
  service                   text,
  cost_center               text,
  trip_name                 text,
  trip_id                   text,
  id                        text NOT NULL,
  invoice_serial_number     text NOT NULL,
  invoice_mode              text,
  invoice_status            text,
  profile_id                text,
  profile_name              text,
  issuing_date              date,
  due_date                  date,
  description               text NOT NULL,
  quantity                  numeric NOT NULL,
  unit_price                numeric NOT NULL,
  non_taxable_unit_price    numeric NOT NULL,
  tax_percentage            numeric NOT NULL,
  tax_amount                numeric NOT NULL,
  tax_regime                text,
  start_date                date,
  end_date                  date,
  credit_card_last_4_digits text,
  labels                    text[] NOT NULL DEFAULT '{}',
  out_of_policy             boolean,
  vendor_code               text,
  vendor_name               text,
  traveler_names            text[] NOT NULL DEFAULT '{}',
  booker_name               text,
  include_breakfast         boolean,
  content_hash              text NOT NULL,
  text_hash                 bytea,
  expected_total_amount     numeric NOT NULL,
  difference                numeric NOT NULL,
  expected_tax_amount       numeric NOT NULL,
  tax_difference            numeric NOT NULL,
  finding_codes             text[] NOT NULL DEFAULT '{}',
  note_codes                text[] NOT NULL DEFAULT '{}',
  explained_codes           text[],
  reason_codes              text[],
  first_seen_at             timestamptz NOT NULL DEFAULT now(),
  changed_at                timestamptz NOT NULL DEFAULT now()
);

-- The program takes the accents off, not the database. Of plain words there is only the case to take; of others the worker
-- makes the text anew (lib/ledger/apply/fill-search-texts.ts), and until then they are searched with their accents.
INSERT INTO line (organization_id, connection_id, expense_date, proof_version, missing_since, search_text, currency, total_amount,
  related_vertical, service, cost_center, trip_name, trip_id, id, invoice_serial_number, invoice_mode, invoice_status, profile_id,
  profile_name, issuing_date, due_date, description, quantity, unit_price, non_taxable_unit_price, tax_percentage, tax_amount,
  tax_regime, start_date, end_date, credit_card_last_4_digits, labels, out_of_policy, vendor_code, vendor_name, traveler_names,
  booker_name, include_breakfast, content_hash, text_hash, expected_total_amount, difference, expected_tax_amount, tax_difference,
  finding_codes, note_codes, explained_codes, reason_codes, first_seen_at, changed_at)
SELECT organization_id, connection_id, expense_date, proof_version, missing_since,
  CASE WHEN octet_length(words) = length(words) THEN lower(words COLLATE "C") ELSE chr(30) || lower(words) END, currency, total_amount,
  related_vertical, service, cost_center, trip_name, trip_id, id, invoice_serial_number, invoice_mode, invoice_status, profile_id,
  profile_name, issuing_date, due_date, description, quantity, unit_price, non_taxable_unit_price, tax_percentage, tax_amount,
  tax_regime, start_date, end_date, credit_card_last_4_digits, labels, out_of_policy, vendor_code, vendor_name, traveler_names,
  booker_name, include_breakfast, content_hash, text_hash, expected_total_amount, difference, expected_tax_amount, tax_difference,
  finding_codes, note_codes, explained_codes, reason_codes, first_seen_at, changed_at
FROM line_before, LATERAL (SELECT description || chr(31) || coalesce(trip_name, '') || chr(31) || coalesce(trip_id, '') || chr(31)
  || invoice_serial_number || chr(31) || coalesce(vendor_name, '') || chr(31) || coalesce(cost_center, '') || chr(31) || id || chr(31)
  || array_to_string(traveler_names, chr(31)) AS words) searched;
DROP TABLE line_before;

DO $$
DECLARE
  each text;
BEGIN
  FOR each IN SELECT statement FROM made_again ORDER BY place, statement
  LOOP
    EXECUTE each;
  END LOOP;
END $$;

ALTER TABLE line ENABLE ROW LEVEL SECURITY;
ALTER TABLE line FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON line
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');
SELECT refresh_statistics();
