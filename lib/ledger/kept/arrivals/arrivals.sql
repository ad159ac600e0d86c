-- Arrivals: what lines were when they came, summed by the day on which they did: a bridge over many months asks what came since,
-- and nobody reads most of a ledger for that (docs/decisions/065-bridge-of-moments.md).
-- Made from:     each line as it came: its first past (pasts.sql), or the line itself where it has none.
-- Kept by:       the triggers here, in the transaction that brings a line. What changes later is told by its pasts.
-- Taken back by: the trigger of lines that are deleted, with their account's data. What came stays what it was until then.
-- Read by:       lib/ledger/history/arrivals.ts.
-- Compared by:   `npm run doctor -- figures`, by `computed_arrival_sum`; moments.test.ts, with a rebuild from the records.
-- Beware:        days are of UTC. A line that changes within the transaction that brought it came as it is at its end.

CREATE TABLE IF NOT EXISTS arrival_sum (
  organization_id uuid NOT NULL,
  connection_id   uuid NOT NULL,
  seen_on         date NOT NULL,
  cell            uuid NOT NULL,
  currency        text NOT NULL,
  profile_id      text,
  -- its first day
  issuing_month   date,
  line_count      bigint NOT NULL,
  total_amount    numeric NOT NULL,
  -- of these, the lines below zero
  below_count     bigint NOT NULL,
  below_amount    numeric NOT NULL,
  PRIMARY KEY (organization_id, connection_id, seen_on, cell)
);

CREATE FUNCTION arrival_cell(currency text, profile text, issuing_month date) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT md5(ROW(currency, profile, issuing_month)::text)::uuid
$$;

CREATE FUNCTION computed_arrival_sum(organization uuid, connection uuid) RETURNS SETOF arrival_sum LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY
  SELECT organization, connection, seen_on, arrival_cell(currency, profile_id, issuing_month), currency, profile_id, issuing_month,
         count(*), sum(total_amount), count(*) FILTER (WHERE total_amount < 0), coalesce(sum(total_amount) FILTER (WHERE total_amount < 0), 0)
  FROM (
    SELECT (l.first_seen_at AT TIME ZONE 'UTC')::date AS seen_on, c.currency, c.profile_id,
           date_trunc('month', c.issuing_date)::date AS issuing_month, c.total_amount, c.is_gone
    FROM line l
    LEFT JOIN (SELECT DISTINCT ON (p.line_id) p.* FROM line_past p
               WHERE p.organization_id = organization AND p.connection_id = connection ORDER BY p.line_id, p.id) p ON p.line_id = l.id
    CROSS JOIN LATERAL (
      SELECT p.currency, p.profile_id, p.issuing_date, p.total_amount, p.is_gone WHERE p.line_id IS NOT NULL
      UNION ALL
      SELECT l.currency, l.profile_id, l.issuing_date, l.total_amount, l.missing_since IS NOT NULL WHERE p.line_id IS NULL) c
    WHERE l.organization_id = organization AND l.connection_id = connection) came
  WHERE NOT is_gone GROUP BY seen_on, currency, profile_id, issuing_month;
END $$;

CREATE FUNCTION add_to_arrival_sums(changes arrival_sum[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO arrival_sum AS s SELECT * FROM unnest(changes) ORDER BY 1, 2, 3, 4
  ON CONFLICT (organization_id, connection_id, seen_on, cell) DO UPDATE SET line_count = s.line_count + excluded.line_count,
    total_amount = s.total_amount + excluded.total_amount, below_count = s.below_count + excluded.below_count,
    below_amount = s.below_amount + excluded.below_amount;
END $$;

CREATE FUNCTION sum_arrivals() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes arrival_sum[];
BEGIN
  SELECT array_agg(ROW(organization_id, connection_id, seen_on, arrival_cell(currency, profile_id, issuing_month), currency, profile_id,
                       issuing_month, lines, total, below, below_total)::arrival_sum) INTO changes
  FROM (SELECT organization_id, connection_id, (first_seen_at AT TIME ZONE 'UTC')::date AS seen_on, currency, profile_id,
               date_trunc('month', issuing_date)::date AS issuing_month, count(*) AS lines, sum(total_amount) AS total,
               count(*) FILTER (WHERE total_amount < 0) AS below,
               coalesce(sum(total_amount) FILTER (WHERE total_amount < 0), 0) AS below_total
        FROM added WHERE missing_since IS NULL GROUP BY 1, 2, 3, 4, 5, 6) came;
  IF changes IS NOT NULL THEN PERFORM add_to_arrival_sums(changes); END IF;
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER sum_arrivals AFTER INSERT ON line REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sum_arrivals();

-- Of one line: what it came as is another one. `sign`: -1 for what it was.
CREATE FUNCTION to_arrival(organization uuid, connection uuid, first_seen_at timestamptz, currency text, profile_id text, issuing_date date,
                           total_amount numeric, sign int) RETURNS arrival_sum LANGUAGE sql STABLE AS $$
  SELECT ROW(organization, connection, (first_seen_at AT TIME ZONE 'UTC')::date,
             arrival_cell(currency, profile_id, date_trunc('month', issuing_date)::date), currency, profile_id,
             date_trunc('month', issuing_date)::date, sign, sign * total_amount, CASE WHEN total_amount < 0 THEN sign ELSE 0 END,
             CASE WHEN total_amount < 0 THEN sign * total_amount ELSE 0 END)::arrival_sum
$$;

CREATE FUNCTION correct_arrival() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- one after the other: both may be of one cell
  PERFORM add_to_arrival_sums(ARRAY[to_arrival(old.organization_id, old.connection_id, old.first_seen_at, old.currency, old.profile_id,
    old.issuing_date, old.total_amount, -1)]);
  PERFORM add_to_arrival_sums(ARRAY[to_arrival(new.organization_id, new.connection_id, new.first_seen_at, new.currency, new.profile_id,
    new.issuing_date, new.total_amount, 1)]);
  DELETE FROM arrival_sum s
  WHERE s.organization_id = old.organization_id AND s.connection_id = old.connection_id
    AND s.seen_on = (old.first_seen_at AT TIME ZONE 'UTC')::date AND s.line_count = 0;
  RETURN NULL;
END $$;

-- What pasts.sql keeps no past of.
-- Fires last.
CREATE TRIGGER correct_arrival AFTER UPDATE ON line FOR EACH ROW
  WHEN (old.first_seen_at = now()
        AND (old.total_amount <> new.total_amount OR old.currency <> new.currency OR old.profile_id IS DISTINCT FROM new.profile_id
             OR old.issuing_date IS DISTINCT FROM new.issuing_date))
  EXECUTE FUNCTION correct_arrival();

CREATE FUNCTION take_back_arrivals() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  lines public.line[];
  connections uuid[];
  ids text[];
  pasts line_past[];
  changes arrival_sum[];
  owner uuid;
BEGIN
  SELECT array_agg(ROW(r.*)::public.line), array_agg(DISTINCT r.connection_id), array_agg(r.id) INTO lines, connections, ids
  FROM removed r;
  IF lines IS NULL THEN RETURN NULL; END IF;
  FOR owner IN SELECT DISTINCT l.organization_id FROM unnest(lines) l ORDER BY 1 LOOP
    SELECT pasts || array_agg(ROW(p.*)::line_past) INTO pasts
    FROM (SELECT DISTINCT ON (connection_id, line_id) * FROM line_past
          WHERE organization_id = owner AND connection_id = ANY (connections) AND line_id = ANY (ids) ORDER BY connection_id, line_id, id) p;
  END LOOP;
  SELECT array_agg(ROW(organization_id, connection_id, seen_on, arrival_cell(currency, profile_id, issuing_month), currency, profile_id,
                       issuing_month, -count, -total, -below, -below_total)::arrival_sum) INTO changes
  FROM (SELECT l.organization_id, l.connection_id, (l.first_seen_at AT TIME ZONE 'UTC')::date AS seen_on, c.currency, c.profile_id,
               date_trunc('month', c.issuing_date)::date AS issuing_month, count(*) AS count, sum(c.total_amount) AS total,
               count(*) FILTER (WHERE c.total_amount < 0) AS below,
               coalesce(sum(c.total_amount) FILTER (WHERE c.total_amount < 0), 0) AS below_total
        FROM unnest(lines) l
        LEFT JOIN unnest(pasts) p ON p.organization_id = l.organization_id AND p.connection_id = l.connection_id AND p.line_id = l.id
        CROSS JOIN LATERAL (
          SELECT p.currency, p.profile_id, p.issuing_date, p.total_amount, p.is_gone WHERE p.line_id IS NOT NULL
          UNION ALL
          SELECT l.currency, l.profile_id, l.issuing_date, l.total_amount, l.missing_since IS NOT NULL WHERE p.line_id IS NULL) c
        WHERE NOT c.is_gone GROUP BY 1, 2, 3, 4, 5, 6) came;
  IF changes IS NOT NULL THEN PERFORM add_to_arrival_sums(changes); END IF;
  -- pasts may be deleted before their lines
  FOR owner IN SELECT DISTINCT l.organization_id FROM unnest(lines) l ORDER BY 1 LOOP
    DELETE FROM arrival_sum s USING (SELECT DISTINCT connection_id FROM unnest(lines) WHERE organization_id = owner) a
    WHERE s.organization_id = owner AND s.connection_id = a.connection_id
      AND (s.line_count = 0 OR NOT EXISTS (
        SELECT FROM public.line l WHERE l.organization_id = owner AND l.connection_id = s.connection_id));
  END LOOP;
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER arrivals_removed AFTER DELETE ON line REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION take_back_arrivals();

CREATE FUNCTION forget_arrivals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE arrival_sum;
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER arrivals_emptied AFTER TRUNCATE ON line FOR EACH STATEMENT EXECUTE FUNCTION forget_arrivals();

SELECT keep_answer('arrival_sum');
