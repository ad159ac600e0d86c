-- A company directory that provisions people by SCIM 2.0 (docs/decisions/034-directory.md).

-- What the directory shows to get in: the secret's hash. A secret is shown once, and never stored.
CREATE TABLE directory_token (
  organization_id     uuid NOT NULL REFERENCES organization,
  id                  uuid NOT NULL DEFAULT gen_random_uuid(),
  -- the directory, as people call it
  name                text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  -- SHA-256 in hex of 256 random bits
  hash                text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  created_by_name     text NOT NULL,
  created_at          timestamptz NOT NULL,
  expires_at          timestamptz,
  last_used_at        timestamptz,
  revoked_at          timestamptz,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX directory_token_by_hash ON directory_token (hash);

-- The role of people whom the directory puts into no mapped group; null: they may not sign in.
CREATE TABLE directory_setting (
  organization_id  uuid PRIMARY KEY REFERENCES organization,
  default_role     text CHECK (default_role IN ('viewer', 'finance', 'admin'))
);

-- A person whom the directory manages: what it said of them. Their address, name, role and whether they may sign in are in app_user.
CREATE TABLE directory_person (
  organization_id  uuid NOT NULL,
  user_id          uuid NOT NULL,
  external_id      text,
  active           boolean NOT NULL,
  -- the directory ended their access, and only then may it give it back: not what an operator ended
  is_ended         boolean NOT NULL DEFAULT false,
  -- name, displayName and emails as the directory wrote them: it compares what it gets back
  attributes       jsonb NOT NULL,
  version          integer NOT NULL DEFAULT 1,
  created_at       timestamptz NOT NULL,
  changed_at       timestamptz NOT NULL,
  -- the directory deleted them: it no longer sees them, and they cannot sign in
  removed_at       timestamptz,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user ON DELETE CASCADE
);
CREATE INDEX directory_person_external ON directory_person (organization_id, external_id);

CREATE TABLE directory_group (
  organization_id  uuid NOT NULL REFERENCES organization,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  display_name     text NOT NULL,
  external_id      text,
  -- the role of its members, as an admin decided; null: none
  role             text CHECK (role IN ('viewer', 'finance', 'admin')),
  version          integer NOT NULL DEFAULT 1,
  created_at       timestamptz NOT NULL,
  changed_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

CREATE TABLE directory_member (
  organization_id  uuid NOT NULL,
  group_id         uuid NOT NULL,
  user_id          uuid NOT NULL,
  PRIMARY KEY (organization_id, group_id, user_id),
  FOREIGN KEY (organization_id, group_id) REFERENCES directory_group ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES directory_person ON DELETE CASCADE
);
CREATE INDEX directory_member_of_user ON directory_member (organization_id, user_id);

-- How much of a directory's allowance is used, and how often a network sent a token that is none. As sign_in_throttle: no
-- organization, and keyed hashes or ids that reveal nothing.
CREATE TABLE directory_throttle (
  key         text PRIMARY KEY,
  level       double precision NOT NULL,
  counted_at  timestamptz NOT NULL
);
CREATE INDEX directory_throttle_old ON directory_throttle (counted_at);

DO $$
DECLARE
  of_organization text;
BEGIN
  FOREACH of_organization IN ARRAY ARRAY['directory_token', 'directory_setting', 'directory_person', 'directory_group', 'directory_member']
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
