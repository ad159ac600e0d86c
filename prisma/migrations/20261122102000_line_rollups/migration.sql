SELECT set_config('tieout.scope', 'system', true);

-- Sums of lines that the platform still has, exact, kept in the transaction that changes the lines: a page reads a few
-- thousand rows and not a million (docs/decisions/016-roll-ups.md). Columns are named as in `line`, so one condition serves
-- both. `cell` stands for the row's keys, however long they are, and tells an unknown one from an empty one. There are no
-- foreign keys: the lines have one, and checking it again for each sum would cost more than the sum.

-- The same holds for the records. And PostgreSQL compresses no row below two kilobytes, whatever a table says.
ALTER TABLE line_payload DROP CONSTRAINT line_payload_organization_id_connection_id_fkey;
ALTER TABLE line_payload RESET (toast_tuple_target);

-- Few rows: one set of columns per `grain`; the others are null. `expense_date` is the month's first day.
CREATE TABLE line_rollup (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  grain            text NOT NULL,
  cell             uuid NOT NULL,
  currency         text NOT NULL,
  expense_date     date,
  related_vertical text,
  cost_center      text,
  service          text,
  profile_id       text,
  profile_name     text,
  invoice_mode     text,
  invoice_status   text,
  tax_regime       text,
  tax_percentage   numeric,
  line_count       integer NOT NULL,
  total_amount     numeric NOT NULL,
  finding_count    integer NOT NULL,
  PRIMARY KEY (organization_id, connection_id, grain, cell)
) WITH (fillfactor = 60);

-- One row per trip and currency. `dated_label`: the day and the trip's name on it, of the latest line that has a name.
CREATE TABLE trip_rollup (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  cell             uuid NOT NULL,
  currency         text NOT NULL,
  trip_id          text,
  dated_label      text,
  line_count       integer NOT NULL,
  total_amount     numeric NOT NULL,
  finding_count    integer NOT NULL,
  PRIMARY KEY (organization_id, connection_id, cell)
) WITH (fillfactor = 80);
CREATE INDEX trip_rollup_by_trip ON trip_rollup (organization_id, trip_id);
-- The beginning of the name is enough for an order, and an index takes no long texts.
CREATE INDEX trip_rollup_by_label ON trip_rollup (organization_id, (left(coalesce(substr(dated_label, 12), trip_id), 100)), trip_id);

-- What each invoice's lines add up to, by currency and tax, with what its lines repeat of it.
CREATE TABLE invoice_rollup (
  organization_id        uuid NOT NULL,
  connection_id          uuid NOT NULL,
  invoice_serial_number  text NOT NULL,
  cell                   uuid NOT NULL,
  currency               text NOT NULL,
  issuing_date           date,
  profile_id             text,
  profile_name           text,
  invoice_mode           text,
  invoice_status         text,
  tax_regime             text,
  tax_percentage         numeric,
  line_count             integer NOT NULL,
  total_amount           numeric NOT NULL,
  tax_amount             numeric NOT NULL,
  finding_count          integer NOT NULL,
  PRIMARY KEY (organization_id, connection_id, invoice_serial_number, cell)
) WITH (fillfactor = 80);

-- The statement that adds to the roll-ups what `source` says: rows of `line` with a `sign`, 1 for each that counts now and -1
-- for each that counted before. Keys are written in order, so two writers of one connection wait and never lock each other.
CREATE FUNCTION to_roll_up_statement(source text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($statement$
    WITH delta AS MATERIALIZED (
      SELECT sign, organization_id, connection_id, invoice_serial_number, currency, date_trunc('month', expense_date)::date AS expense_date,
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
                 WHEN b'001111'::int THEN 'month_vertical' WHEN b'010111'::int THEN 'month_cost_center'
                 WHEN b'100111'::int THEN 'cost_center_vertical' WHEN b'101011'::int THEN 'service'
                 WHEN b'011101'::int THEN 'month_profile' WHEN b'011110'::int THEN 'month_tax' END AS grain,
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

-- After the tally's trigger, whose row is this connection's lock: triggers of one event fire in the order of their names.
CREATE FUNCTION roll_up_lines() RETURNS trigger LANGUAGE plpgsql AS $$
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
                       AND (l.trip_id = t.trip_id OR (l.trip_id IS NULL AND t.trip_id IS NULL)) AND l.missing_since IS NULL)
  FROM (SELECT organization_id, connection_id, md5(ROW(trip_id, currency)::text)::uuid AS cell, max(expense_date::text || ' ' || trip_name) AS dated_label
        FROM removed WHERE missing_since IS NULL GROUP BY 1, 2, 3) r
  WHERE t.organization_id = r.organization_id AND t.connection_id = r.connection_id AND t.cell = r.cell
    AND t.dated_label = r.dated_label AND t.line_count > 0
    AND NOT EXISTS (SELECT FROM line l WHERE l.organization_id = t.organization_id AND l.connection_id = t.connection_id
                      AND l.currency = t.currency AND l.trip_id = t.trip_id AND l.missing_since IS NULL
                      AND l.expense_date::text || ' ' || l.trip_name = t.dated_label);

  -- what no line has any more is no row, and so no choice of a filter
  DELETE FROM line_rollup g USING (SELECT DISTINCT organization_id, connection_id FROM removed) r
  WHERE g.organization_id = r.organization_id AND g.connection_id = r.connection_id AND g.line_count = 0;
  DELETE FROM trip_rollup g USING (SELECT DISTINCT organization_id, connection_id, md5(ROW(trip_id, currency)::text)::uuid AS cell FROM removed) r
  WHERE g.organization_id = r.organization_id AND g.connection_id = r.connection_id AND g.cell = r.cell AND g.line_count = 0;
  DELETE FROM invoice_rollup g USING (SELECT DISTINCT organization_id, connection_id, invoice_serial_number FROM removed) r
  WHERE g.organization_id = r.organization_id AND g.connection_id = r.connection_id
    AND g.invoice_serial_number = r.invoice_serial_number AND g.line_count = 0;
  RETURN NULL;
END $$;
CREATE FUNCTION empty_roll_ups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE line_rollup, trip_rollup, invoice_rollup;
  RETURN NULL;
END $$;

CREATE TRIGGER roll_up_added AFTER INSERT ON line REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_lines();
CREATE TRIGGER roll_up_changed AFTER UPDATE ON line REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_lines();
CREATE TRIGGER roll_up_removed AFTER DELETE ON line REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION roll_up_lines();
CREATE TRIGGER roll_up_emptied AFTER TRUNCATE ON line
  FOR EACH STATEMENT EXECUTE FUNCTION empty_roll_ups();

DO $$
DECLARE
  rollup text;
BEGIN
  EXECUTE to_roll_up_statement('SELECT 1 AS sign, * FROM line');
  FOREACH rollup IN ARRAY ARRAY['line_rollup', 'trip_rollup', 'invoice_rollup']
  LOOP
    EXECUTE format('ANALYZE %I', rollup);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', rollup);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', rollup);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, rollup);
  END LOOP;
END $$;

-- With the roll-ups, which also grow from nothing during a first backfill; of lines and records only what a query compares:
-- looking at whole records takes a second each time.
CREATE OR REPLACE FUNCTION refresh_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  ANALYZE public.line (organization_id, connection_id, id, invoice_serial_number, profile_id, profile_name, invoice_mode,
      invoice_status, issuing_date, currency, expense_date, total_amount, trip_id, trip_name, service, related_vertical, cost_center,
      tax_regime, tax_percentage, finding_count, finding_codes, first_seen_at, changed_at, missing_since, text_hash, proof_version),
    public.line_payload (organization_id, connection_id, line_id), public.invoice, public.profile, public.rejected_line,
    public.line_rollup, public.trip_rollup, public.invoice_rollup;
END $$;
