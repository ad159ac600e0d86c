-- Single sign-on by OpenID Connect (docs/decisions/033-single-sign-on.md): one identity provider per organization.
CREATE TABLE single_sign_on (
  organization_id  uuid PRIMARY KEY REFERENCES organization,
  mode             text NOT NULL DEFAULT 'off' CHECK (mode IN ('off', 'optional', 'enforced')),
  issuer           text NOT NULL,
  client_id        text NOT NULL,
  -- AES-256-GCM under a key of SESSION_SECRET; null for a public client
  sealed_secret    text,
  auth_method      text NOT NULL CHECK (auth_method IN ('client_secret_basic', 'client_secret_post', 'none')),
  -- where in the claims the role stands, and which values mean which
  role_claim       text NOT NULL,
  admin_values     text[] NOT NULL,
  finance_values   text[] NOT NULL,
  viewer_values    text[] NOT NULL,
  CONSTRAINT single_sign_on_has_its_secret CHECK ((auth_method = 'none') = (sealed_secret IS NULL))
);

-- Domains of email addresses whose people an organization signs in; one organization each.
CREATE TABLE single_sign_on_domain (
  organization_id  uuid NOT NULL REFERENCES single_sign_on ON DELETE CASCADE,
  domain           text NOT NULL CHECK (domain = lower(domain)),
  PRIMARY KEY (organization_id, domain)
);
CREATE UNIQUE INDEX single_sign_on_domain_once ON single_sign_on_domain (domain);

-- Answers of the provider that were taken, by the hash of their state: each counts once.
CREATE TABLE single_sign_on_answer (
  organization_id  uuid NOT NULL REFERENCES organization,
  state_hash       text NOT NULL,
  expires_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, state_hash)
);

-- Who somebody is: an issuer and what it calls them. Never the email address, which may change hands.
CREATE TABLE user_identity (
  organization_id  uuid NOT NULL,
  issuer           text NOT NULL,
  subject          text NOT NULL,
  user_id          uuid NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, issuer, subject),
  FOREIGN KEY (organization_id, user_id) REFERENCES app_user (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX user_identity_of_user ON user_identity (organization_id, user_id);

-- An admin who may use the password although single sign-on is enforced.
ALTER TABLE app_user ADD COLUMN break_glass boolean NOT NULL DEFAULT false;
ALTER TABLE user_session ADD COLUMN by_single_sign_on boolean NOT NULL DEFAULT false;

DO $$
DECLARE
  of_organization text;
BEGIN
  FOREACH of_organization IN ARRAY ARRAY['single_sign_on', 'single_sign_on_domain', 'single_sign_on_answer', 'user_identity']
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

-- No link goes to whom the organization takes no password from: it would not work.
CREATE OR REPLACE FUNCTION find_password_holder(sought text) RETURNS TABLE (organization_id uuid, user_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT u.organization_id, u.id FROM app_user u
  WHERE u.email = sought AND u.disabled_at IS NULL AND u.password_hash IS NOT NULL
    AND (u.break_glass AND u.role = 'admin' OR NOT EXISTS (
      SELECT FROM single_sign_on e WHERE e.organization_id = u.organization_id AND e.mode = 'enforced'))
$$;
