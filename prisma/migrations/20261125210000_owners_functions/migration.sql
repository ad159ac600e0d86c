-- Functions with their owner's rights look for tables in our schema, and in the caller's temporary one last: where it is not
-- named, PostgreSQL looks there first. A temporary audit_head with a trigger would run the caller's code as the owner.
ALTER FUNCTION refresh_statistics() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION chain_audit_entry() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION find_password_holder(text) SET search_path = pg_catalog, public, pg_temp;
