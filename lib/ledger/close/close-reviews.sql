-- Close: where lines and invoices of a locked month stand changes by a decision alone, which was refused or allowed where it named
-- them (close-decisions.sql), also for who writes with the web server's rights and no code of ours. What falls, falls in triggers.

CREATE FUNCTION refuse_undecided_in_lock() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  ids text[];
  invoices text[];
  owner uuid;
  place record;
BEGIN
  -- who deletes an account's data and repairs its figures decides nothing (lib/db/access.ts)
  IF has_table_privilege('line_fall', 'DELETE') THEN RETURN NULL; END IF;
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM touched) account;
  IF organizations IS NULL OR NOT hold_signed(organizations, connections) THEN RETURN NULL; END IF;
  SELECT array_agg(organization_id), array_agg(connection_id), array_agg(id) INTO organizations, connections, ids
  FROM (SELECT organization_id, connection_id, coalesce(to_jsonb(t) ->> 'line_id', to_jsonb(t) ->> 'invoice_serial_number') AS id
        FROM touched t) named;
  invoices := CASE WHEN table_of_shard(TG_TABLE_NAME) = 'line_review' THEN invoices_of_lines(organizations, connections, ids) ELSE ids END;
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    FOR place IN
      SELECT i.connection_id, i.profile_id, date_trunc('month', i.issuing_date)::date AS month, array_agg(t.id) AS ids
      FROM unnest(organizations, connections, ids, invoices) AS t (organization_id, connection_id, id, invoice)
      JOIN invoice i ON i.organization_id = owner AND i.connection_id = t.connection_id AND i.serial_number = t.invoice
      WHERE t.organization_id = owner GROUP BY 1, 2, 3
    LOOP
      CONTINUE WHEN NOT is_locked_for(owner, place.connection_id, place.profile_id, place.month, NULL);
      IF table_of_shard(TG_TABLE_NAME) = 'line_review' THEN
        IF EXISTS (
          SELECT FROM unnest(place.ids) AS t (id) WHERE NOT EXISTS (
            SELECT FROM decision d JOIN decision_part p ON p.organization_id = owner AND p.decision = d.number
            WHERE d.organization_id = owner AND d.state = 'applying' AND p.connection_id = place.connection_id AND t.id = ANY (p.line_ids))) THEN
          PERFORM refuse_locked();
        END IF;
      ELSIF EXISTS (
        SELECT FROM unnest(place.ids) AS t (id) WHERE NOT EXISTS (
          SELECT FROM decision d JOIN decision_invoice p ON p.organization_id = owner AND p.decision = d.number
          -- one of invoices is applied where it is made
          WHERE d.organization_id = owner AND d.state = 'applying' AND p.connection_id = place.connection_id
            AND p.invoice_serial_number = t.id)) THEN
        PERFORM refuse_locked();
      END IF;
    END LOOP;
  END LOOP;
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
