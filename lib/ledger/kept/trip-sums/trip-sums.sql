-- Sums of trips by vertical and month of issue, which no roll-up tells apart (docs/decisions/054-sums-by-month.md).
-- Made from:     `line`, what the platform still has, by the worker, with the other sums of a month
--                (lib/ledger/kept/month-sums/note-month-sums.ts). The month's row there says that these stand, too.
-- Kept by:       nobody: where any month has no such row, the lines are read.
-- Taken back by: who takes that row away (month-sums.sql). What is here of its month then counts for nothing, and stays: the worker
--                compares it with the lines and writes what differs, so one changed line does not write a month's trips anew.
-- Read by:       lib/ledger/kept/month-sums/choose-measured-source.ts, for groups of trips and matrices.
-- Compared by:   lib/ledger/kept/compare-figures.ts (`npm run doctor -- figures`), with the lines of the months that count.
-- Beware:        as many rows as lines, where each line of a trip is of another vertical. So no key of a row's own, which would be
--                half of the table once more.

CREATE TABLE IF NOT EXISTS trip_sum (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  -- the first day; infinity for lines without a day of issue
  month            date NOT NULL,
  line_count       integer NOT NULL,
  finding_count    integer NOT NULL,
  currency         text NOT NULL,
  related_vertical text,
  trip_id          text,
  -- as in trip_rollup
  dated_label      text,
  total_amount     numeric NOT NULL,
  line_states      numeric NOT NULL
);
CREATE INDEX IF NOT EXISTS trip_sum_by_month ON trip_sum (organization_id, connection_id, month);
-- a vertical's trips one after the other, which are then counted and grouped without another look
CREATE INDEX IF NOT EXISTS trip_sum_by_vertical ON trip_sum (organization_id, related_vertical, trip_id);
CREATE INDEX IF NOT EXISTS trip_sum_by_trip ON trip_sum (organization_id, trip_id);

-- The sums of an account's trips of these months, as their lines are now.
CREATE FUNCTION sum_trips(organization uuid, connection uuid, months date[]) RETURNS SETOF trip_sum LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY
  SELECT organization, connection, month, count(*)::integer, sum(finding_count)::integer, currency, related_vertical, trip_id,
         max(expense_date::text || ' ' || trip_name), sum(total_amount), sum(line_states)
  FROM (
    SELECT coalesce(date_trunc('month', issuing_date)::date, 'infinity') AS month, finding_count, currency, related_vertical, trip_id,
           expense_date, trip_name, total_amount,
           CASE finding_count WHEN 0 THEN 0 ELSE pack_state(line_state(
             finding_codes, explained_codes, reason_codes, difference, tax_difference, currency)) END AS line_states
    FROM line
    WHERE organization_id = organization AND connection_id = connection AND missing_since IS NULL
      -- by their invoices, for which there is an index
      AND invoice_serial_number = ANY (ARRAY(
        SELECT DISTINCT r.invoice_serial_number FROM invoice_rollup r
        WHERE r.organization_id = organization AND r.connection_id = connection
          AND coalesce(date_trunc('month', r.issuing_date)::date, 'infinity') = ANY (months)))
      AND coalesce(date_trunc('month', issuing_date)::date, 'infinity') = ANY (months)) told
  GROUP BY month, currency, related_vertical, trip_id;
END $$;

-- What counts, and what is only there to be compared with.
CREATE FUNCTION computed_trip_sum(organization uuid, connection uuid) RETURNS SETOF trip_sum LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  months date[] := summed_months(organization, connection);
BEGIN
  RETURN QUERY SELECT * FROM sum_trips(organization, connection, months);
  RETURN QUERY SELECT * FROM trip_sum WHERE organization_id = organization AND connection_id = connection AND month <> ALL (months);
END $$;

-- Makes the sums of a month those of its lines, and writes what differs alone. The caller has the lock of the account. Statistics
-- may know nothing of what has just been written: no loops, which would compare each row with each.
CREATE FUNCTION write_trip_sums(organization uuid, connection uuid, of_month date) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_custom_plan SET enable_nestloop = off AS $$
DECLARE
  made trip_sum[] := ARRAY(SELECT m FROM sum_trips(organization, connection, ARRAY[of_month]) m);
  kept trip_sum[] := ARRAY(
    SELECT t FROM trip_sum t WHERE t.organization_id = organization AND t.connection_id = connection AND t.month = of_month);
BEGIN
  IF EXISTS (SELECT FROM unnest(kept) k WHERE NOT EXISTS (SELECT FROM unnest(made) m WHERE m = k)) THEN
    DELETE FROM trip_sum t WHERE t.organization_id = organization AND t.connection_id = connection AND t.month = of_month
      AND NOT EXISTS (SELECT FROM unnest(made) m WHERE m = t);
  END IF;
  -- a vertical's trips side by side: they are read together
  made := ARRAY(SELECT m FROM unnest(made) m WHERE NOT EXISTS (SELECT FROM unnest(kept) k WHERE k = m)
                ORDER BY m.related_vertical, m.trip_id);
  -- given back, so that a cluster does not copy them in
  EXECUTE 'INSERT INTO trip_sum SELECT (m).* FROM unnest($1) m RETURNING 1' USING made;
END $$;

-- The months of which an account has any, found one after the other: all their rows are in the index.
CREATE FUNCTION months_of_trip_sums(organization uuid, connection uuid) RETURNS SETOF date LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY
  WITH RECURSIVE found AS (
    SELECT min(month) AS month FROM trip_sum WHERE organization_id = organization AND connection_id = connection
    UNION ALL
    SELECT (SELECT min(t.month) FROM trip_sum t
            WHERE t.organization_id = organization AND t.connection_id = connection AND t.month > found.month)
    FROM found WHERE found.month IS NOT NULL)
  SELECT month FROM found WHERE month IS NOT NULL;
END $$;

-- Whether an account has some of a month that does not count until the worker comes by.
CREATE FUNCTION has_old_trip_sums(organization uuid) RETURNS boolean LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  account uuid;
  months date[];
BEGIN
  FOR account IN SELECT id FROM connection WHERE organization_id = organization LOOP
    months := ARRAY(SELECT months_of_trip_sums(organization, account));
    IF cardinality(months) > (
      SELECT count(*) FROM month_sum
      WHERE organization_id = organization AND connection_id = account AND grain = 'month' AND month = ANY (months))
    THEN RETURN true; END IF;
  END LOOP;
  RETURN false;
END $$;

-- An account that goes as a whole takes them with it.
CREATE FUNCTION forget_trip_sums() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  owner uuid;
BEGIN
  SELECT array_agg(organization_id), array_agg(id) INTO organizations, connections FROM removed;
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    DELETE FROM trip_sum s USING unnest(organizations, connections) AS t (organization_id, connection_id)
    WHERE s.organization_id = owner AND t.organization_id = owner AND s.connection_id = t.connection_id;
  END LOOP;
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER forget_trip_sums AFTER DELETE ON connection REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION forget_trip_sums();

SELECT keep_answer('trip_sum');
