-- Each field as its length in bytes and its text, so that no two entries are written alike (lib/audit/chain.ts reads it again).
CREATE FUNCTION audit_text(VARIADIC fields text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(coalesce(octet_length(convert_to(field, 'UTF8')) || ':' || field, '-'), ',' ORDER BY place)
  FROM unnest(fields) WITH ORDINALITY AS each (field, place)
$$;

CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  head audit_head;
BEGIN
  INSERT INTO audit_head VALUES (NEW.organization_id, 0, sha256(''::bytea)) ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT head FROM audit_head WHERE organization_id = NEW.organization_id FOR UPDATE;
  NEW.number := head.number + 1;
  NEW.at := clock_timestamp();
  NEW.previous_hash := head.hash;
  NEW.hash := sha256(NEW.previous_hash || convert_to(audit_text(
    NEW.organization_id::text, NEW.number::text, to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    NEW.actor_kind, NEW.actor_id::text, NEW.actor_name, NEW.network, NEW.action,
    NEW.subject_kind, NEW.subject_id, NEW.subject_name, NEW.before, NEW.after), 'UTF8'));
  UPDATE audit_head SET number = NEW.number, hash = NEW.hash WHERE organization_id = NEW.organization_id;
  RETURN NEW;
END $$;

CREATE TRIGGER audit_entry_is_chained BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();
