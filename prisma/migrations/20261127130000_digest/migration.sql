-- What waits for a person, told by mail once a day or a week (docs/decisions/060-digest.md).
-- Who wants one, and since when. The key signs the link that turns it off without signing in; nothing else hangs on it.
CREATE TABLE digest_setting (
  organization_id  uuid NOT NULL,
  person_id        uuid NOT NULL,
  rhythm           text NOT NULL CHECK (rhythm IN ('off', 'daily', 'weekly')),
  chosen_at        timestamptz NOT NULL,
  link_key         text NOT NULL,
  PRIMARY KEY (organization_id, person_id),
  FOREIGN KEY (organization_id, person_id) REFERENCES app_user(organization_id, id)
);

-- Each digest once: a day of the person's calendar, or the moment at which they asked for one. Its row is there, and says
-- `sending`, before anything leaves: what a killed worker was sending is never sent again.
CREATE TABLE digest (
  organization_id  uuid NOT NULL,
  person_id        uuid NOT NULL,
  period           text NOT NULL,
  asked            boolean NOT NULL,
  -- what it tells of
  since            timestamptz NOT NULL,
  until            timestamptz NOT NULL,
  state            text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'sent', 'nothing', 'failed')),
  cause            text CHECK (cause IN ('refused', 'put-off', 'unknown', 'stopped', 'not-here', 'turned-off')),
  -- what the mail server said last
  reply            text,
  -- how often a worker has taken it, and when the next one may
  tries            integer NOT NULL DEFAULT 0,
  try_at           timestamptz NOT NULL,
  lease_until      timestamptz,
  moved_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, person_id, period),
  FOREIGN KEY (organization_id, person_id) REFERENCES app_user(organization_id, id),
  CHECK ((state = 'failed') = (cause IS NOT NULL))
);
CREATE INDEX digest_open ON digest (organization_id, try_at) WHERE (state IN ('waiting', 'sending'));

-- An organization sees its own rows, as of every other table.
DO $$
DECLARE each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['digest_setting', 'digest'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each);
  END LOOP;
END $$;
