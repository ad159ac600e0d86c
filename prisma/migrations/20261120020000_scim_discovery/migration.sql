-- SCIM discovery: one API key per connection, what the three endpoints last said, and every answer that differed.

-- The one place where the key is: sealed (JWE) to the worker's key, bound to connection and generation. A removed key
-- leaves its row, so that the next one gets a new generation and the page can say who removed it.
CREATE TABLE scim_credential (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  generation       integer NOT NULL CHECK (generation > 0),
  sealed_key       text,
  key_id           text,
  changed_by       uuid NOT NULL,
  changed_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, connection_id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_credential_is_whole CHECK ((sealed_key IS NULL) = (key_id IS NULL))
);

-- A wish to ask the endpoints; the worker takes it up under a fence and a lease, as it does with sync_run.
CREATE TABLE scim_check (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id    uuid NOT NULL,
  status           text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'finished', 'failed')),
  requested_by     uuid,
  requested_at     timestamptz NOT NULL DEFAULT now(),
  started_at       timestamptz,
  finished_at      timestamptz,
  fence            bigint NOT NULL DEFAULT 0,
  lease_until      timestamptz,
  attempts         integer NOT NULL DEFAULT 0,
  -- why nothing could be asked at all; what one endpoint answered is in scim_endpoint
  failure          text CHECK (failure IN ('no_key', 'key_unreadable', 'not_configured', 'interrupted')),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_check_failure_is_named CHECK ((status = 'failed') = (failure IS NOT NULL))
);
CREATE UNIQUE INDEX scim_check_one_at_a_time ON scim_check (organization_id, connection_id) WHERE status IN ('queued', 'running');
CREATE INDEX scim_check_recent ON scim_check (organization_id, connection_id, requested_at DESC);

-- What asking each endpoint brought the last time.
CREATE TABLE scim_endpoint (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  endpoint         text NOT NULL CHECK (endpoint IN ('ServiceProviderConfig', 'ResourceTypes', 'Schemas')),
  last_checked_at  timestamptz NOT NULL,
  last_read_at     timestamptz,
  http_status      integer,
  problem_code     text,
  problem_detail   text,
  PRIMARY KEY (organization_id, connection_id, endpoint),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);

-- Each answer as received, kept when it differs from the one before.
CREATE TABLE scim_answer (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  endpoint         text NOT NULL CHECK (endpoint IN ('ServiceProviderConfig', 'ResourceTypes', 'Schemas')),
  number           integer NOT NULL CHECK (number > 0),
  received_at      timestamptz NOT NULL,
  content_type     text,
  raw              text NOT NULL,
  content_hash     text NOT NULL,
  PRIMARY KEY (organization_id, connection_id, endpoint, number),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['scim_credential', 'scim_check', 'scim_endpoint', 'scim_answer']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, tenant_table);
  END LOOP;
END $$;
