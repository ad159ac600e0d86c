-- Close: where lines and invoices of a locked month stand changes by a decision alone, which was refused or allowed where it named
-- them (close-decisions.sql), also for who writes with the web server's rights and no code of ours. What falls, falls in triggers.

CREATE FUNCTION refuse_undecided_in_lock() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  ids text[];
  undecided boolean;
BEGIN
  -- who deletes an account's data and repairs its figures decides nothing (lib/db/access.ts)
  IF has_table_privilege('line_fall', 'DELETE') THEN RETURN NULL; END IF;
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM touched) account;
  IF organizations IS NULL OR NOT hold_signed(organizations, connections) THEN RETURN NULL; END IF;
  SELECT array_agg(organization_id), array_agg(connection_id), array_agg(id) INTO organizations, connections, ids
  FROM (SELECT organization_id, connection_id, coalesce(to_jsonb(t) ->> 'line_id', to_jsonb(t) ->> 'invoice_serial_number') AS id
        FROM touched t) named;
  IF table_of_shard(TG_TABLE_NAME) = 'line_review' THEN
    SELECT bool_or(NOT EXISTS (
      SELECT FROM decision d JOIN decision_part p ON p.organization_id = d.organization_id AND p.decision = d.number
      WHERE d.organization_id = t.organization_id AND d.state = 'applying' AND p.connection_id = t.connection_id
        AND t.id = ANY (p.line_ids))) INTO undecided
    FROM unnest(organizations, connections, ids) AS t (organization_id, connection_id, id)
    JOIN line l USING (organization_id, connection_id, id)
    JOIN invoice i ON i.organization_id = l.organization_id AND i.connection_id = l.connection_id AND i.serial_number = l.invoice_serial_number
    WHERE is_locked_for(i.organization_id, i.connection_id, i.profile_id, date_trunc('month', i.issuing_date)::date, NULL);
  ELSE
    SELECT bool_or(NOT EXISTS (
      SELECT FROM decision d JOIN decision_invoice p ON p.organization_id = d.organization_id AND p.decision = d.number
      -- one of invoices is applied where it is made
      WHERE d.organization_id = t.organization_id AND d.decided_at = now() AND p.connection_id = t.connection_id
        AND p.invoice_serial_number = t.id)) INTO undecided
    FROM unnest(organizations, connections, ids) AS t (organization_id, connection_id, id)
    JOIN invoice i ON i.organization_id = t.organization_id AND i.connection_id = t.connection_id AND i.serial_number = t.id
    WHERE is_locked_for(i.organization_id, i.connection_id, i.profile_id, date_trunc('month', i.issuing_date)::date, NULL);
  END IF;
  IF undecided THEN PERFORM refuse_locked(); END IF;
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER locked_added AFTER INSERT ON line_review REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_undecided_in_lock();

-- Fires last.
CREATE TRIGGER locked_changed AFTER UPDATE ON line_review REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_undecided_in_lock();

-- Fires last.
CREATE TRIGGER locked_removed AFTER DELETE ON line_review REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_undecided_in_lock();

-- Fires last.
CREATE TRIGGER locked_added AFTER INSERT ON invoice_review REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_undecided_in_lock();

-- Fires last.
CREATE TRIGGER locked_changed AFTER UPDATE ON invoice_review REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_undecided_in_lock();

-- Fires last.
CREATE TRIGGER locked_removed AFTER DELETE ON invoice_review REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_undecided_in_lock();
