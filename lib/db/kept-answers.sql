-- What makes a table that of a kept answer (docs/decisions/046-kept-answers.md): its file makes the table when it is not there,
-- and says `SELECT keep_answer(...)` when all of it stands. Then the table is hidden from other organizations, the processes may
-- write it, it is filled from the records of every account by its function `computed_…`, which also says what is right to
-- `npm run doctor -- figures`, and it goes when an account's data is deleted. All of that is found by the comment.
CREATE FUNCTION keep_answer(kept regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  kept_table text := (SELECT relname FROM pg_class WHERE oid = kept);
BEGIN
  IF obj_description(kept, 'pg_class') = 'kept answer' THEN RETURN; END IF;
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', kept_table);
  -- as prisma/migrations has it for all other tables: a test compares them
  EXECUTE format($policy$
    CREATE POLICY organization_only ON %I
      USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
             OR (SELECT current_setting('tieout.scope', true)) = 'system')
  $policy$, kept_table);
  SET LOCAL tieout.scope = 'system';
  EXECUTE format('INSERT INTO %I SELECT made.* FROM connection c, %I(c.organization_id, c.id) made', kept_table, 'computed_' || kept_table);
  -- as for every table of organizations (docs/decisions/072-statistics-soon.md)
  EXECUTE format('ALTER TABLE %I SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000)', kept_table);
  EXECUTE format('COMMENT ON TABLE %I IS ''kept answer''', kept_table);
END $$;
