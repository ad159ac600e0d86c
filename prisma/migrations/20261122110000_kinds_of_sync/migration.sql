SELECT set_config('tieout.scope', 'system', true);

-- changes: asks for invoices, and reads the lines of those that are new or have changed.
ALTER TABLE sync_run
  DROP CONSTRAINT sync_run_kind_check,
  ADD CONSTRAINT sync_run_kind_check CHECK (kind IN ('backfill', 'changes', 'incremental', 'verification', 'invoices'));

ALTER TABLE connection
  -- How often the lines of the look-back window, and everything, are read again; an admin chooses.
  ADD COLUMN look_back_every_hours integer NOT NULL DEFAULT 24 CHECK (look_back_every_hours BETWEEN 1 AND 168),
  ADD COLUMN verify_every_days integer NOT NULL DEFAULT 7 CHECK (verify_every_days BETWEEN 1 AND 90),
  ADD COLUMN next_look_back_at timestamptz,
  -- when that ended last; null while it has not
  ADD COLUMN looked_back_at timestamptz,
  ADD COLUMN verified_at timestamptz,
  -- The lines of every invoice with news before this moment were read after those news.
  ADD COLUMN lines_followed_upto timestamptz;

-- When an invoice last came, changed, or came back. Not changed_at: an invoice that comes back as it was has not changed,
-- but its lines were marked as missing with it.
ALTER TABLE invoice ADD COLUMN news_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX invoice_news ON invoice (organization_id, connection_id, news_at);

-- Up to now every sync has read the lines of what it found changed; the clock is later than the news of the rows above.
UPDATE connection c
SET lines_followed_upto = clock_timestamp(),
    verified_at = (SELECT max(r.finished_at) FROM sync_run r
      WHERE r.organization_id = c.organization_id AND r.connection_id = c.id AND r.data_erased_at IS NULL
        AND r.status IN ('succeeded', 'held') AND r.kind IN ('backfill', 'verification')),
    looked_back_at = (SELECT max(r.finished_at) FROM sync_run r
      WHERE r.organization_id = c.organization_id AND r.connection_id = c.id AND r.data_erased_at IS NULL
        AND r.status IN ('succeeded', 'held') AND r.kind IN ('backfill', 'incremental', 'verification'));
UPDATE connection SET next_look_back_at = looked_back_at + look_back_every_hours * interval '1 hour';

SELECT set_config('tieout.scope', '', true);
