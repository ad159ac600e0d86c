-- What every organization may know of a host's last failure is its kind and status. The platform's words about one account
-- are evidence of that account's organization (sync_evidence) and stay there.
ALTER TABLE partner_host
  -- as in lib/partner/partner-error.ts; a test keeps the two equal
  ADD COLUMN last_failure_kind text CHECK (last_failure_kind IN (
    'timeout', 'refused', 'reset', 'dns', 'tls', 'redirect', 'too_large', 'bad_encoding', 'bad_body', 'unauthorized', 'forbidden',
    'throttled', 'unavailable', 'rejected', 'foreign_origin')),
  ADD COLUMN last_failure_status smallint CHECK (last_failure_status BETWEEN 100 AND 999),
  ADD CONSTRAINT partner_host_failure_is_whole CHECK (last_failure_status IS NULL OR last_failure_kind IS NOT NULL);

-- what earlier versions had written is overwritten before the column goes
UPDATE partner_host SET last_failure = NULL;
ALTER TABLE partner_host DROP COLUMN last_failure;
