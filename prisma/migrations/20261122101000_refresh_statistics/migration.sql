-- The planner's statistics of the ledger, made anew: a page that is opened while the first backfill runs, or right after it,
-- would else be planned for an empty table. Only a table's owner may ask for it before PostgreSQL 17, so the function has
-- the owner's rights, and nobody but the worker may call it (lib/db/access.ts).
CREATE FUNCTION refresh_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  ANALYZE public.line, public.line_payload, public.invoice, public.profile, public.rejected_line;
END $$;
REVOKE ALL ON FUNCTION refresh_statistics() FROM PUBLIC;
