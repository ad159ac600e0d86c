SELECT set_config('tieout.scope', 'system', true);

-- What was issued in a month also by its vertical: a scope by day of issue is drawn by month of expense and vertical without the
-- lines (docs/decisions/016-roll-ups.md). As in the migration finer_roll_ups, but for the days and months of issue.
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
                 WHEN b'0011110'::int THEN 'days_issued' END AS grain,
               sum(sign) AS line_count, sum(total_amount) AS total_amount, sum(finding_count) AS finding_count
        FROM delta
        GROUP BY organization_id, connection_id, currency, GROUPING SETS (
          (expense_date, related_vertical), (expense_date, cost_center), (related_vertical, cost_center), (related_vertical, service),
          (expense_date, profile_id, profile_name, invoice_mode, invoice_status), (expense_date, tax_regime, tax_percentage),
          (expense_date, related_vertical, issuing_month))
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

LOCK TABLE line_rollup IN ACCESS EXCLUSIVE MODE;
DELETE FROM line_rollup WHERE grain = 'days_issued';
INSERT INTO line_rollup (organization_id, connection_id, grain, cell, currency, expense_date, related_vertical, issuing_date, line_count,
  total_amount, finding_count)
SELECT organization_id, connection_id, 'days_issued',
       md5(ROW(currency, days, related_vertical, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, issuing_month)::text)::uuid,
       currency, days, related_vertical, issuing_month, line_count, total_amount, finding_count
FROM (
  SELECT organization_id, connection_id, currency, to_ten_days(expense_date) AS days, related_vertical,
         date_trunc('month', issuing_date)::date AS issuing_month, count(*) AS line_count, sum(total_amount) AS total_amount,
         sum(finding_count) AS finding_count
  FROM line WHERE missing_since IS NULL GROUP BY 1, 2, 3, 4, 5, 6) summed;
ANALYZE line_rollup;
