-- Pasts: what a line was until something changed of it that a bridge between two moments or a rule's replay tells: its figures,
-- whether the platform had it, what it is counted under, and what its proof found (docs/decisions/065-bridge-of-moments.md,
-- 066-certification-rules.md).
-- Made from:     the row before each change.
-- Kept by:       the trigger here, in the transaction that changes the line. Also of a line that goes and comes back, and of one
--                that is judged again: neither leaves a version (versions.sql).
-- Taken back by: nothing: what was stays until the account's data is deleted.
-- Read by:       lib/ledger/history/moments.ts, lib/ledger/certify/read-known.ts.
-- Compared by:   `npm run doctor -- figures`, money with the versions (versions.sql) and with what is gone;
--                lib/ledger/history/moments.test.ts, with a rebuild from the records as they were received.
-- Beware:        what stood at a moment is the first row of the line that is until later, or else the line itself. A line that
--                was never changed has none: an import writes nothing here.

CREATE FUNCTION keep_line_pasts() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  pasts line_past[];
BEGIN
  -- what a line was within the transaction that brought it, it never was; one that goes was there until the moment that it says
  SELECT array_agg(ROW(r.organization_id, NULL, r.connection_id, r.id,
                       CASE WHEN r.missing_since IS NULL THEN coalesce(a.missing_since, now()) ELSE now() END,
                       nullif(current_setting('tieout.run_id', true), '')::uuid,
                       r.missing_since IS NOT NULL, r.currency, r.total_amount, r.issuing_date, r.expense_date, r.profile_id,
                       r.cost_center, r.trip_id, coalesce(r.finding_codes, '{}'), coalesce(r.explained_codes, '{}'), r.invoice_serial_number,
                       r.invoice_mode, r.tax_regime, r.tax_percentage, r.tax_amount, coalesce(r.vendor_name, r.vendor_code),
                       review_hash(r.invoice_serial_number, r.currency, r.quantity, r.unit_price, r.non_taxable_unit_price,
                         r.tax_percentage, r.tax_regime, r.tax_amount, r.total_amount, r.finding_codes, r.explained_codes,
                         r.missing_since IS NOT NULL, NULL))::line_past) INTO pasts
  FROM removed r JOIN added a USING (organization_id, connection_id, id)
  WHERE r.first_seen_at <> now()
    AND ((r.missing_since IS NULL) <> (a.missing_since IS NULL)
         OR r.total_amount <> a.total_amount OR r.currency <> a.currency
         OR r.issuing_date IS DISTINCT FROM a.issuing_date OR r.expense_date <> a.expense_date
         OR r.profile_id IS DISTINCT FROM a.profile_id OR r.cost_center IS DISTINCT FROM a.cost_center
         OR r.trip_id IS DISTINCT FROM a.trip_id OR r.invoice_serial_number <> a.invoice_serial_number
         OR r.invoice_mode IS DISTINCT FROM a.invoice_mode OR r.tax_regime IS DISTINCT FROM a.tax_regime
         OR r.tax_percentage <> a.tax_percentage OR r.tax_amount <> a.tax_amount OR r.quantity <> a.quantity
         OR r.unit_price <> a.unit_price OR r.non_taxable_unit_price <> a.non_taxable_unit_price
         OR coalesce(r.vendor_name, r.vendor_code) IS DISTINCT FROM coalesce(a.vendor_name, a.vendor_code)
         OR coalesce(r.finding_codes, '{}') <> coalesce(a.finding_codes, '{}')
         OR coalesce(r.explained_codes, '{}') <> coalesce(a.explained_codes, '{}'));
  IF pasts IS NULL THEN RETURN NULL; END IF;
  INSERT INTO line_past (organization_id, connection_id, line_id, until, run_id, is_gone, currency, total_amount, issuing_date,
                         expense_date, profile_id, cost_center, trip_id, finding_codes, explained_codes, invoice_serial_number,
                         invoice_mode, tax_regime, tax_percentage, tax_amount, vendor_name, seen)
  SELECT organization_id, connection_id, line_id, until, run_id, is_gone, currency, total_amount, issuing_date, expense_date, profile_id,
         cost_center, trip_id, finding_codes, explained_codes, invoice_serial_number, invoice_mode, tax_regime, tax_percentage, tax_amount,
         vendor_name, seen
  FROM unnest(pasts);
  RETURN NULL;
END $$;

-- For each statement: an insert for each line took a tenth of the time of a sync that changes lines.
-- Fires last.
CREATE TRIGGER keep_past AFTER UPDATE ON line REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_line_pasts();
