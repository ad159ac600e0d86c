-- Pasts: what a line was until something changed of it that a bridge between two moments tells: its money, whether the platform
-- had it, what it is counted under, and what its proof found (docs/decisions/065-bridge-of-moments.md).
-- Made from:     the row before each change.
-- Kept by:       the trigger here, in the transaction that changes the line. Also of a line that goes and comes back, and of one
--                that is judged again: neither leaves a version (versions.sql).
-- Taken back by: nothing: what was stays until the account's data is deleted.
-- Read by:       lib/ledger/history/moments.ts.
-- Compared by:   lib/ledger/history/moments.test.ts, with a rebuild from the records as they were received.
-- Beware:        what stood at a moment is the first row of the line that is until later, or else the line itself. A line that
--                was never changed has none: an import writes nothing here.

CREATE FUNCTION keep_line_past() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO line_past (organization_id, connection_id, line_id, until, run_id, is_gone, currency, total_amount, issuing_date,
                         expense_date, profile_id, cost_center, trip_id, finding_codes, explained_codes)
  VALUES (old.organization_id, old.connection_id, old.id, now(), nullif(current_setting('tieout.run_id', true), '')::uuid,
          old.missing_since IS NOT NULL, old.currency, old.total_amount, old.issuing_date, old.expense_date, old.profile_id,
          old.cost_center, old.trip_id, coalesce(old.finding_codes, '{}'), coalesce(old.explained_codes, '{}'));
  RETURN NULL;
END $$;

-- For each row, with a condition, as versions are kept. What a line was within the transaction that brought it, it never was.
-- Fires last.
CREATE TRIGGER keep_past AFTER UPDATE ON line FOR EACH ROW
  WHEN (old.first_seen_at <> now() AND
        ((old.missing_since IS NULL) <> (new.missing_since IS NULL)
         OR old.total_amount <> new.total_amount OR old.currency <> new.currency
         OR old.issuing_date IS DISTINCT FROM new.issuing_date OR old.expense_date <> new.expense_date
         OR old.profile_id IS DISTINCT FROM new.profile_id OR old.cost_center IS DISTINCT FROM new.cost_center
         OR old.trip_id IS DISTINCT FROM new.trip_id
         OR coalesce(old.finding_codes, '{}') <> coalesce(new.finding_codes, '{}')
         OR coalesce(old.explained_codes, '{}') <> coalesce(new.explained_codes, '{}')))
  EXECUTE FUNCTION keep_line_past();
