-- Known pages: which pages of the platform's lists are stored exactly as they came.
-- Made from:     the answers of a sync (lib/sync/pages/known-pages.ts), with the moment at which they were stored.
-- Kept by:       nobody: `line_touch` says of each stored line when it was touched last, so that an older page is not believed.
-- Taken back by: the triggers here, when lines are deleted.
-- Read by:       a sync, which skips the lines of a page that it knows.
-- Compared by:   lib/sync/pages/known-pages.test.ts, with what is stored.

-- By trigger, so that it holds whatever statement touches a line. Lines are written only when something about them is new.
CREATE FUNCTION note_line_touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO line_touch AS t (organization_id, connection_id, key_hash, touched_in, touch_order)
  VALUES (old.organization_id, old.connection_id,
          ('x' || left(encode(sha256(convert_to('id:' || old.id, 'UTF8')), 'hex'), 16))::bit(64)::bigint,
          pg_current_xact_id(), nextval('line_touch_order'))
  ON CONFLICT (organization_id, connection_id, key_hash)
    DO UPDATE SET touched_in = excluded.touched_in, touch_order = excluded.touch_order;
  RETURN NULL;
END $$;

CREATE TRIGGER note_touch AFTER UPDATE ON line FOR EACH ROW EXECUTE FUNCTION note_line_touch();

-- Lines are deleted with their account's data: what was known of its pages goes first.
CREATE FUNCTION forget_known_pages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  owner uuid;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM known_page;
  ELSE
    SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
    FROM (SELECT DISTINCT organization_id, connection_id FROM removed) account;
    FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
      DELETE FROM known_page k USING unnest(organizations, connections) AS r (organization_id, connection_id)
      WHERE k.organization_id = owner AND r.organization_id = owner AND k.connection_id = r.connection_id;
    END LOOP;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER forget_pages AFTER DELETE ON line REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION forget_known_pages();

CREATE TRIGGER forget_pages_emptied AFTER TRUNCATE ON line
  FOR EACH STATEMENT EXECUTE FUNCTION forget_known_pages();
