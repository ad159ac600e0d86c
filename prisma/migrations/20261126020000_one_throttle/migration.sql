-- Tries that are counted for all web processes together: to sign in, and of a company's directory
-- (docs/decisions/045-one-throttle.md). `kind` says which limit counts; lib/auth/limits/throttle.ts has them.
--
-- No organization_id and no policy, like partner_host: an attempt belongs to no organization before it has succeeded, and
-- an address that is nobody's has to be counted like any other. There is nothing in it to protect either: a key is an HMAC
-- under the session secret, from which neither an email nor an address can be told, or the id of a token.
CREATE TABLE throttle (
  kind        text NOT NULL,
  key         text NOT NULL,
  level       double precision NOT NULL,
  counted_at  timestamptz NOT NULL,
  PRIMARY KEY (kind, key)
);
CREATE INDEX throttle_old ON throttle (counted_at);

-- Who waits goes on waiting. What is older than a day counts no more.
INSERT INTO throttle (kind, key, level, counted_at)
SELECT prefix || split_part(key, ' ', 1), substr(key, strpos(key, ' ') + 1), level, counted_at
FROM (
  SELECT '' AS prefix, key, level, counted_at FROM sign_in_throttle
  UNION ALL SELECT 'directory-', key, level, counted_at FROM directory_throttle
) AS counts
WHERE counted_at > now() - interval '24 hours';

DROP TABLE sign_in_throttle, directory_throttle;
