-- Sessions that people recognize and that end when their organization says, and passwords that are set by a link
-- (docs/decisions/031-passwords-and-sessions.md).

-- Where somebody signed in: browser and system in our words, and the network. Null for sessions from before.
ALTER TABLE user_session
  ADD COLUMN browser text CHECK (length(browser) <= 80),
  ADD COLUMN network text CHECK (length(network) <= 80);
CREATE INDEX user_session_of_user ON user_session (organization_id, user_id) WHERE ended_at IS NULL;

-- When a session ends by itself: without a request, and after all.
ALTER TABLE organization
  ADD COLUMN idle_minutes int NOT NULL DEFAULT 720 CHECK (idle_minutes BETWEEN 15 AND 1440),
  ADD COLUMN session_days int NOT NULL DEFAULT 30 CHECK (session_days BETWEEN 1 AND 30);

-- An address that asked for a link. Whether it is anybody's is for the worker to find out: the web server does the same for
-- every address. It belongs to no organization, like sign_in_throttle, and is removed as soon as it is answered.
CREATE TABLE password_wish (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  address      text NOT NULL CHECK (length(address) <= 320),
  network      text,
  asked_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- until when one worker has it to itself
  lease_until  timestamptz
);

-- A link that sets a password, once. Whoever has the secret may use it, so only its hash is here.
CREATE TABLE password_reset (
  organization_id  uuid NOT NULL,
  secret_hash      text NOT NULL,
  user_id          uuid NOT NULL,
  made_at          timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  -- null until the mail was accepted, and for a link that an operator passed on
  mailed_at        timestamptz,
  -- used, or overtaken by another password
  closed_at        timestamptz,
  PRIMARY KEY (organization_id, secret_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX password_reset_by_secret ON password_reset (secret_hash);
CREATE INDEX password_reset_of_user ON password_reset (organization_id, user_id);

ALTER TABLE password_reset ENABLE ROW LEVEL SECURITY;
ALTER TABLE password_reset FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON password_reset
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');

-- Who has a password at an address: the worker, which mails the link, must not see the hashes themselves.
CREATE FUNCTION find_password_holder(sought text) RETURNS TABLE (organization_id uuid, user_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT u.organization_id, u.id FROM app_user u
  WHERE u.email = sought AND u.disabled_at IS NULL AND u.password_hash IS NOT NULL
$$;
REVOKE ALL ON FUNCTION find_password_holder(text) FROM PUBLIC;
