SELECT set_config('tieout.scope', 'system', true);

-- Sums of a month's days become sums of ten days each, the last of a month of eight to eleven: a span of days that begins or
-- ends anywhere is then answered from these and from the lines of five days at each end, not of half a month
-- (docs/decisions/016-roll-ups.md). A row's `expense_date` is the first of its days.
CREATE FUNCTION to_ten_days(day date) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN day - extract(day FROM day)::integer + 1 + least((extract(day FROM day)::integer - 1) / 10, 2) * 10;

-- As in the migration line_rollups, but for these days.
CREATE OR REPLACE FUNCTION to_roll_up_statement(source text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    WITH delta AS MATERIALIZED (
      SELECT sign, organization_id, connection_id, invoice_serial_number, currency, to_ten_days(expense_date) AS expense_date,
             related_vertical, cost_center, service, profile_id, profile_name, invoice_mode, invoice_status, issuing_date, tax_regime,
             trim_scale(tax_percentage) AS tax_percentage, trip_id, sign * total_amount AS total_amount, sign * tax_amount AS tax_amount,
             sign * finding_count AS finding_count,
             l.expense_date::text || ' ' || trip_name AS dated_label
      FROM (%s) l WHERE missing_since IS NULL),
    of_grains AS (
      INSERT INTO line_rollup AS r (organization_id, connection_id, grain, cell, currency, expense_date, related_vertical, cost_center,
        service, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, line_count, total_amount,
        finding_count)
      SELECT organization_id, connection_id, grain,
             md5(ROW(currency, expense_date, related_vertical, cost_center, service, profile_id, profile_name, invoice_mode, invoice_status,
                 tax_regime, tax_percentage)::text)::uuid, currency, expense_date, related_vertical, cost_center, service, profile_id, profile_name,
             invoice_mode, invoice_status, tax_regime, tax_percentage, line_count, total_amount, finding_count
      FROM (
        SELECT organization_id, connection_id, currency, expense_date, related_vertical, cost_center, service, profile_id, profile_name,
               invoice_mode, invoice_status, tax_regime, tax_percentage,
               CASE grouping(expense_date, related_vertical, cost_center, service, profile_id, tax_regime)
                 WHEN b'001111'::int THEN 'days_vertical' WHEN b'010111'::int THEN 'days_cost_center'
                 WHEN b'100111'::int THEN 'cost_center_vertical' WHEN b'101011'::int THEN 'service'
                 WHEN b'011101'::int THEN 'days_profile' WHEN b'011110'::int THEN 'days_tax' END AS grain,
               sum(sign) AS line_count, sum(total_amount) AS total_amount, sum(finding_count) AS finding_count
        FROM delta
        GROUP BY organization_id, connection_id, currency, GROUPING SETS (
          (expense_date, related_vertical), (expense_date, cost_center), (related_vertical, cost_center), (related_vertical, service),
          (expense_date, profile_id, profile_name, invoice_mode, invoice_status), (expense_date, tax_regime, tax_percentage))
        HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(finding_count) <> 0) changed
      ORDER BY 1, 2, 3, 4
      ON CONFLICT (organization_id, connection_id, grain, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
        total_amount = r.total_amount + excluded.total_amount,
        finding_count = r.finding_count + excluded.finding_count),
    of_trips AS (
      INSERT INTO trip_rollup AS r (organization_id, connection_id, cell, currency, trip_id, dated_label, line_count, total_amount,
        finding_count)
      SELECT organization_id, connection_id, md5(ROW(trip_id, currency)::text)::uuid, currency, trip_id, max(dated_label) FILTER (WHERE sign = 1), sum(sign),
             sum(total_amount), sum(finding_count)
      FROM delta GROUP BY organization_id, connection_id, trip_id, currency
      HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(finding_count) <> 0
          OR max(dated_label) FILTER (WHERE sign = 1) IS DISTINCT FROM max(dated_label) FILTER (WHERE sign = -1)
      ORDER BY 1, 2, 3
      ON CONFLICT (organization_id, connection_id, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
        total_amount = r.total_amount + excluded.total_amount,
        finding_count = r.finding_count + excluded.finding_count, dated_label = greatest(r.dated_label, excluded.dated_label))
    INSERT INTO invoice_rollup AS r (organization_id, connection_id, invoice_serial_number, cell, currency, issuing_date, profile_id,
      profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, line_count, total_amount, tax_amount, finding_count)
    SELECT organization_id, connection_id, invoice_serial_number,
           md5(ROW(currency, issuing_date, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage)::text)::uuid,
           currency, issuing_date, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage,
           sum(sign), sum(total_amount), sum(tax_amount), sum(finding_count)
    FROM delta
    GROUP BY organization_id, connection_id, invoice_serial_number, currency, issuing_date, profile_id, profile_name, invoice_mode,
             invoice_status, tax_regime, tax_percentage
    HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(tax_amount) <> 0 OR sum(finding_count) <> 0
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, connection_id, invoice_serial_number, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
      total_amount = r.total_amount + excluded.total_amount, tax_amount = r.tax_amount + excluded.tax_amount,
      finding_count = r.finding_count + excluded.finding_count
  $statement$, source)
$$;

DO $$
BEGIN
  TRUNCATE line_rollup;
  -- the other roll-ups stay as they are
  EXECUTE regexp_replace(to_roll_up_statement('SELECT 1 AS sign, * FROM line'), ',\s+of_trips AS .*', ' SELECT');
END $$;
ANALYZE line_rollup;
