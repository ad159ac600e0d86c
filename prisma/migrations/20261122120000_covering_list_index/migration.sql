-- The list's index carries what filters, totals and groups look at, so that they read it and leave the table alone, whose rows
-- are twice as long and have to be walked to their last column to see whether the platform still has them. It holds those only
-- that it has: the condition is in every query, and an index that states it spares the look. What an entry may hold is limited
-- where a line is read (lib/partner/wire/wire-line.ts).
DROP INDEX line_by_expense_date;
DO $$
DECLARE
  list_index text := 'CREATE INDEX line_by_expense_date ON line (organization_id, expense_date DESC, connection_id, id)';
  carried text := ' INCLUDE (currency, total_amount, finding_count, related_vertical, cost_center, service, profile_id,
    invoice_serial_number, trip_id, issuing_date, invoice_status, invoice_mode, tax_regime, tax_percentage)';
BEGIN
  EXECUTE list_index || carried || ' WHERE missing_since IS NULL';
EXCEPTION WHEN program_limit_exceeded THEN
  -- a line from before that limit has more than an entry takes: the same index, slower to ask
  EXECUTE list_index || ' WHERE missing_since IS NULL';
END $$;

-- Few rows, which no list shows: the changes page counts them by day.
CREATE INDEX line_missing ON line (organization_id, missing_since) WHERE missing_since IS NOT NULL;
