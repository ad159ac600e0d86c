-- A run whose data was deleted with its connection is over, and does not count as a reading any more.

-- When what the run had read was deleted with its connection's data; null while that is there, or was replaced by later runs.
ALTER TABLE sync_run ADD COLUMN data_erased_at timestamptz;

DO $$
BEGIN
  PERFORM set_config('tieout.scope', 'system', true);
  -- What was deleted before this version is told by the history. The runs of before that moment are marked; one that could
  -- still go on, over a ledger that was emptied under it, has ended.
  UPDATE sync_run r SET data_erased_at = e.happened_at
  FROM (SELECT organization_id, connection_id, max(happened_at) AS happened_at FROM connection_event
        WHERE kind = 'data_deleted' GROUP BY 1, 2) e
  WHERE r.organization_id = e.organization_id AND r.connection_id = e.connection_id AND r.requested_at <= e.happened_at;
  UPDATE sync_loss l SET decision = 'superseded', decided_at = now()
  FROM sync_run r
  WHERE r.organization_id = l.organization_id AND r.id = l.run_id AND r.data_erased_at IS NOT NULL AND l.decision IS NULL;
  UPDATE sync_run SET status = 'succeeded' WHERE data_erased_at IS NOT NULL AND status = 'held';
  UPDATE sync_run
  SET status = 'failed', fence = fence + 1, finished_at = now(), lease_until = null, error_code = 'connection-disconnected',
      error_text = 'The account was disconnected while this was under way. What had arrived is kept or deleted, as was chosen.'
  WHERE status IN ('queued', 'running', 'paused')
    AND (data_erased_at IS NOT NULL
         OR EXISTS (SELECT FROM connection c WHERE c.organization_id = sync_run.organization_id AND c.id = sync_run.connection_id
                      AND c.state IN ('disconnecting', 'disconnected')));
  PERFORM set_config('tieout.scope', '', true);
END $$;

-- Such a run would go on in the middle of an empty ledger, and end as if it had read everything.
ALTER TABLE sync_run ADD CONSTRAINT sync_run_of_erased_data
  CHECK (data_erased_at IS NULL OR status IN ('succeeded', 'failed', 'canceled'));
