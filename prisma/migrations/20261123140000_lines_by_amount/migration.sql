-- Lines by amount within a currency, in either direction: the first page needs fifty entries, not all lines. It costs a backfill
-- a twentieth of PostgreSQL's work (docs/benchmarks/backfill-profile.md).
CREATE INDEX line_by_amount ON line (organization_id, currency, total_amount, connection_id, id) WHERE missing_since IS NULL;
