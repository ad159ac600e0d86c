-- Sums by month of issue: of what no roll-up tells apart, and of figures that none sums (docs/decisions/054-sums-by-month.md).
-- Made from:     `line`, what the platform still has, by the worker, a month at a time
--                (lib/ledger/kept/month-sums/note-month-sums.ts). A month that has sums has a row of the grain `month`.
-- Kept by:       nobody: where any month has no sums, the lines are read.
-- Taken back by: the triggers here, in the transaction that writes a line of the month.
-- Read by:       lib/ledger/kept/month-sums/choose-measured-source.ts, for groups and matrices.
-- Compared by:   lib/ledger/kept/compare-figures.ts (`npm run doctor -- figures`), with the lines of the months that have sums.
-- Beware:        the tally's row is the lock of the account: whoever makes sums has it, as has whoever writes lines. Grains stand
--                here and in lib/ledger/conditions/line-source.ts (`MONTH_SUMS`); a test compares every question.

CREATE TABLE IF NOT EXISTS month_sum (
  organization_id    uuid NOT NULL,
  connection_id      uuid NOT NULL,
  -- the first day; infinity for lines without a day of issue
  month              date NOT NULL,
  grain              text NOT NULL,
  cell               uuid NOT NULL,
  currency           text,
  issuing_date       date,
  expense_date       date,
  related_vertical   text,
  cost_center        text,
  vendor_name        text,
  booker_name        text,
  out_of_policy      boolean,
  country_code       text,
  profile_id         text,
  profile_name       text,
  tax_regime         text,
  tax_percentage     numeric,
  -- one name at most: a line with two is in the sums of each
  traveler_names     text[] NOT NULL,
  labels             text[] NOT NULL,
  custom_fields      text[] NOT NULL,
  line_count         bigint NOT NULL,
  total_amount       numeric NOT NULL,
  tax_amount         numeric NOT NULL,
  net_amount         numeric NOT NULL,
  non_taxable_amount numeric NOT NULL,
  unexplained_amount numeric NOT NULL,
  finding_count      bigint NOT NULL,
  line_states        numeric NOT NULL,
  PRIMARY KEY (organization_id, grain, connection_id, month, cell)
);

-- The sums of an account's lines of these months, as they are now.
CREATE FUNCTION sum_months(organization uuid, connection uuid, months date[]) RETURNS SETOF month_sum LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY
  WITH told AS MATERIALIZED (
    SELECT coalesce(date_trunc('month', issuing_date)::date, 'infinity') AS month,
           date_trunc('month', issuing_date)::date AS issuing_date, currency, to_ten_days(expense_date) AS expense_date,
           related_vertical, cost_center, vendor_name, booker_name, out_of_policy, country_code, profile_id, profile_name, tax_regime,
           trim_scale(tax_percentage) AS tax_percentage, traveler_names, labels, custom_fields, total_amount, tax_amount,
           quantity * unit_price AS net_amount, quantity * non_taxable_unit_price AS non_taxable_amount, finding_count,
           CASE finding_count WHEN 0 THEN 0 ELSE pack_state(line_state(
             finding_codes, explained_codes, reason_codes, difference, tax_difference, currency)) END AS line_states,
           CASE WHEN finding_count > 0 AND line_state(
             finding_codes, explained_codes, reason_codes, difference, tax_difference, currency) = 'unexplained'
             THEN difference + tax_difference ELSE 0 END AS unexplained_amount
    FROM line
    WHERE organization_id = organization AND connection_id = connection AND missing_since IS NULL
      -- by their invoices, for which there is an index
      AND invoice_serial_number = ANY (ARRAY(
        SELECT DISTINCT r.invoice_serial_number FROM invoice_rollup r
        WHERE r.organization_id = organization AND r.connection_id = connection
          AND coalesce(date_trunc('month', r.issuing_date)::date, 'infinity') = ANY (months)))
      AND coalesce(date_trunc('month', issuing_date)::date, 'infinity') = ANY (months)),
  summed AS (
    SELECT month, CASE grouping(vendor_name, booker_name, out_of_policy, country_code, cost_center, tax_regime, profile_id)
                    WHEN b'0111111'::int THEN 'vendor' WHEN b'1011111'::int THEN 'booker' WHEN b'1101111'::int THEN 'policy'
                    WHEN b'1110111'::int THEN 'country' WHEN b'1111011'::int THEN 'cost_center' WHEN b'1111101'::int THEN 'tax'
                    WHEN b'1111110'::int THEN 'profile' ELSE 'month' END AS grain,
           currency, issuing_date, expense_date, related_vertical, cost_center, vendor_name, booker_name, out_of_policy,
           country_code, profile_id, profile_name, tax_regime, tax_percentage, '{}'::text[] AS traveler_names,
           '{}'::text[] AS labels, '{}'::text[] AS custom_fields,
           count(*) AS line_count, sum(total_amount) AS total_amount, sum(tax_amount) AS tax_amount, sum(net_amount) AS net_amount,
           sum(non_taxable_amount) AS non_taxable_amount, sum(unexplained_amount) AS unexplained_amount,
           sum(finding_count) AS finding_count, sum(line_states) AS line_states
    FROM told
    GROUP BY month, issuing_date, GROUPING SETS (
      (), (currency, vendor_name, related_vertical), (currency, booker_name), (currency, out_of_policy, related_vertical),
      (currency, country_code),
      (currency, expense_date, related_vertical, cost_center), (currency, expense_date, tax_regime, tax_percentage),
      (currency, expense_date, profile_id, profile_name))
    UNION ALL
    SELECT month, grain, currency, issuing_date, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
           CASE grain WHEN 'traveler' THEN array_remove(ARRAY[name], NULL) ELSE '{}' END,
           CASE grain WHEN 'label' THEN array_remove(ARRAY[name], NULL) ELSE '{}' END,
           CASE grain WHEN 'custom_field' THEN array_remove(ARRAY[name], NULL) ELSE '{}' END,
           count(*), sum(total_amount), sum(tax_amount), sum(net_amount), sum(non_taxable_amount), sum(unexplained_amount),
           sum(finding_count), sum(line_states)
    FROM told, LATERAL (VALUES ('traveler', traveler_names), ('label', labels), ('custom_field', custom_fields)) list (grain, names)
      LEFT JOIN LATERAL (SELECT DISTINCT each AS name FROM unnest(names) each WHERE each <> '') named ON true
    GROUP BY month, issuing_date, currency, grain, name)
  SELECT organization, connection, month, grain,
         md5(ROW(currency, expense_date, related_vertical, cost_center, vendor_name, booker_name, out_of_policy, country_code, profile_id,
             profile_name, tax_regime, tax_percentage, traveler_names, labels, custom_fields)::text)::uuid,
         currency, issuing_date, expense_date, related_vertical, cost_center, vendor_name, booker_name, out_of_policy, country_code,
         profile_id, profile_name, tax_regime, tax_percentage, traveler_names, labels, custom_fields, line_count, total_amount, tax_amount, net_amount,
         non_taxable_amount, unexplained_amount, finding_count, line_states
  FROM summed;
END $$;

-- The months of an account that have sums, those of its trips (trip-sums.sql) as well.
CREATE FUNCTION summed_months(organization uuid, connection uuid) RETURNS date[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(
    SELECT month FROM month_sum WHERE organization_id = organization AND connection_id = connection AND grain = 'month');
END $$;

CREATE FUNCTION computed_month_sum(organization uuid, connection uuid) RETURNS SETOF month_sum LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY SELECT * FROM sum_months(organization, connection, summed_months(organization, connection));
END $$;

-- A month of which a line comes, goes or says something else has no sums any more.
CREATE FUNCTION forget_months(organizations uuid[], connections uuid[], months date[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  owner uuid;
BEGIN
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    -- while an account is read for the first time there are none
    CONTINUE WHEN NOT EXISTS (
      SELECT FROM unnest(organizations, connections, months) AS t (organization_id, connection_id, month)
      JOIN month_sum s ON s.connection_id = t.connection_id AND s.month = t.month
      WHERE s.organization_id = owner AND t.organization_id = owner AND s.grain = 'month');
    DELETE FROM month_sum s USING unnest(organizations, connections, months) AS t (organization_id, connection_id, month)
    WHERE s.organization_id = owner AND t.organization_id = owner AND s.connection_id = t.connection_id AND s.month = t.month;
  END LOOP;
END $$;

CREATE FUNCTION forget_months_of_invoices() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  PERFORM forget_months(array_agg(organization_id), array_agg(connection_id), array_agg(month))
  FROM (SELECT DISTINCT organization_id, connection_id, coalesce(date_trunc('month', issuing_date)::date, 'infinity') AS month
        FROM touched) t
  HAVING count(*) > 0;
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER forget_months_added AFTER INSERT ON invoice_rollup REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_months_of_invoices();

-- Fires last.
CREATE TRIGGER forget_months_changed AFTER UPDATE ON invoice_rollup REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_months_of_invoices();

-- Fires last.
CREATE TRIGGER forget_months_removed AFTER DELETE ON invoice_rollup REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_months_of_invoices();

-- A line that says something else may leave the sums of its invoice as they are.
CREATE FUNCTION forget_months_of_lines() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  PERFORM forget_months(array_agg(organization_id), array_agg(connection_id), array_agg(month))
  FROM (SELECT DISTINCT organization_id, connection_id, coalesce(date_trunc('month', issuing_date)::date, 'infinity') AS month
        FROM (SELECT organization_id, connection_id, id, issuing_date, currency, expense_date, related_vertical, trip_id, trip_name,
                cost_center, vendor_name, booker_name, out_of_policy, country_code, profile_id, profile_name, tax_regime, tax_percentage, traveler_names,
                labels, custom_fields, total_amount, tax_amount, quantity, unit_price, non_taxable_unit_price, finding_codes, explained_codes, reason_codes,
                difference, tax_difference, missing_since IS NULL FROM added
              EXCEPT
              SELECT organization_id, connection_id, id, issuing_date, currency, expense_date, related_vertical, trip_id, trip_name,
                cost_center, vendor_name, booker_name, out_of_policy, country_code, profile_id, profile_name, tax_regime, tax_percentage, traveler_names,
                labels, custom_fields, total_amount, tax_amount, quantity, unit_price, non_taxable_unit_price, finding_codes, explained_codes, reason_codes,
                difference, tax_difference, missing_since IS NULL FROM removed) says) t
  HAVING count(*) > 0;
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER forget_months_of_changed AFTER UPDATE ON line REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION forget_months_of_lines();

CREATE FUNCTION forget_all_months() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE month_sum, trip_sum;
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER forget_months_emptied AFTER TRUNCATE ON invoice_rollup
  FOR EACH STATEMENT EXECUTE FUNCTION forget_all_months();

SELECT keep_answer('month_sum');
