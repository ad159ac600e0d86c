-- Windows: a run reads a list in parts, each with a checkpoint of its own. Besides: when a connection is synced next, what
-- was not found any more, what an admin has to decide, how the platform's host behaves, and what it answered when it misbehaved.

ALTER TABLE sync_run
  ADD COLUMN kind text NOT NULL DEFAULT 'backfill' CHECK (kind IN ('backfill', 'incremental', 'verification', 'invoices')),
  -- the first issuing day of an incremental run's look-back window; null until its lists turned out to be too long to be read whole
  ADD COLUMN look_back_from date,
  -- how often the parts of a list were added up against the list's own count at the end
  ADD COLUMN closing_rounds integer NOT NULL DEFAULT 0,
  -- lines and invoices that this run has marked as missing
  ADD COLUMN lines_missing integer NOT NULL DEFAULT 0,
  ADD COLUMN invoices_missing integer NOT NULL DEFAULT 0,
  DROP CONSTRAINT sync_run_trigger_check,
  ADD CONSTRAINT sync_run_trigger_check CHECK (trigger IN ('connect', 'manual', 'schedule', 'webhook')),
  DROP CONSTRAINT sync_run_status_check,
  -- held: everything was read, and so much of it is gone that an admin decides (sync_loss)
  ADD CONSTRAINT sync_run_status_check
    CHECK (status IN ('queued', 'running', 'paused', 'succeeded', 'held', 'failed', 'canceled'));

-- a paused run keeps its place: wishes join it, and none starts beside it
DROP INDEX sync_run_one_at_a_time;
CREATE UNIQUE INDEX sync_run_one_at_a_time ON sync_run (organization_id, connection_id)
  WHERE status IN ('queued', 'running', 'paused');

-- One part of a list: issued between two days (null = open end), of one status, or of one invoice; all null = the whole list.
CREATE TABLE sync_window (
  organization_id  uuid NOT NULL,
  run_id           uuid NOT NULL,
  number           integer NOT NULL,
  list             text NOT NULL CHECK (list IN ('profiles', 'invoices', 'lines')),
  issued_from      date,
  issued_upto      date,
  invoice_status   text,
  serial_number    text,
  -- split: turned out to be too long and was replaced by parts
  state            text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'reading', 'complete', 'split')),
  may_split        boolean NOT NULL DEFAULT true,
  -- where it goes on: which reading (a list that moved is read again), next record offset
  pass             integer NOT NULL DEFAULT 1,
  cursor_offset    integer NOT NULL DEFAULT 0,
  -- how many records the platform last said that the part has
  expected         integer,
  received         integer NOT NULL DEFAULT 0,
  inserted         integer NOT NULL DEFAULT 0,
  updated          integer NOT NULL DEFAULT 0,
  unchanged        integer NOT NULL DEFAULT 0,
  duplicate        integer NOT NULL DEFAULT 0,
  rejected         integer NOT NULL DEFAULT 0,
  created_at       timestamptz NOT NULL DEFAULT now(),
  started_at       timestamptz,
  completed_at     timestamptz,
  PRIMARY KEY (organization_id, run_id, number),
  FOREIGN KEY (organization_id, run_id) REFERENCES sync_run (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT sync_window_adds_up CHECK (received = inserted + updated + unchanged + duplicate + rejected)
);

-- pages belong to a window; those of earlier versions to none (0)
ALTER TABLE sync_page ADD COLUMN window_number integer NOT NULL DEFAULT 0;
ALTER TABLE sync_page DROP CONSTRAINT sync_page_pkey;
ALTER TABLE sync_page ADD PRIMARY KEY (organization_id, run_id, window_number, list, pass, page_offset);

-- When the worker asks for the next sync by itself; null = not planned yet.
ALTER TABLE connection
  ADD COLUMN next_sync_at timestamptz,
  ADD COLUMN next_verification_at timestamptz;

-- Not found by a complete reading since then; null = there. Never deleted, unmarked when it comes back.
ALTER TABLE line ADD COLUMN missing_since timestamptz;
ALTER TABLE invoice ADD COLUMN missing_since timestamptz;

-- A loss too large to be believed: what a complete reading did not find, until an admin decides.
CREATE TABLE sync_loss (
  organization_id   uuid NOT NULL,
  run_id            uuid NOT NULL,
  connection_id     uuid NOT NULL,
  found_at          timestamptz NOT NULL DEFAULT now(),
  line_count        integer NOT NULL,
  missing_lines     integer NOT NULL,
  invoice_count     integer NOT NULL,
  missing_invoices  integer NOT NULL,
  -- [{"currency", "lineCount", "totalAmount"}] of the missing lines; amounts are text
  totals            json NOT NULL,
  decision          text CHECK (decision IN ('accepted', 'rejected', 'superseded')),
  decided_by        uuid,
  decided_at        timestamptz,
  PRIMARY KEY (organization_id, run_id),
  FOREIGN KEY (organization_id, run_id) REFERENCES sync_run (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT sync_loss_is_whole CHECK ((decision IS NULL) = (decided_at IS NULL))
);
CREATE INDEX sync_loss_open ON sync_loss (organization_id, connection_id) WHERE decision IS NULL;

-- An invoice that the platform says has something new (webhook): one row per invoice, however often it is said.
CREATE TABLE sync_hint (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  serial_number    text NOT NULL,
  received_at      timestamptz NOT NULL DEFAULT now(),
  handled_at       timestamptz,
  PRIMARY KEY (organization_id, connection_id, serial_number),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX sync_hint_open ON sync_hint (organization_id, connection_id) WHERE handled_at IS NULL;

-- What the platform answered when it was not its interface: the beginning of it, masked.
CREATE TABLE sync_evidence (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id    uuid NOT NULL,
  run_id           uuid NOT NULL,
  list             text NOT NULL,
  page_offset      integer NOT NULL,
  seen_at          timestamptz NOT NULL DEFAULT now(),
  kind             text NOT NULL,
  http_status      integer,
  reason           text NOT NULL,
  beginning        text CHECK (length(beginning) <= 2048),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, run_id) REFERENCES sync_run (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX sync_evidence_run ON sync_evidence (organization_id, run_id, seen_at);

-- Under which version of the parser a record was rejected: a newer one tries it again.
ALTER TABLE rejected_line ADD COLUMN parser_version smallint NOT NULL DEFAULT 1;

-- The platform's hosts, shared by all organizations and workers: how many calls are left in the budget, and whether the
-- circuit is open (no calls until retry_at, then one to see).
CREATE TABLE partner_host (
  host                  text PRIMARY KEY,
  tokens                double precision,
  tokens_at             timestamptz,
  circuit               text NOT NULL DEFAULT 'closed' CHECK (circuit IN ('closed', 'open', 'half_open')),
  consecutive_failures  integer NOT NULL DEFAULT 0,
  times_opened          integer NOT NULL DEFAULT 0,
  opened_at             timestamptz,
  retry_at              timestamptz,
  last_failure_at       timestamptz,
  last_failure          text
);

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['sync_window', 'sync_loss', 'sync_hint', 'sync_evidence']
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
