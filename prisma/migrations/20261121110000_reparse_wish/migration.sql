-- Reading rejected records again is a wish: made by the web process or, after an upgrade, by a worker; done by workers, a
-- bounded batch at a time. The transaction of a batch holds the wish, and stores how far it came beside what it brought: a
-- worker that dies in the middle has done nothing, and the next goes on from there.
CREATE TABLE reparse_wish (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id    uuid NOT NULL,
  -- null: the program itself after an upgrade; only what an older parser has rejected is read then
  requested_by     uuid,
  requested_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- the last record that was looked at
  list             text CHECK (list IN ('profiles', 'invoices', 'lines')),
  raw_hash         text,
  accepted         integer NOT NULL DEFAULT 0,
  still_rejected   integer NOT NULL DEFAULT 0,
  finished_at      timestamptz,
  -- ended by an error of ours before its end
  is_failed        boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT reparse_wish_place_is_whole CHECK ((list IS NULL) = (raw_hash IS NULL)),
  CONSTRAINT reparse_wish_failed_is_finished CHECK (NOT is_failed OR finished_at IS NOT NULL)
);
CREATE UNIQUE INDEX reparse_wish_one_at_a_time ON reparse_wish (organization_id, connection_id) WHERE finished_at IS NULL;
CREATE INDEX reparse_wish_recent ON reparse_wish (organization_id, connection_id, requested_at DESC);

ALTER TABLE reparse_wish ENABLE ROW LEVEL SECURITY;
ALTER TABLE reparse_wish FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON reparse_wish
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');
