-- Pages of lines that need not be opened when they come again byte for byte: each of their lines is in the ledger as the page
-- says it (docs/decisions/010-known-pages.md). One row per place of a reading, replaced when the page there is another one.
CREATE TABLE known_page (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  -- which part of the list; only a place to look, not a promise
  place            text NOT NULL,
  page_offset      integer NOT NULL,
  -- the SHA-256 of the answer as it came over the wire
  body_hash        bytea NOT NULL,
  reported_total   integer,
  -- as in the page ledger, one per line, no two the same
  key_hashes       bigint[] NOT NULL,
  -- by which rules its lines were proved
  proof_version    smallint NOT NULL,
  -- the moment at which the ledger was as the page says, in two ways; what touched a line later voids the page
  known_in         pg_snapshot NOT NULL,
  known_order      bigint NOT NULL,
  PRIMARY KEY (organization_id, connection_id, place, page_offset),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);

-- The last time that a stored line was touched: changed, marked as missing, met again or proved anew. The transaction says
-- whether a page's moment could see it. The order says the same in a copy of the database, where transactions are numbered anew.
CREATE SEQUENCE line_touch_order;
SELECT nextval('line_touch_order');
CREATE TABLE line_touch (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  -- the first 64 bits of the SHA-256 of the id, as in the page ledger
  key_hash         bigint NOT NULL,
  touched_in       xid8 NOT NULL,
  touch_order      bigint NOT NULL,
  PRIMARY KEY (organization_id, connection_id, key_hash),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX line_touch_recent ON line_touch (organization_id, connection_id, touched_in);

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
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM known_page;
  ELSE
    DELETE FROM known_page k USING (SELECT DISTINCT organization_id, connection_id FROM removed) r
    WHERE k.organization_id = r.organization_id AND k.connection_id = r.connection_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_pages AFTER DELETE ON line REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION forget_known_pages();
CREATE TRIGGER forget_pages_emptied AFTER TRUNCATE ON line
  FOR EACH STATEMENT EXECUTE FUNCTION forget_known_pages();

-- As for lines: the SHA-256 of the stored text, which is without the address of the PDF.
ALTER TABLE invoice ADD COLUMN text_hash bytea;

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['known_page', 'line_touch']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, tenant_table);
  END LOOP;
END $$;
