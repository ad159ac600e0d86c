-- Views of the lists that people keep by a name (docs/decisions/050-saved-views.md). Without an owner, a view is the
-- team's. `search` is the list's own address without its place; `version` counts the changes, so that whoever saves over
-- a change that they have not seen is told.
CREATE TABLE saved_view (
  organization_id  uuid NOT NULL REFERENCES organization(id),
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  list             text NOT NULL CHECK (list IN ('invoices', 'lines', 'groups')),
  owner_id         uuid,
  name             text NOT NULL,
  search           text NOT NULL,
  version          integer NOT NULL DEFAULT 1,
  changed_by_name  text NOT NULL,
  changed_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, owner_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX saved_view_of_list ON saved_view (organization_id, list, owner_id);

-- With which view a list opens for a person: one of their own, or one of the team's.
CREATE TABLE default_view (
  organization_id  uuid NOT NULL,
  user_id          uuid NOT NULL,
  list             text NOT NULL,
  view_id          uuid NOT NULL,
  PRIMARY KEY (organization_id, user_id, list),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user(organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, view_id) REFERENCES saved_view(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX default_view_of_view ON default_view (organization_id, view_id);

-- An organization sees its own rows, as of every other table.
DO $$
DECLARE each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['saved_view', 'default_view'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each);
  END LOOP;
END $$;
