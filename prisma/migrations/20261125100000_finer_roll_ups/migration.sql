SELECT set_config('tieout.scope', 'system', true);

-- Two more questions are answered without the lines (docs/decisions/016-roll-ups.md): trips by the month of issue, and on which
-- days the lines of a month of issue are. Where a roll-up has an `issuing_date` but an invoice's own, it is the month's first.
ALTER TABLE line_rollup ADD COLUMN issuing_date date;
ALTER TABLE trip_rollup ADD COLUMN issuing_date date;

-- Whether lines of it may have other names than the label's. It stays so, also when these lines are gone.
ALTER TABLE trip_rollup ADD COLUMN has_names boolean NOT NULL DEFAULT false;
CREATE INDEX trip_rollup_with_names ON trip_rollup (organization_id) WHERE has_names;

-- No line has less or more than these. A line that is gone may have given them: they are limits, and not what a line has.
-- A statement that only takes lines away has none to say.
ALTER TABLE invoice_rollup ADD COLUMN least_amount numeric, ADD COLUMN greatest_amount numeric;

-- How many trips each account has, unknown as one of them: counting some hundred thousand takes a tenth of a second.
ALTER TABLE connection_tally ADD COLUMN trip_count bigint NOT NULL DEFAULT 0;

-- A trip has several rows if it is in several currencies or months. Writers of one account wait in turn on its tally, which is
-- there before its first line is summed up.
CREATE FUNCTION tally_trips() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    UPDATE connection_tally SET trip_count = 0;
  ELSIF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM touched) THEN RETURN NULL; END IF;
    UPDATE connection_tally t SET trip_count = t.trip_count + r.come
    FROM (SELECT organization_id, connection_id, count(DISTINCT coalesce('=' || a.trip_id, '')) AS come FROM touched a
          WHERE NOT EXISTS (SELECT FROM trip_rollup o WHERE o.organization_id = a.organization_id AND o.trip_id = a.trip_id
                              AND o.connection_id = a.connection_id AND o.cell NOT IN (SELECT cell FROM touched))
            AND (a.trip_id IS NOT NULL OR NOT EXISTS (
              SELECT FROM trip_rollup o WHERE o.organization_id = a.organization_id AND o.trip_id IS NULL
                AND o.connection_id = a.connection_id AND o.cell NOT IN (SELECT cell FROM touched)))
          GROUP BY 1, 2) r
    WHERE t.organization_id = r.organization_id AND t.connection_id = r.connection_id;
  ELSE
    UPDATE connection_tally t SET trip_count = t.trip_count - r.gone
    FROM (SELECT organization_id, connection_id, count(DISTINCT coalesce('=' || d.trip_id, '')) AS gone FROM touched d
          WHERE NOT EXISTS (SELECT FROM trip_rollup o WHERE o.organization_id = d.organization_id AND o.trip_id = d.trip_id
                              AND o.connection_id = d.connection_id)
            AND (d.trip_id IS NOT NULL OR NOT EXISTS (
              SELECT FROM trip_rollup o WHERE o.organization_id = d.organization_id AND o.trip_id IS NULL
                AND o.connection_id = d.connection_id))
          GROUP BY 1, 2) r
    WHERE t.organization_id = r.organization_id AND t.connection_id = r.connection_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_added AFTER INSERT ON trip_rollup REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION tally_trips();
CREATE TRIGGER tally_removed AFTER DELETE ON trip_rollup REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION tally_trips();
CREATE TRIGGER tally_emptied AFTER TRUNCATE ON trip_rollup
  FOR EACH STATEMENT EXECUTE FUNCTION tally_trips();

-- As in the migration ten_day_roll_ups, with these.
CREATE OR REPLACE FUNCTION to_roll_up_statement(source text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    WITH delta AS MATERIALIZED (
      SELECT sign, organization_id, connection_id, invoice_serial_number, currency, to_ten_days(expense_date) AS expense_date,
             related_vertical, cost_center, service, profile_id, profile_name, invoice_mode, invoice_status, issuing_date,
             date_trunc('month', issuing_date)::date AS issuing_month, tax_regime, trim_scale(tax_percentage) AS tax_percentage, trip_id,
             sign * total_amount AS total_amount, sign * tax_amount AS tax_amount, sign * finding_count AS finding_count,
             CASE sign WHEN 1 THEN total_amount END AS added_amount, CASE sign WHEN -1 THEN total_amount END AS removed_amount,
             l.expense_date::text || ' ' || trip_name AS dated_label,
             CASE sign WHEN 1 THEN trip_name END AS added_name, CASE sign WHEN -1 THEN trip_name END AS removed_name
      FROM (%s) l WHERE missing_since IS NULL),
    of_grains AS (
      INSERT INTO line_rollup AS r (organization_id, connection_id, grain, cell, currency, expense_date, related_vertical, cost_center,
        service, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, issuing_date, line_count,
        total_amount, finding_count)
      SELECT organization_id, connection_id, grain,
             md5(ROW(currency, expense_date, related_vertical, cost_center, service, profile_id, profile_name, invoice_mode, invoice_status,
                 tax_regime, tax_percentage, issuing_month)::text)::uuid, currency, expense_date, related_vertical, cost_center, service, profile_id,
             profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, issuing_month, line_count, total_amount, finding_count
      FROM (
        SELECT organization_id, connection_id, currency, expense_date, related_vertical, cost_center, service, profile_id, profile_name,
               invoice_mode, invoice_status, tax_regime, tax_percentage, issuing_month,
               CASE grouping(expense_date, related_vertical, cost_center, service, profile_id, tax_regime, issuing_month)
                 WHEN b'0011111'::int THEN 'days_vertical' WHEN b'0101111'::int THEN 'days_cost_center'
                 WHEN b'1001111'::int THEN 'cost_center_vertical' WHEN b'1010111'::int THEN 'service'
                 WHEN b'0111011'::int THEN 'days_profile' WHEN b'0111101'::int THEN 'days_tax'
                 WHEN b'0111110'::int THEN 'days_issued' END AS grain,
               sum(sign) AS line_count, sum(total_amount) AS total_amount, sum(finding_count) AS finding_count
        FROM delta
        GROUP BY organization_id, connection_id, currency, GROUPING SETS (
          (expense_date, related_vertical), (expense_date, cost_center), (related_vertical, cost_center), (related_vertical, service),
          (expense_date, profile_id, profile_name, invoice_mode, invoice_status), (expense_date, tax_regime, tax_percentage),
          (expense_date, issuing_month))
        HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(finding_count) <> 0) changed
      ORDER BY 1, 2, 3, 4
      ON CONFLICT (organization_id, connection_id, grain, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
        total_amount = r.total_amount + excluded.total_amount,
        finding_count = r.finding_count + excluded.finding_count),
    of_trips AS (
      INSERT INTO trip_rollup AS r (organization_id, connection_id, cell, currency, trip_id, issuing_date, dated_label, has_names,
        line_count, total_amount, finding_count)
      SELECT organization_id, connection_id, md5(ROW(trip_id, currency, issuing_month)::text)::uuid, currency, trip_id, issuing_month,
             max(dated_label) FILTER (WHERE sign = 1), coalesce(min(added_name) <> max(added_name), false), sum(sign), sum(total_amount),
             sum(finding_count)
      FROM delta GROUP BY organization_id, connection_id, trip_id, currency, issuing_month
      HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(finding_count) <> 0
          OR max(dated_label) FILTER (WHERE sign = 1) IS DISTINCT FROM max(dated_label) FILTER (WHERE sign = -1)
          OR min(added_name) IS DISTINCT FROM min(removed_name) OR max(added_name) IS DISTINCT FROM max(removed_name)
      ORDER BY 1, 2, 3
      ON CONFLICT (organization_id, connection_id, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
        total_amount = r.total_amount + excluded.total_amount,
        finding_count = r.finding_count + excluded.finding_count, dated_label = greatest(r.dated_label, excluded.dated_label),
        has_names = r.has_names OR excluded.has_names OR coalesce(substr(r.dated_label, 12) <> substr(excluded.dated_label, 12), false))
    INSERT INTO invoice_rollup AS r (organization_id, connection_id, invoice_serial_number, cell, currency, issuing_date, profile_id,
      profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, line_count, total_amount, tax_amount, finding_count,
      least_amount, greatest_amount)
    SELECT organization_id, connection_id, invoice_serial_number,
           md5(ROW(currency, issuing_date, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage)::text)::uuid,
           currency, issuing_date, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage,
           sum(sign), sum(total_amount), sum(tax_amount), sum(finding_count), min(added_amount), max(added_amount)
    FROM delta
    GROUP BY organization_id, connection_id, invoice_serial_number, currency, issuing_date, profile_id, profile_name, invoice_mode,
             invoice_status, tax_regime, tax_percentage
    HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(tax_amount) <> 0 OR sum(finding_count) <> 0
        OR min(added_amount) IS DISTINCT FROM min(removed_amount) OR max(added_amount) IS DISTINCT FROM max(removed_amount)
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, connection_id, invoice_serial_number, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
      total_amount = r.total_amount + excluded.total_amount, tax_amount = r.tax_amount + excluded.tax_amount,
      finding_count = r.finding_count + excluded.finding_count, least_amount = least(r.least_amount, excluded.least_amount),
      greatest_amount = greatest(r.greatest_amount, excluded.greatest_amount)
  $statement$, source)
$$;

-- As in the migration line_rollups; a trip's row is of one month.
-- After the tally's trigger, whose row is this connection's lock: triggers of one event fire in the order of their names.
CREATE OR REPLACE FUNCTION roll_up_lines() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
    EXECUTE to_roll_up_statement('SELECT 1 AS sign, * FROM added');
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM removed) THEN RETURN NULL; END IF;
  -- a connection that is deleted as a whole takes with it what has no foreign key
  IF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT r.connection_id) INTO gone FROM removed r
      WHERE NOT EXISTS (SELECT FROM connection c WHERE c.organization_id = r.organization_id AND c.id = r.connection_id);
    IF gone IS NOT NULL THEN
      DELETE FROM line_payload WHERE connection_id = ANY (gone);
      DELETE FROM line_rollup WHERE connection_id = ANY (gone);
      DELETE FROM trip_rollup WHERE connection_id = ANY (gone);
      DELETE FROM invoice_rollup WHERE connection_id = ANY (gone);
    END IF;
  END IF;
  PERFORM FROM connection_tally t
    WHERE (t.organization_id, t.connection_id) IN (SELECT organization_id, connection_id FROM removed)
    ORDER BY t.organization_id, t.connection_id FOR UPDATE;
  IF TG_OP = 'UPDATE' THEN
    EXECUTE to_roll_up_statement('SELECT 1 AS sign, * FROM added UNION ALL SELECT -1, * FROM removed');
  ELSE
    EXECUTE to_roll_up_statement('SELECT -1 AS sign, r.* FROM removed r
      WHERE EXISTS (SELECT FROM connection c WHERE c.organization_id = r.organization_id AND c.id = r.connection_id)');
  END IF;

  -- the name of a trip whose latest line is another one now
  UPDATE trip_rollup t
  SET dated_label = (SELECT max(l.expense_date::text || ' ' || l.trip_name) FROM line l
                     WHERE l.organization_id = t.organization_id AND l.connection_id = t.connection_id AND l.currency = t.currency
                       AND (l.trip_id = t.trip_id OR (l.trip_id IS NULL AND t.trip_id IS NULL)) AND l.missing_since IS NULL
                       AND date_trunc('month', l.issuing_date)::date IS NOT DISTINCT FROM t.issuing_date)
  FROM (SELECT organization_id, connection_id, md5(ROW(trip_id, currency, date_trunc('month', issuing_date)::date)::text)::uuid AS cell, max(expense_date::text || ' ' || trip_name) AS dated_label
        FROM removed WHERE missing_since IS NULL GROUP BY 1, 2, 3) r
  WHERE t.organization_id = r.organization_id AND t.connection_id = r.connection_id AND t.cell = r.cell
    AND t.dated_label = r.dated_label AND t.line_count > 0
    AND NOT EXISTS (SELECT FROM line l WHERE l.organization_id = t.organization_id AND l.connection_id = t.connection_id
                      AND l.currency = t.currency AND l.trip_id = t.trip_id AND l.missing_since IS NULL
                      AND date_trunc('month', l.issuing_date)::date IS NOT DISTINCT FROM t.issuing_date
                      AND l.expense_date::text || ' ' || l.trip_name = t.dated_label);

  -- what no line has any more is no row, and so no choice of a filter
  DELETE FROM line_rollup g USING (SELECT DISTINCT organization_id, connection_id FROM removed) r
  WHERE g.organization_id = r.organization_id AND g.connection_id = r.connection_id AND g.line_count = 0;
  DELETE FROM trip_rollup g USING (
    SELECT DISTINCT organization_id, connection_id, md5(ROW(trip_id, currency, date_trunc('month', issuing_date)::date)::text)::uuid AS cell
    FROM removed) r
  WHERE g.organization_id = r.organization_id AND g.connection_id = r.connection_id AND g.cell = r.cell AND g.line_count = 0;
  DELETE FROM invoice_rollup g USING (SELECT DISTINCT organization_id, connection_id, invoice_serial_number FROM removed) r
  WHERE g.organization_id = r.organization_id AND g.connection_id = r.connection_id
    AND g.invoice_serial_number = r.invoice_serial_number AND g.line_count = 0;
  RETURN NULL;
END $$;

-- The sums of the invoices stay what they are, and so does what was judged by them.
ALTER TABLE invoice_rollup DISABLE TRIGGER USER;
DO $$
BEGIN
  TRUNCATE line_rollup, trip_rollup, invoice_rollup;
  EXECUTE to_roll_up_statement('SELECT 1 AS sign, * FROM line');
END $$;
ALTER TABLE invoice_rollup ENABLE TRIGGER USER;
ANALYZE line_rollup, trip_rollup, invoice_rollup;
