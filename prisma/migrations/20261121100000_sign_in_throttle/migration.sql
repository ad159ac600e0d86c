-- How many attempts to sign in were counted lately: per account and address, per address, per account, per known browser
-- (docs/decisions/012-sign-in-throttle.md). One row per key, shared by all web processes.
--
-- No organization_id and no policy, like partner_host: an attempt belongs to no organization before it has succeeded, and
-- an address that is nobody's has to be counted like any other. There is nothing in it to protect either: the key is an
-- HMAC under the session secret, from which neither an email nor an address can be told.
CREATE TABLE sign_in_throttle (
  key         text PRIMARY KEY,
  -- attempts that still count; part of one goes with each second since counted_at (lib/auth/throttle.ts)
  level       double precision NOT NULL,
  counted_at  timestamptz NOT NULL
);
CREATE INDEX sign_in_throttle_old ON sign_in_throttle (counted_at);
