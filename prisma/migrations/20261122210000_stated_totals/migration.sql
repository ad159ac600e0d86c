-- What an unreadable record states as its own total, where that part can be read: an invoice may lack exactly this amount
-- (docs/decisions/020-tie-out.md). The program reads it from the parsed record; of records kept before, it is found in their text.
ALTER TABLE rejected_line ADD COLUMN stated_total numeric, ADD COLUMN stated_currency text;

UPDATE rejected_line SET
  stated_total = substring(raw FROM CASE list WHEN 'lines' THEN '"total_amount"\s*:\s*"(-?[0-9]{1,18}(?:\.[0-9]{1,12})?)"'
                                              ELSE '"total"\s*:\s*"(-?[0-9]{1,18}(?:\.[0-9]{1,12})?)"' END)::numeric,
  stated_currency = substring(raw FROM '"currency"\s*:\s*"([A-Z]{3})"')
WHERE resolved_at IS NULL AND list IN ('lines', 'invoices');
