-- Housekeeping: the page ledger and the attempts to renew tokens are removed after a while (docs/operations.md, "What is
-- kept, and how long").

-- When the pages of a run that is over were removed; its windows and its own counters stay.
ALTER TABLE sync_run ADD COLUMN pages_removed_at timestamptz;
CREATE INDEX sync_run_with_pages ON sync_run (finished_at) WHERE finished_at IS NOT NULL AND pages_removed_at IS NULL;

-- What removed pages had brought, per run, list and day (UTC) of their commit: the list of changes tells what arrived since
-- any day. A page that brought nothing leaves no row.
CREATE TABLE sync_arrival (
  organization_id  uuid NOT NULL,
  run_id           uuid NOT NULL,
  list             text NOT NULL CHECK (list IN ('profiles', 'invoices', 'lines')),
  day              date NOT NULL,
  inserted         integer NOT NULL CHECK (inserted > 0),
  PRIMARY KEY (organization_id, run_id, list, day),
  FOREIGN KEY (organization_id, run_id) REFERENCES sync_run (organization_id, id) ON DELETE CASCADE
);
ALTER TABLE sync_arrival ENABLE ROW LEVEL SECURITY;
ALTER TABLE sync_arrival FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON sync_arrival
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');

CREATE INDEX refresh_attempt_settled ON refresh_attempt (finished_at) WHERE finished_at IS NOT NULL;
