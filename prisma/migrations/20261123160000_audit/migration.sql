-- Who did what and when (docs/decisions/029-audit.md): append-only, numbered without a gap and chained by hash per organization.
-- The database numbers and chains, so that no process can write an entry anywhere but at the end.
CREATE TABLE audit_head (
  organization_id  uuid PRIMARY KEY REFERENCES organization,
  number           bigint NOT NULL,
  hash             bytea NOT NULL
);

CREATE TABLE audit_entry (
  organization_id  uuid NOT NULL REFERENCES organization,
  number           bigint NOT NULL,
  at               timestamptz NOT NULL,
  actor_kind       text NOT NULL CHECK (actor_kind IN ('person', 'program', 'operator', 'directory')),
  -- the user's id; kept when the person is removed
  actor_id         uuid,
  actor_name       text NOT NULL,
  -- the client's network, of a request
  network          text,
  action           text NOT NULL CHECK (action ~ '^[a-z-]+(\.[a-z-]+)+$'),
  subject_kind     text,
  subject_id       text,
  subject_name     text,
  -- JSON as it was hashed, without secrets; null where nothing was or is
  before           text,
  after            text,
  previous_hash    bytea NOT NULL,
  hash             bytea NOT NULL,
  PRIMARY KEY (organization_id, number)
);
CREATE INDEX audit_entry_by_action ON audit_entry (organization_id, action, number DESC);
CREATE INDEX audit_entry_by_actor ON audit_entry (organization_id, actor_name, number DESC);
CREATE INDEX audit_entry_by_subject ON audit_entry (organization_id, subject_kind, number DESC);
CREATE INDEX audit_entry_by_time ON audit_entry (organization_id, at);

-- Each field as its length in bytes and its text, so that no two entries are written alike (lib/audit/chain.ts reads it again).
CREATE FUNCTION audit_text(VARIADIC fields text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(coalesce(octet_length(convert_to(field, 'UTF8')) || ':' || field, '-'), ',' ORDER BY place)
  FROM unnest(fields) WITH ORDINALITY AS each (field, place)
$$;

CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  head audit_head;
BEGIN
  -- the foreign key asks for it after the head is locked: whoever holds the organization and then writes would wait in a circle
  PERFORM FROM organization WHERE id = NEW.organization_id FOR KEY SHARE;
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

CREATE TRIGGER audit_entry_is_append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();
CREATE TRIGGER audit_entry_is_not_emptied BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_decision_change();

DO $$
DECLARE
  of_organization text;
BEGIN
  FOREACH of_organization IN ARRAY ARRAY['audit_head', 'audit_entry']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', of_organization);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', of_organization);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, of_organization);
  END LOOP;
END $$;
