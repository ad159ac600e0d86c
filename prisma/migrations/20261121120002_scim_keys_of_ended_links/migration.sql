-- A SCIM key goes with the tokens: earlier versions had kept, and used, those of accounts that were disconnected.
DO $$
BEGIN
  PERFORM set_config('tieout.scope', 'system', true);
  UPDATE scim_credential k SET sealed_key = NULL, key_id = NULL, changed_at = now(),
         changed_by = coalesce((
           SELECT d.requested_by FROM disconnection d
           WHERE d.organization_id = k.organization_id AND d.connection_id = k.connection_id
           ORDER BY d.requested_at DESC LIMIT 1), k.changed_by)
  FROM connection c
  WHERE c.organization_id = k.organization_id AND c.id = k.connection_id
    AND c.state IN ('disconnecting', 'disconnected') AND k.sealed_key IS NOT NULL;
  UPDATE scim_check s SET status = 'failed', failure = 'no_key', finished_at = now(), lease_until = NULL
  FROM connection c
  WHERE c.organization_id = s.organization_id AND c.id = s.connection_id
    AND c.state IN ('disconnecting', 'disconnected') AND s.status IN ('queued', 'running');
  PERFORM set_config('tieout.scope', '', true);
END $$;
