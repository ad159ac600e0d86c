-- A search asks for more of a line than its words and its total: the tax, prices and differences, and ranges of totals
-- (docs/decisions/048-forgiving-search.md). What is noted of invoices says so: it is made anew by the worker, and until
-- then a search looks at the lines.
SELECT set_config('tieout.scope', 'system', true);
TRUNCATE invoice_words;
ALTER TABLE invoice_words
  ALTER COLUMN amounts TYPE bit(2048),
  ADD COLUMN totals int4multirange NOT NULL;
