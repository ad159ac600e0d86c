-- Roll-ups: sums of lines by their keys (docs/decisions/016-roll-ups.md).
-- Made from:     `line`, what the platform still has, in three tables: `line_rollup` by seven grains, `trip_rollup` by trip and
--                month of issue, `invoice_rollup` by invoice.
-- Kept by:       the triggers here, in the transaction that writes the lines, one statement for all rows of a statement.
-- Taken back by: nothing. They are exact at every moment, and a sum that becomes zero goes away.
-- Read by:       lib/ledger/conditions/line-source.ts, which says for each question whether a roll-up can answer it; the tie-out,
--                groups, invoices, coverage and Overview ask through it.
-- Compared by:   lib/ledger/kept/compare-figures.ts (`npm run doctor -- figures`), with the lines themselves.
-- Beware:        names of grains and their bits stand here and in line-source.ts (`ROLLUPS`); a test compares every question.

-- Sums of a month's days become sums of ten days each, the last of a month of eight to eleven: a span of days that begins or
-- ends anywhere is then answered from these and from the lines of five days at each end, not of half a month
-- (docs/decisions/016-roll-ups.md). A row's `expense_date` is the first of its days.
CREATE FUNCTION to_ten_days(day date) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN day - extract(day FROM day)::integer + 1 + least((extract(day FROM day)::integer - 1) / 10, 2) * 10;

-- How many decimals the money of a currency has (ISO 4217).
CREATE FUNCTION currency_digits(currency text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF',
                      'XOF', 'XPF') THEN 0
    WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 3
    WHEN currency IN ('CLF', 'UYW') THEN 4
    ELSE 2 END
$$;

-- Whether a check of a line found a difference that is money.
CREATE FUNCTION finds_money(findings text[], code text, difference numeric, currency text) RETURNS boolean LANGUAGE sql IMMUTABLE
  PARALLEL SAFE AS $$
  SELECT code = ANY (findings) AND trunc(difference, currency_digits(currency)) <> 0
$$;

-- The state of a line, as `stateOf` in lib/reconcile/verdict.ts: a test compares the two. Like the two above it is one expression
-- without a subquery: only then is it put into the statement that asks, and not run forty times as slow, line by line.
CREATE FUNCTION line_state(findings text[], explained text[], reasons text[], difference numeric, tax_difference numeric,
  currency text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN cardinality(findings) = 0 THEN 'ties_out'
    WHEN NOT findings <@ ARRAY['total', 'tax'] THEN 'unexplained'
    WHEN finds_money(findings, 'total', difference, currency) AND NOT coalesce('total' = ANY (explained), false) THEN 'unexplained'
    WHEN finds_money(findings, 'tax', tax_difference, currency) AND NOT coalesce('tax' = ANY (explained), false) THEN 'unexplained'
    WHEN (finds_money(findings, 'total', difference, currency) OR finds_money(findings, 'tax', tax_difference, currency))
      AND NOT coalesce('credit_sign' = ANY (reasons), false) THEN 'explained'
    ELSE 'note' END
$$;

CREATE FUNCTION pack_state(state text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE state WHEN 'unexplained' THEN 1000000000000000000 WHEN 'explained' THEN 1000000000 WHEN 'note' THEN 1 ELSE 0 END::numeric
$$;

-- Of a sum, which nothing puts into the statement that asks: then PL/pgSQL is called in a tenth of the time, and most cells tie out.
CREATE FUNCTION unpack_states(packed numeric) RETURNS json LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF packed = 0 THEN RETURN '{"unexplained" : 0, "explained" : 0, "note" : 0}'; END IF;
  RETURN json_build_object('unexplained', div(packed, 1000000000000000000), 'explained', mod(div(packed, 1000000000), 1000000000),
                           'note', mod(packed, 1000000000));
END $$;

-- What the rows of a statement change, as rows of the three tables with sums to be added. Each is asked of the lines that a
-- statement adds or removes and of nothing else: a transition table joined with another, or read by a statement that writes,
-- is not found by every PostgreSQL (Citus), and what is left to write is far fewer rows than the lines.
CREATE FUNCTION to_roll_up_statement(source text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
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
      SELECT ROW(organization_id, connection_id, grain,
             md5(ROW(currency, expense_date, related_vertical, cost_center, service, profile_id, profile_name, invoice_mode, invoice_status,
                 tax_regime, tax_percentage, issuing_month)::text)::uuid, currency, expense_date, related_vertical, cost_center, service, profile_id,
             profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, line_count, total_amount, finding_count, issuing_month,
             line_states)::line_rollup AS change
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
        HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(finding_count) <> 0 OR sum(line_states) <> 0) changed),
    of_trips AS (
      SELECT ROW(organization_id, connection_id, md5(ROW(trip_id, currency, issuing_month)::text)::uuid, currency, trip_id,
             max(dated_label) FILTER (WHERE sign = 1), sum(sign), sum(total_amount), sum(finding_count), issuing_month,
             coalesce(min(added_name) <> max(added_name), false), sum(line_states))::trip_rollup AS change
      FROM delta GROUP BY organization_id, connection_id, trip_id, currency, issuing_month
      HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(finding_count) <> 0 OR sum(line_states) <> 0
          OR max(dated_label) FILTER (WHERE sign = 1) IS DISTINCT FROM max(dated_label) FILTER (WHERE sign = -1)
          OR min(added_name) IS DISTINCT FROM min(removed_name) OR max(added_name) IS DISTINCT FROM max(removed_name)),
    of_invoices AS (
      SELECT ROW(organization_id, connection_id, invoice_serial_number,
             md5(ROW(currency, issuing_date, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage)::text)::uuid,
             currency, issuing_date, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, sum(sign),
             sum(total_amount), sum(tax_amount), sum(finding_count), NULL, min(added_amount), max(added_amount),
             sum(line_states))::invoice_rollup AS change
      FROM delta
      GROUP BY organization_id, connection_id, invoice_serial_number, currency, issuing_date, profile_id, profile_name, invoice_mode,
               invoice_status, tax_regime, tax_percentage
      HAVING sum(sign) <> 0 OR sum(total_amount) <> 0 OR sum(tax_amount) <> 0 OR sum(finding_count) <> 0
          OR sum(line_states) <> 0 OR min(added_amount) IS DISTINCT FROM min(removed_amount) OR max(added_amount) IS DISTINCT FROM max(removed_amount))
    SELECT (SELECT array_agg(change) FROM of_grains), (SELECT array_agg(change) FROM of_trips),
           (SELECT array_agg(change) FROM of_invoices)
  $statement$, source)
$$;

-- Adds sums to the rows that are there, in the order of their keys.
-- Plans are made for how many there are: one that is kept knows nothing of it.
CREATE FUNCTION add_to_roll_ups(grains line_rollup[], trips trip_rollup[], invoices invoice_rollup[]) RETURNS void
  LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  INSERT INTO line_rollup AS r (organization_id, connection_id, grain, cell, currency, expense_date, related_vertical, cost_center,
    service, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, issuing_date, line_count,
    total_amount, finding_count, line_states)
  SELECT organization_id, connection_id, grain, cell, currency, expense_date, related_vertical, cost_center,
    service, profile_id, profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, issuing_date, line_count,
    total_amount, finding_count, line_states
  FROM unnest(grains) ORDER BY 1, 2, 3, 4
  ON CONFLICT (organization_id, connection_id, grain, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
    total_amount = r.total_amount + excluded.total_amount,
    finding_count = r.finding_count + excluded.finding_count, line_states = r.line_states + excluded.line_states;

  INSERT INTO trip_rollup AS r (organization_id, connection_id, cell, currency, trip_id, issuing_date, dated_label, has_names,
    line_count, total_amount, finding_count, line_states)
  SELECT organization_id, connection_id, cell, currency, trip_id, issuing_date, dated_label, has_names,
    line_count, total_amount, finding_count, line_states
  FROM unnest(trips) ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, connection_id, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
    total_amount = r.total_amount + excluded.total_amount,
    finding_count = r.finding_count + excluded.finding_count, line_states = r.line_states + excluded.line_states,
    dated_label = greatest(r.dated_label, excluded.dated_label),
    has_names = r.has_names OR excluded.has_names OR coalesce(substr(r.dated_label, 12) <> substr(excluded.dated_label, 12), false);

  INSERT INTO invoice_rollup AS r (organization_id, connection_id, invoice_serial_number, cell, currency, issuing_date, profile_id,
    profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, line_count, total_amount, tax_amount, finding_count,
    line_states, least_amount, greatest_amount)
  SELECT organization_id, connection_id, invoice_serial_number, cell, currency, issuing_date, profile_id,
    profile_name, invoice_mode, invoice_status, tax_regime, tax_percentage, line_count, total_amount, tax_amount, finding_count,
    line_states, least_amount, greatest_amount
  FROM unnest(invoices) ORDER BY 1, 2, 3, 4
  ON CONFLICT (organization_id, connection_id, invoice_serial_number, cell) DO UPDATE SET line_count = r.line_count + excluded.line_count,
    total_amount = r.total_amount + excluded.total_amount, tax_amount = r.tax_amount + excluded.tax_amount,
    finding_count = r.finding_count + excluded.finding_count, line_states = r.line_states + excluded.line_states,
    least_amount = least(r.least_amount, excluded.least_amount),
    greatest_amount = greatest(r.greatest_amount, excluded.greatest_amount);
END $$;

-- All of an account anew, into tables that have nothing of it. Called alone: on a cluster no part of a table asks another.
CREATE FUNCTION roll_up_account(organization uuid, connection uuid) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  grains line_rollup[];
  trips trip_rollup[];
  invoices invoice_rollup[];
BEGIN
  EXECUTE to_roll_up_statement(format('SELECT 1 AS sign, * FROM line WHERE organization_id = %L AND connection_id = %L', organization, connection))
    INTO grains, trips, invoices;
  PERFORM add_to_roll_ups(grains, trips, invoices);
END $$;

-- A trip's row is of one month.
-- After the tally's trigger, whose row is this connection's lock (lib/db/trigger-order.ts).
CREATE FUNCTION roll_up_lines() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  gone uuid[];
  grains line_rollup[];
  trips trip_rollup[];
  invoices invoice_rollup[];
  left_labels trip_rollup[];
  owner uuid;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
    EXECUTE to_roll_up_statement('SELECT 1 AS sign, * FROM added') INTO grains, trips, invoices;
  ELSE
    SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
    FROM (SELECT DISTINCT organization_id, connection_id FROM removed) owner;
    IF organizations IS NULL THEN RETURN NULL; END IF;
    FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
      -- a connection that is deleted as a whole takes with it what has no foreign key
      IF TG_OP = 'DELETE' THEN
        SELECT gone || array_agg(o.connection_id) INTO gone
        FROM unnest(organizations, connections) AS o (organization_id, connection_id)
        WHERE o.organization_id = owner
          AND NOT EXISTS (SELECT FROM connection c WHERE c.organization_id = owner AND c.id = o.connection_id);
        IF gone IS NOT NULL THEN
          DELETE FROM line_payload WHERE organization_id = owner AND connection_id = ANY (gone);
          DELETE FROM line_rollup WHERE organization_id = owner AND connection_id = ANY (gone);
          DELETE FROM trip_rollup WHERE organization_id = owner AND connection_id = ANY (gone);
          DELETE FROM invoice_rollup WHERE organization_id = owner AND connection_id = ANY (gone);
        END IF;
      END IF;
      PERFORM FROM connection_tally t
        WHERE t.organization_id = owner AND t.connection_id IN (
          SELECT o.connection_id FROM unnest(organizations, connections) AS o (organization_id, connection_id) WHERE o.organization_id = owner)
        ORDER BY t.connection_id FOR UPDATE;
    END LOOP;
    IF TG_OP = 'UPDATE' THEN
      EXECUTE to_roll_up_statement('SELECT 1 AS sign, * FROM added UNION ALL SELECT -1, * FROM removed')
        INTO grains, trips, invoices;
    ELSE
      EXECUTE to_roll_up_statement(format('SELECT -1 AS sign, * FROM removed WHERE connection_id <> ALL (%L::uuid[])',
        coalesce(gone, '{}'))) INTO grains, trips, invoices;
    END IF;
    SELECT array_agg(ROW(organization_id, connection_id, cell, currency, trip_id, dated_label, 0, 0, 0, issuing_date, false, 0)::trip_rollup)
    INTO left_labels
    FROM (SELECT organization_id, connection_id, currency, trip_id, date_trunc('month', issuing_date)::date AS issuing_date,
                 md5(ROW(trip_id, currency, date_trunc('month', issuing_date)::date)::text)::uuid AS cell,
                 max(expense_date::text || ' ' || trip_name) AS dated_label
          FROM removed WHERE missing_since IS NULL AND connection_id <> ALL (coalesce(gone, '{}'))
          GROUP BY 1, 2, 3, 4, 5) was;
  END IF;

  PERFORM add_to_roll_ups(grains, trips, invoices);
  IF TG_OP = 'INSERT' THEN RETURN NULL; END IF;

  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    -- the name of a trip whose latest line is another one now
    UPDATE trip_rollup t
    SET dated_label = (SELECT max(l.expense_date::text || ' ' || l.trip_name) FROM line l
                       WHERE l.organization_id = owner AND l.connection_id = t.connection_id AND l.currency = t.currency
                         AND (l.trip_id = t.trip_id OR (l.trip_id IS NULL AND t.trip_id IS NULL)) AND l.missing_since IS NULL
                         AND date_trunc('month', l.issuing_date)::date IS NOT DISTINCT FROM t.issuing_date)
    FROM unnest(left_labels) r
    WHERE t.organization_id = owner AND r.organization_id = owner AND t.connection_id = r.connection_id AND t.cell = r.cell
      AND t.dated_label = r.dated_label AND t.line_count > 0
      AND NOT EXISTS (SELECT FROM line l WHERE l.organization_id = owner AND l.connection_id = t.connection_id
                        AND l.currency = t.currency AND l.trip_id = t.trip_id AND l.missing_since IS NULL
                        AND date_trunc('month', l.issuing_date)::date IS NOT DISTINCT FROM t.issuing_date
                        AND l.expense_date::text || ' ' || l.trip_name = t.dated_label);

    -- what no line has any more is no row, and so no choice of a filter
    DELETE FROM line_rollup g USING unnest(organizations, connections) AS o (organization_id, connection_id)
    WHERE g.organization_id = owner AND o.organization_id = owner AND g.connection_id = o.connection_id AND g.line_count = 0;
    DELETE FROM trip_rollup g USING unnest(trips) r
    WHERE g.organization_id = owner AND r.organization_id = owner AND g.connection_id = r.connection_id AND g.cell = r.cell AND g.line_count = 0;
    DELETE FROM invoice_rollup g USING unnest(invoices) r
    WHERE g.organization_id = owner AND r.organization_id = owner AND g.connection_id = r.connection_id
      AND g.invoice_serial_number = r.invoice_serial_number AND g.cell = r.cell AND g.line_count = 0;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER roll_up_added AFTER INSERT ON line REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_lines();

CREATE TRIGGER roll_up_changed AFTER UPDATE ON line REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_lines();

CREATE TRIGGER roll_up_removed AFTER DELETE ON line REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_lines();

CREATE FUNCTION empty_roll_ups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE line_rollup, trip_rollup, invoice_rollup;
  RETURN NULL;
END $$;

CREATE TRIGGER roll_up_emptied AFTER TRUNCATE ON line
  FOR EACH STATEMENT EXECUTE FUNCTION empty_roll_ups();
