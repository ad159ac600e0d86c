SELECT set_config('tieout.scope', 'system', true);

-- The roll-ups also say how many of their lines are in which state (docs/decisions/041-one-verdict.md), so groups, invoices and
-- totals tell their worst one without the lines. Three numbers of nine digits in one: of 3 unexplained lines, 2 explained ones and
-- 1 note it is 3000000002000000001. Such numbers add up, and the larger one is the worse.
ALTER TABLE line_rollup ADD COLUMN line_states numeric NOT NULL DEFAULT 0;
ALTER TABLE trip_rollup ADD COLUMN line_states numeric NOT NULL DEFAULT 0;
ALTER TABLE invoice_rollup ADD COLUMN line_states numeric NOT NULL DEFAULT 0;

-- Which invoices have such lines, without looking at all.
CREATE INDEX invoice_rollup_with_states ON invoice_rollup (organization_id) WHERE line_states > 0;

-- The state of a line, as `stateOf` in lib/reconcile/verdict.ts: a test compares the two. The decimals of a currency are ISO 4217's.
CREATE FUNCTION line_state(findings text[], explained text[], reasons text[], difference numeric, tax_difference numeric,
  currency text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN cardinality(findings) = 0 THEN 'ties_out'
    WHEN NOT findings <@ ARRAY['total', 'tax'] THEN 'unexplained'
    WHEN is_money AND NOT is_explained THEN 'unexplained'
    WHEN tax_is_money AND NOT tax_is_explained THEN 'unexplained'
    WHEN (is_money OR tax_is_money) AND NOT coalesce('credit_sign' = ANY (reasons), false) THEN 'explained'
    ELSE 'note' END
  FROM (SELECT 'total' = ANY (findings) AND trunc(difference, digits) <> 0 AS is_money,
               'tax' = ANY (findings) AND trunc(tax_difference, digits) <> 0 AS tax_is_money,
               coalesce('total' = ANY (explained), false) AS is_explained, coalesce('tax' = ANY (explained), false) AS tax_is_explained
        FROM (SELECT CASE
                WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF',
                                  'XOF', 'XPF') THEN 0
                WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 3
                WHEN currency IN ('CLF', 'UYW') THEN 4
                ELSE 2 END AS digits) of_currency) of_line
$$;

CREATE FUNCTION pack_state(state text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE state WHEN 'unexplained' THEN 1000000000000000000 WHEN 'explained' THEN 1000000000 WHEN 'note' THEN 1 ELSE 0 END::numeric
$$;

CREATE FUNCTION unpack_states(packed numeric) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT json_build_object('unexplained', div(packed, 1000000000000000000), 'explained', mod(div(packed, 1000000000), 1000000000),
                           'note', mod(packed, 1000000000))
$$;

-- As in the migration verticals_by_month_of_issue, with these.
CREATE OR REPLACE FUNCTION to_roll_up_statement(source text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    WITH delta AS MATERIALIZED (
      SELECT sign, organization_id, connection_id, invoice_serial_number, currency, to_ten_days(expense_date) AS expense_date,
             related_vertical, cost_center, service, profile_id, profile_name, invoice_mode, invoice_status, issuing_date,
             date_trunc('month', issuing_date)::date AS issuing_month, tax_regime, trim_scale(tax_percentage) AS tax_percentage, trip_id,
             sign * total_amount AS total_amount, sign * tax_amount AS tax_amount, sign * finding_count AS finding_count,
             CASE finding_count WHEN 0 THEN 0 ELSE sign * pack_state(
               line_state(finding_codes, explained_codes, reason_codes, difference, tax_difference, currency)) END AS line_states,
             CASE sign WHEN 1 THEN total_amount END AS added_amount, CASE sign WHEN -1 THEN total_amount END AS removed_amount,
             l.expense_date::text || ' ' || trip_name AS dated_label,
             CASE sign WHEN 1 THEN trip_name END AS added_name, CASE sign WHEN -1 THEN trip_name END AS removed_name
      FROM (%s) l WHERE missing_since IS NULL),
    of_grains AS (
      INSERT INTO line_rollup AS r (organization_id, connection_id, grain, cell, currency, expense_date, related_vertical, cost_center,
        service, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, issuing_date, line_count,
        total_amount, finding_count, line_states)
      SELECT organization_id, connection_id, grain,
             md5(ROW(currency, expense_date, related_vertical, cost_center, service, profile_id, profile_name, invoice_mode, invoice_status,
                 tax_regime, tax_percentage, issuing_month)::text)::uuid, currency, expense_date, related_vertical, cost_center, service, profile_id,
             profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, issuing_month, line_count, total_amount, finding_count,
             line_states
      FROM (
        SELECT organization_id, connection_id, currency, expense_date, related_vertical, cost_center, service, profile_id, profile_name,
               invoice_mode, invoice_status, tax_regime, tax_percentage, issuing_month,
               CASE grouping(expense_date, related_vertical, cost_center, service, profile_id, tax_regime, issuing_month)
                 WHEN b'0011111'::int THEN 'days_vertical' WHEN b'0101111'::int THEN 'days_cost_center'
                 WHEN b'1001111'::int THEN 'cost_center_vertical' WHEN b'1010111'::int THEN 'service'
                 WHEN b'0111011'::int THEN 'days_profile' WHEN b'0111101'::int THEN 'days_tax'
                 WHEN b'0011110'::int THEN 'days_issued' END AS grain,
               sum(sign) AS line_count, sum(total_amount) AS total_amount, sum(finding_count) AS finding_count,
               sum(line_states) AS line_states
        FROM delta
        GROUP BY organization_id, connection_id, currency, GROUPING SETS (
          (expense_date, related_vertical), (expense_date, cost_center), (related_vertical, cost_center), (related_vertical, service),
          (expense_date, profile_id, profile_name, invoice_mode, invoice_status), (expense_date, tax_regime, tax_percentage),
          (expense_date, related_vertical, issuing_month))
        HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(finding_count) <> 0 OR sum(line_states) <> 0) changed
      ORDER BY 1, 2, 3, 4
      ON CONFLICT (organization_id, connection_id, grain, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
        total_amount = r.total_amount + excluded.total_amount,
        finding_count = r.finding_count + excluded.finding_count, line_states = r.line_states + excluded.line_states),
    of_trips AS (
      INSERT INTO trip_rollup AS r (organization_id, connection_id, cell, currency, trip_id, issuing_date, dated_label, has_names,
        line_count, total_amount, finding_count, line_states)
      SELECT organization_id, connection_id, md5(ROW(trip_id, currency, issuing_month)::text)::uuid, currency, trip_id, issuing_month,
             max(dated_label) FILTER (WHERE sign = 1), coalesce(min(added_name) <> max(added_name), false), sum(sign), sum(total_amount),
             sum(finding_count), sum(line_states)
      FROM delta GROUP BY organization_id, connection_id, trip_id, currency, issuing_month
      HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(finding_count) <> 0 OR sum(line_states) <> 0
          OR max(dated_label) FILTER (WHERE sign = 1) IS DISTINCT FROM max(dated_label) FILTER (WHERE sign = -1)
          OR min(added_name) IS DISTINCT FROM min(removed_name) OR max(added_name) IS DISTINCT FROM max(removed_name)
      ORDER BY 1, 2, 3
      ON CONFLICT (organization_id, connection_id, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
        total_amount = r.total_amount + excluded.total_amount,
        finding_count = r.finding_count + excluded.finding_count, line_states = r.line_states + excluded.line_states,
        dated_label = greatest(r.dated_label, excluded.dated_label),
        has_names = r.has_names OR excluded.has_names OR coalesce(substr(r.dated_label, 12) <> substr(excluded.dated_label, 12), false))
    INSERT INTO invoice_rollup AS r (organization_id, connection_id, invoice_serial_number, cell, currency, issuing_date, profile_id,
      profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, line_count, total_amount, tax_amount, finding_count,
      line_states, least_amount, greatest_amount)
    SELECT organization_id, connection_id, invoice_serial_number,
           md5(ROW(currency, issuing_date, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage)::text)::uuid,
           currency, issuing_date, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage,
           sum(sign), sum(total_amount), sum(tax_amount), sum(finding_count), sum(line_states), min(added_amount), max(added_amount)
    FROM delta
    GROUP BY organization_id, connection_id, invoice_serial_number, currency, issuing_date, profile_id, profile_name, invoice_mode,
             invoice_status, tax_regime, tax_percentage
    HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(tax_amount) <> 0 OR sum(finding_count) <> 0
        OR sum(line_states) <> 0 OR min(added_amount) IS DISTINCT FROM min(removed_amount) OR max(added_amount) IS DISTINCT FROM max(removed_amount)
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, connection_id, invoice_serial_number, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
      total_amount = r.total_amount + excluded.total_amount, tax_amount = r.tax_amount + excluded.tax_amount,
      finding_count = r.finding_count + excluded.finding_count, line_states = r.line_states + excluded.line_states,
      least_amount = least(r.least_amount, excluded.least_amount),
      greatest_amount = greatest(r.greatest_amount, excluded.greatest_amount)
  $statement$, source)
$$;

-- The sums of the invoices stay what they are, and so does what was judged by them.
ALTER TABLE invoice_rollup DISABLE TRIGGER USER;
DO $$
BEGIN
  TRUNCATE line_rollup, trip_rollup, invoice_rollup;
  EXECUTE to_roll_up_statement('SELECT 1 AS sign, * FROM line');
END $$;
ALTER TABLE invoice_rollup ENABLE TRIGGER USER;
ANALYZE line_rollup, trip_rollup, invoice_rollup;
