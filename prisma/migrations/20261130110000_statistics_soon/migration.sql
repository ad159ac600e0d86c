-- An organization that is newer than the statistics counts as one row for the planner, which then takes any index
-- (docs/decisions/072-statistics-soon.md). By a tenth of a large table, as PostgreSQL has it, that lasts for hours.
DO $$
DECLARE name text;
BEGIN
  FOR name IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1
  LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000)', name);
  END LOOP;
END $$;
