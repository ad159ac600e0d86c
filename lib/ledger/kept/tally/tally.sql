-- Tally: how many lines, invoices and trips an account has.
-- Made from:     `line`, `invoice` and `trip_rollup`, into one row of `connection_tally` for each account.
-- Kept by:       the triggers here, in the transaction that writes.
-- Taken back by: nothing. It is exact at every moment.
-- Read by:       counts that a page shows without a filter (lib/ledger/read/line-totals.ts, lib/connections).
-- Compared by:   lib/ledger/kept/compare-figures.ts (`npm run doctor -- figures`).
-- Beware:        its row is the lock of the account: who has it is the account's only writer, so that the triggers after it need
--                no order among writers (lib/db/trigger-order.ts). On a cluster it stands where the account's lines do, which an
--                advisory lock does not.

-- Whoever changes what is kept of these accounts is their only writer until it ends: waits for whoever else is.
CREATE FUNCTION hold_accounts(organizations uuid[], connections uuid[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  account record;
BEGIN
  FOR account IN SELECT DISTINCT * FROM unnest(organizations, connections) AS a (organization_id, connection_id) ORDER BY 1, 2 LOOP
    PERFORM FROM connection_tally t
    WHERE t.organization_id = account.organization_id AND t.connection_id = account.connection_id FOR UPDATE;
  END LOOP;
END $$;

CREATE FUNCTION tally_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  counts bigint[];
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id), array_agg(come) INTO organizations, connections, counts
  FROM (SELECT organization_id, connection_id, count(*) AS come FROM added GROUP BY 1, 2) account;
  EXECUTE format(
    'INSERT INTO connection_tally AS t (organization_id, connection_id, %1$I)
     SELECT * FROM unnest($1, $2, $3) ORDER BY 1, 2
     ON CONFLICT (organization_id, connection_id) DO UPDATE SET %1$I = t.%1$I + excluded.%1$I', TG_ARGV[0])
  USING organizations, connections, counts;
  RETURN NULL;
END $$;

CREATE TRIGGER line_tally_added AFTER INSERT ON line REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_added('line_count');

CREATE TRIGGER invoice_tally_added AFTER INSERT ON invoice REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_added('invoice_count');

CREATE FUNCTION tally_removed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  organizations uuid[];
  connections uuid[];
  counts bigint[];
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id), array_agg(gone) INTO organizations, connections, counts
  FROM (SELECT organization_id, connection_id, count(*) AS gone FROM removed GROUP BY 1, 2) account;
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    EXECUTE format(
      'UPDATE connection_tally t SET %1$I = t.%1$I - r.gone
       FROM unnest($1, $2, $3) AS r (organization_id, connection_id, gone)
       WHERE t.organization_id = $4 AND r.organization_id = $4 AND t.connection_id = r.connection_id', TG_ARGV[0])
    USING organizations, connections, counts, owner;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER line_tally_removed AFTER DELETE ON line REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_removed('line_count');

CREATE TRIGGER invoice_tally_removed AFTER DELETE ON invoice REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_removed('invoice_count');

CREATE FUNCTION tally_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE connection_tally SET %I = 0', TG_ARGV[0]);
  RETURN NULL;
END $$;

CREATE TRIGGER line_tally_emptied AFTER TRUNCATE ON line
  FOR EACH STATEMENT EXECUTE FUNCTION tally_emptied('line_count');

CREATE TRIGGER invoice_tally_emptied AFTER TRUNCATE ON invoice
  FOR EACH STATEMENT EXECUTE FUNCTION tally_emptied('invoice_count');

-- Whether a trip has other rows is looked up by its key. As an anti-join the planner read all trips of the ledger for each group of
-- lines that a sync writes: a fifth of a backfill of 200,000 lines, and more with each line.
CREATE FUNCTION tally_trips() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  trips text[];
  counts bigint[];
  owner uuid;
BEGIN
  IF TG_OP <> 'TRUNCATE' THEN
    SELECT array_agg(organization_id), array_agg(connection_id), array_agg(trip_id), array_agg(rows)
    INTO organizations, connections, trips, counts
    FROM (SELECT organization_id, connection_id, trip_id, count(*) AS rows FROM touched GROUP BY 1, 2, 3) trip;
    IF organizations IS NULL THEN RETURN NULL; END IF;
  END IF;
  IF TG_OP = 'TRUNCATE' THEN
    UPDATE connection_tally SET trip_count = 0;
    RETURN NULL;
  END IF;
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    IF TG_OP = 'INSERT' THEN
      -- come: of whose rows all are new
      UPDATE connection_tally t SET trip_count = t.trip_count + r.come
      FROM (SELECT organization_id, connection_id, count(*) AS come
            FROM unnest(organizations, connections, trips, counts) AS a (organization_id, connection_id, trip_id, rows)
            WHERE a.organization_id = owner AND rows = CASE
              WHEN trip_id IS NOT NULL THEN (SELECT count(*) FROM trip_rollup o WHERE o.organization_id = owner
                                               AND o.trip_id = a.trip_id AND o.connection_id = a.connection_id)
              ELSE (SELECT count(*) FROM trip_rollup o WHERE o.organization_id = owner
                      AND o.trip_id IS NULL AND o.connection_id = a.connection_id) END
            GROUP BY 1, 2) r
      WHERE t.organization_id = owner AND t.connection_id = r.connection_id;
    ELSE
      -- gone: of which no row is left
      UPDATE connection_tally t SET trip_count = t.trip_count - r.gone
      FROM (SELECT organization_id, connection_id, count(*) AS gone
            FROM unnest(organizations, connections, trips) AS d (organization_id, connection_id, trip_id)
            WHERE d.organization_id = owner AND 0 = CASE
              WHEN trip_id IS NOT NULL THEN (SELECT count(*) FROM trip_rollup o WHERE o.organization_id = owner
                                               AND o.trip_id = d.trip_id AND o.connection_id = d.connection_id)
              ELSE (SELECT count(*) FROM trip_rollup o WHERE o.organization_id = owner
                      AND o.trip_id IS NULL AND o.connection_id = d.connection_id) END
            GROUP BY 1, 2) r
      WHERE t.organization_id = owner AND t.connection_id = r.connection_id;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER tally_added AFTER INSERT ON trip_rollup REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION tally_trips();

CREATE TRIGGER tally_removed AFTER DELETE ON trip_rollup REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION tally_trips();

CREATE TRIGGER tally_emptied AFTER TRUNCATE ON trip_rollup
  FOR EACH STATEMENT EXECUTE FUNCTION tally_trips();
