-- People: invitations, people who were removed, and accounts with a name of the organization's own (docs/decisions/030-people.md).
SELECT set_config('tieout.scope', 'system', true);

-- A removed person keeps the row, which histories name. The address becomes free, and nothing is left to sign in with.
ALTER TABLE app_user ALTER COLUMN email DROP NOT NULL, ADD COLUMN removed_at timestamptz;
ALTER TABLE app_user ADD CONSTRAINT app_user_removed_is_out CHECK (
  (removed_at IS NULL) = (email IS NOT NULL) AND (removed_at IS NULL OR (disabled_at IS NOT NULL AND password_hash IS NULL)));

-- An open invitation. Only the hash of its link's secret is stored: a stolen dump lets nobody in. Accepting and withdrawing
-- delete the row; the audit keeps what happened.
CREATE TABLE invitation (
  organization_id  uuid NOT NULL REFERENCES organization,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  email            text NOT NULL CHECK (email = lower(email)),
  -- empty when the admin gave none
  name             text NOT NULL,
  role             text NOT NULL CHECK (role IN ('admin', 'finance', 'viewer')),
  secret_hash      text NOT NULL,
  -- who made the link that works now, as people knew them
  invited_by_name  text NOT NULL,
  created_at       timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  -- the worker shall mail a link, which it makes itself: until then no link works. Null: nothing is to be mailed
  mail_wanted_at   timestamptz,
  mail_lease_until timestamptz,
  -- when the mail server took the link that works now
  mailed_at        timestamptz,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX invitation_of_email ON invitation (organization_id, email);
CREATE UNIQUE INDEX invitation_of_secret ON invitation (organization_id, secret_hash);

ALTER TABLE invitation ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitation FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON invitation
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');

-- `name` is what people see: the organization's own name for the account, or the platform's.
ALTER TABLE connection ADD COLUMN platform_name text;
UPDATE connection SET platform_name = name;
