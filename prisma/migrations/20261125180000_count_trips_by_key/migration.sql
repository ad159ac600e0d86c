-- Whether a trip has other rows is looked up by its key. As an anti-join the planner read all trips of the ledger for each group of
-- lines that a sync writes: a fifth of a backfill of 200,000 lines, and more with each line.
CREATE OR REPLACE FUNCTION tally_trips() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    UPDATE connection_tally SET trip_count = 0;
  ELSIF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM touched) THEN RETURN NULL; END IF;
    -- come: of whose rows all are new
    UPDATE connection_tally t SET trip_count = t.trip_count + r.come
    FROM (SELECT organization_id, connection_id, count(*) AS come
          FROM (SELECT organization_id, connection_id, trip_id, count(*) AS rows FROM touched GROUP BY 1, 2, 3) a
          WHERE rows = CASE
            WHEN trip_id IS NOT NULL THEN (SELECT count(*) FROM trip_rollup o WHERE o.organization_id = a.organization_id
                                             AND o.trip_id = a.trip_id AND o.connection_id = a.connection_id)
            ELSE (SELECT count(*) FROM trip_rollup o WHERE o.organization_id = a.organization_id
                    AND o.trip_id IS NULL AND o.connection_id = a.connection_id) END
          GROUP BY 1, 2) r
    WHERE t.organization_id = r.organization_id AND t.connection_id = r.connection_id;
  ELSE
    -- gone: of which no row is left
    UPDATE connection_tally t SET trip_count = t.trip_count - r.gone
    FROM (SELECT organization_id, connection_id, count(*) AS gone
          FROM (SELECT DISTINCT organization_id, connection_id, trip_id FROM touched) d
          WHERE 0 = CASE
            WHEN trip_id IS NOT NULL THEN (SELECT count(*) FROM trip_rollup o WHERE o.organization_id = d.organization_id
                                             AND o.trip_id = d.trip_id AND o.connection_id = d.connection_id)
            ELSE (SELECT count(*) FROM trip_rollup o WHERE o.organization_id = d.organization_id
                    AND o.trip_id IS NULL AND o.connection_id = d.connection_id) END
          GROUP BY 1, 2) r
    WHERE t.organization_id = r.organization_id AND t.connection_id = r.connection_id;
  END IF;
  RETURN NULL;
END $$;
