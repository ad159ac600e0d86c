-- The second step of signing in, and passkeys (docs/decisions/032-second-step.md).
ALTER TABLE organization ADD COLUMN second_step_required boolean NOT NULL DEFAULT false;

-- When the person last typed the password in a running session; null: only to begin it.
ALTER TABLE user_session ADD COLUMN confirmed_at timestamptz;

-- An authenticator app (RFC 6238). Its secret is sealed with a key of the web server.
CREATE TABLE authenticator (
  organization_id  uuid NOT NULL,
  user_id          uuid NOT NULL,
  sealed_secret    text NOT NULL,
  created_at       timestamptz NOT NULL,
  -- null until the person has shown that the app makes right codes; it counts for nothing before
  confirmed_at     timestamptz,
  -- the step of the last code that was used; no code of it or an earlier one is taken again
  last_step        bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user (organization_id, id) ON DELETE CASCADE
);

-- Codes to sign in with once, instead of the app's. Keyed hashes.
CREATE TABLE recovery_code (
  organization_id  uuid NOT NULL,
  user_id          uuid NOT NULL,
  code_hash        text NOT NULL,
  created_at       timestamptz NOT NULL,
  used_at          timestamptz,
  PRIMARY KEY (organization_id, user_id, code_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user (organization_id, id) ON DELETE CASCADE
);

-- The right password was given, and the second step is still to come: five minutes and five tries.
CREATE TABLE pending_sign_in (
  organization_id  uuid NOT NULL,
  id_hash          text NOT NULL,
  user_id          uuid NOT NULL,
  -- SHA-256 of the password's hash: another password makes it worthless
  password_mark    text NOT NULL,
  -- where to go afterwards
  next             text NOT NULL,
  expires_at       timestamptz NOT NULL,
  tries            smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id_hash),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX pending_sign_in_of_user ON pending_sign_in (organization_id, user_id);

-- Passkeys (WebAuthn). Public keys: nobody can sign in with what is here.
CREATE TABLE passkey (
  organization_id  uuid NOT NULL,
  user_id          uuid NOT NULL,
  credential_id    text NOT NULL,
  public_key       bytea NOT NULL,
  -- uses as the authenticator counts them; 0 for one that does not count
  counter          bigint NOT NULL,
  transports       text[] NOT NULL,
  name             text NOT NULL,
  created_at       timestamptz NOT NULL,
  last_used_at     timestamptz,
  PRIMARY KEY (organization_id, user_id, credential_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user (organization_id, id) ON DELETE CASCADE
);

-- Challenges that an authenticator has to sign, each once. No organization_id and no policy, like sign_in_throttle: who signs
-- in with a passkey has no organization yet. There is only a hash of random bits, of the cookie or session it was made for, and
-- a keyed hash of the network.
CREATE TABLE passkey_challenge (
  challenge_hash  text PRIMARY KEY,
  purpose         text NOT NULL CHECK (purpose IN ('register', 'sign-in')),
  holder_hash     text NOT NULL,
  network         text NOT NULL,
  expires_at      timestamptz NOT NULL
);
CREATE INDEX passkey_challenge_by_network ON passkey_challenge (network, expires_at);
CREATE INDEX passkey_challenge_old ON passkey_challenge (expires_at);

DO $$
DECLARE
  of_organization text;
BEGIN
  FOREACH of_organization IN ARRAY ARRAY['authenticator', 'recovery_code', 'pending_sign_in', 'passkey']
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
