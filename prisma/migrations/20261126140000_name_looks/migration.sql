-- How names look that are not written plainly (docs/decisions/052-names-that-look-alike.md;
-- lib/ledger/kept/name-looks/name-looks.ts says what it is made from, who keeps it and what compares it).
CREATE TABLE name_look (
  organization_id  uuid NOT NULL REFERENCES organization(id),
  name             text NOT NULL,
  look             text NOT NULL,
  PRIMARY KEY (organization_id, name)
);
CREATE INDEX name_look_of_look ON name_look (organization_id, look);

-- Whether names that look alike count as one in groups, filters and options.
ALTER TABLE organization ADD COLUMN folds_names boolean NOT NULL DEFAULT false;

-- An organization sees its own rows, as of every other table.
ALTER TABLE name_look ENABLE ROW LEVEL SECURITY;
ALTER TABLE name_look FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON name_look
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');
