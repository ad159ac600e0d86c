-- Close: sign-offs and locks stay true (docs/decisions/062-sign-off.md).
-- Made from:     what people sign and lock (lib/ledger/close/sign-off.ts, lock-period.ts).
-- Kept by:       the triggers here: whatever changes what a seal has ends the sign-off in the same transaction, and is noted
--                as drift where the month is locked. A lock refuses decisions, and never a change of the platform.
-- Taken back by: nothing. Who signs again writes another row.
-- Read by:       /close, an invoice's page, the evidence pack.
-- Compared by:   lib/ledger/close/close-model.test.ts, which makes the seal of each standing sign-off again.
-- Beware:        whoever signs has the tally's row of the account first (tally.sql), and so has each trigger here before it
--                looks for sign-offs: a signature sees every change before it, and a change sees every signature.
--                Codes of their own: TO101 four eyes, TO102 no step before, TO103 locked, TO104 another seal, TO105 a decision
--                is under way, TO106 somebody else's (lib/db/database-trouble.ts).

-- Whether anything of these accounts is signed or locked.
CREATE FUNCTION hold_signed(organizations uuid[], connections uuid[]) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  account record;
  is_signed boolean := false;
BEGIN
  FOR account IN SELECT DISTINCT * FROM unnest(organizations, connections) AS a (organization_id, connection_id) ORDER BY 1, 2 LOOP
    PERFORM FROM connection_tally t
    WHERE t.organization_id = account.organization_id AND t.connection_id = account.connection_id FOR UPDATE;
    is_signed := is_signed
      OR EXISTS (SELECT FROM sign_off s
                 WHERE s.organization_id = account.organization_id AND s.connection_id = account.connection_id AND s.ended_at IS NULL)
      OR EXISTS (SELECT FROM period_lock k
                 WHERE k.organization_id = account.organization_id AND k.connection_id = account.connection_id AND k.reopened_at IS NULL);
  END LOOP;
  RETURN is_signed;
END $$;

-- A change of an invoice, of a line of it, or of what was decided about it; `month` and `profile_id` say where it counts.
-- `amount_before`, `amount_after`: of lines that the platform has. Ends what was signed there, of one organization (`owner`), as
-- all that is named here: a cluster has no statement on a node that asks about several.
CREATE FUNCTION end_signed(owner uuid, changes json) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  fallen_count bigint;
BEGIN
  WITH change AS MATERIALIZED (
    SELECT * FROM json_to_recordset(changes) AS c (connection_id uuid, invoice text, profile_id text, month date,
      line_id text, cause text, currency_before text, amount_before numeric, currency_after text, amount_after numeric, before json, after json)
    WHERE c.cause <> 'beside'),
  fallen AS MATERIALIZED (
    SELECT s.id, c.* FROM change c JOIN sign_off s ON s.organization_id = owner AND s.connection_id = c.connection_id
      AND s.ended_at IS NULL AND s.invoice_serial_number = c.invoice
    UNION ALL
    SELECT s.id, c.* FROM change c JOIN sign_off s ON s.organization_id = owner AND s.connection_id = c.connection_id
      AND s.ended_at IS NULL AND s.month = c.month AND s.profile_id = c.profile_id
    UNION ALL
    SELECT s.id, c.* FROM change c JOIN sign_off s ON s.organization_id = owner AND s.connection_id = c.connection_id
      AND s.ended_at IS NULL AND s.month = c.month AND s.profile_id IS NULL),
  money AS (
    SELECT id, json_agg(json_build_object('currency', currency, 'amount', trim_scale(amount)::text) ORDER BY currency) AS moved
    FROM (SELECT id, currency, sum(amount) AS amount
          FROM (SELECT id, currency_before AS currency, -amount_before AS amount FROM fallen WHERE currency_before IS NOT NULL
                UNION ALL SELECT id, currency_after, amount_after FROM fallen WHERE currency_after IS NOT NULL) part
          GROUP BY 1, 2) summed
    WHERE amount <> 0 GROUP BY 1),
  told AS (
    INSERT INTO sign_off_end (organization_id, sign_off_id, cause, run_id, connection_id, invoice_serial_number, line_id, change_count,
                              before, after, moved)
    SELECT DISTINCT ON (id) owner, id, cause, nullif(current_setting('tieout.run_id', true), '')::uuid,
      connection_id, invoice, line_id, count(*) OVER (PARTITION BY id), before, after, coalesce(moved, '[]')
    FROM fallen LEFT JOIN money USING (id)
    ORDER BY id, invoice COLLATE "C", line_id COLLATE "C"
    ON CONFLICT DO NOTHING
    RETURNING 1)
  SELECT count(*) INTO fallen_count FROM told;
END $$;

-- The first month after a locked one that is open: where its drift is booked. `profile`: null of an account's month.
CREATE FUNCTION next_open_month(organization uuid, connection uuid, profile text, locked date) RETURNS date LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT min(each)::date FROM generate_series(locked + interval '1 month', locked + interval '20 years', '1 month') each
    WHERE NOT EXISTS (
      SELECT FROM period_lock k
      WHERE k.organization_id = organization AND k.connection_id = connection AND k.month = each::date AND k.reopened_at IS NULL
        AND (k.profile_id IS NULL OR k.profile_id = profile)));
END $$;

-- The same changes, of the platform's, where the month is locked.
CREATE FUNCTION note_drift(owner uuid, changes json) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  held record;
  numbers bigint[] := '{}';
  months date[] := '{}';
  noted bigint;
BEGIN
  FOR held IN
    SELECT DISTINCT k.number, k.connection_id, k.profile_id, k.month
    FROM json_to_recordset(changes) AS c (connection_id uuid, profile_id text, month date)
    JOIN period_lock k ON k.organization_id = owner AND k.connection_id = c.connection_id AND k.month = c.month
      AND (k.profile_id IS NULL OR k.profile_id = c.profile_id)
    WHERE k.reopened_at IS NULL
  LOOP
    numbers := numbers || held.number;
    months := months || next_open_month(owner, held.connection_id, held.profile_id, held.month);
  END LOOP;
  IF numbers = '{}' THEN RETURN; END IF;
  WITH told AS (
    INSERT INTO drift (organization_id, lock_number, connection_id, invoice_serial_number, line_id, cause, run_id, currency_before,
                       amount_before, currency_after, amount_after, before_hash, after_hash, booked_in)
    SELECT owner, k.number, c.connection_id, c.invoice, c.line_id, c.cause,
      nullif(current_setting('tieout.run_id', true), '')::uuid, c.currency_before, c.amount_before, c.currency_after, c.amount_after,
      c.before_hash, c.after_hash, booked.month
    FROM json_to_recordset(changes) AS c (connection_id uuid, invoice text, profile_id text, month date,
      line_id text, cause text, currency_before text, amount_before numeric, currency_after text, amount_after numeric,
      before_hash text, after_hash text)
    JOIN period_lock k ON k.organization_id = owner AND k.connection_id = c.connection_id AND k.month = c.month
      AND (k.profile_id IS NULL OR k.profile_id = c.profile_id)
    JOIN unnest(numbers, months) AS booked (number, month) ON booked.number = k.number
    RETURNING 1)
  SELECT count(*) INTO noted FROM told;
END $$;

-- Changed lines, where they count: at their invoice. One that names another invoice than before leaves one and comes to the
-- other; one whose invoice is not there counts nowhere.
CREATE FUNCTION place_lines(owner uuid, lines json) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  changes json;
BEGIN
  WITH changed AS MATERIALIZED (
    SELECT * FROM json_to_recordset(lines) AS c (organization_id uuid, connection_id uuid, line_id text, invoice_before text,
      invoice_after text, currency_before text, amount_before numeric, currency_after text, amount_after numeric, before_hash text,
      after_hash text, was_held boolean, is_held boolean, cause text)
    WHERE c.organization_id = owner),
  placed AS (
    SELECT c.*, invoice_before AS invoice, was_held AS counts_before, is_held AND invoice_before = invoice_after AS counts_after
    FROM changed c WHERE invoice_before IS NOT NULL
    UNION ALL
    SELECT c.*, invoice_after, false, is_held FROM changed c WHERE invoice_before IS DISTINCT FROM invoice_after)
  SELECT json_agg(c) INTO changes
  FROM (SELECT p.connection_id, p.invoice, i.profile_id, date_trunc('month', i.issuing_date)::date AS month,
               p.line_id, p.cause,
               CASE WHEN counts_before THEN currency_before END AS currency_before,
               CASE WHEN counts_before THEN amount_before END AS amount_before,
               CASE WHEN counts_after THEN currency_after END AS currency_after,
               CASE WHEN counts_after THEN amount_after END AS amount_after,
               CASE WHEN currency_before IS NOT NULL
                    THEN json_build_object('currency', currency_before, 'amount', trim_scale(amount_before)::text) END AS before,
               CASE WHEN currency_after IS NOT NULL
                    THEN json_build_object('currency', currency_after, 'amount', trim_scale(amount_after)::text) END AS after,
               before_hash, after_hash
        FROM placed p JOIN invoice i ON i.organization_id = owner AND i.connection_id = p.connection_id
          AND i.serial_number = p.invoice) c;
  RETURN changes;
END $$;

CREATE FUNCTION end_signed_in(lines json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  changes json;
BEGIN
  FOR owner IN SELECT DISTINCT organization_id FROM json_to_recordset(lines) AS c (organization_id uuid) ORDER BY 1 LOOP
    changes := place_lines(owner, lines);
    CONTINUE WHEN changes IS NULL;
    PERFORM end_signed(owner, changes);
    PERFORM note_drift(owner, changes);
  END LOOP;
END $$;

CREATE FUNCTION end_signed_of_new_lines() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  lines json;
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM added) account;
  IF organizations IS NULL OR NOT hold_signed(organizations, connections) THEN RETURN NULL; END IF;
  SELECT json_agg(c) INTO lines
  FROM (SELECT organization_id, connection_id, invoice_serial_number AS invoice_after, id AS line_id, 'new_line' AS cause,
               currency AS currency_after, total_amount AS amount_after, missing_since IS NULL AS is_held, content_hash AS after_hash
        FROM added) c;
  PERFORM end_signed_in(lines);
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER end_signed_added AFTER INSERT ON line REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_new_lines();

CREATE FUNCTION end_signed_of_lines() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  lines json;
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM added) account;
  IF organizations IS NULL OR NOT hold_signed(organizations, connections) THEN RETURN NULL; END IF;
  SELECT json_agg(c) INTO lines
  FROM (SELECT r.organization_id, r.connection_id, r.id AS line_id, r.invoice_serial_number AS invoice_before,
               a.invoice_serial_number AS invoice_after, r.currency AS currency_before, r.total_amount AS amount_before,
               a.currency AS currency_after, a.total_amount AS amount_after, r.content_hash AS before_hash, a.content_hash AS after_hash,
               r.missing_since IS NULL AS was_held, a.missing_since IS NULL AS is_held,
               CASE WHEN (r.missing_since IS NULL) <> (a.missing_since IS NULL)
                    THEN CASE WHEN a.missing_since IS NULL THEN 'back' ELSE 'gone' END
                    WHEN (r.invoice_serial_number, r.currency, r.quantity, r.unit_price, r.non_taxable_unit_price, r.tax_percentage,
                          r.tax_regime, r.tax_amount, r.total_amount) IS DISTINCT FROM
                         (a.invoice_serial_number, a.currency, a.quantity, a.unit_price, a.non_taxable_unit_price, a.tax_percentage,
                          a.tax_regime, a.tax_amount, a.total_amount) THEN 'changed'
                    ELSE 'proof' END AS cause
        FROM removed r JOIN added a USING (organization_id, connection_id, id)
        WHERE (r.invoice_serial_number, r.currency, r.quantity, r.unit_price, r.non_taxable_unit_price, r.tax_percentage,
               r.tax_regime, r.tax_amount, r.total_amount, r.finding_codes, coalesce(r.explained_codes, '{}'), r.missing_since IS NULL)
              IS DISTINCT FROM
              (a.invoice_serial_number, a.currency, a.quantity, a.unit_price, a.non_taxable_unit_price, a.tax_percentage,
               a.tax_regime, a.tax_amount, a.total_amount, a.finding_codes, coalesce(a.explained_codes, '{}'), a.missing_since IS NULL)) c;
  PERFORM end_signed_in(lines);
  RETURN NULL;
END $$;

-- By its name it fires before what was decided falls (review.sql): the cause is what changed.
-- Fires last.
CREATE TRIGGER end_signed_changed AFTER UPDATE ON line REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_lines();

-- Only the deletion of an account's data deletes lines and invoices: what was signed of them ends, and nothing drifts.
CREATE FUNCTION end_signed_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM removed) account;
  IF organizations IS NULL OR NOT hold_signed(organizations, connections) THEN RETURN NULL; END IF;
  PERFORM end_all_signed(organizations, connections, 'gone');
  RETURN NULL;
END $$;

CREATE FUNCTION end_all_signed(organizations uuid[], connections uuid[], why text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  ended bigint;
BEGIN
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    WITH told AS (
      INSERT INTO sign_off_end (organization_id, sign_off_id, cause, connection_id)
      SELECT owner, s.id, why, s.connection_id
      FROM unnest(organizations, connections) AS a (organization_id, connection_id)
      JOIN sign_off s ON s.organization_id = owner AND s.connection_id = a.connection_id
      WHERE a.organization_id = owner AND s.ended_at IS NULL
      ON CONFLICT DO NOTHING
      RETURNING 1)
    SELECT count(*) INTO ended FROM told;
  END LOOP;
END $$;

-- Fires last.
CREATE TRIGGER end_signed_removed AFTER DELETE ON line REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_deleted();

-- Fires last.
CREATE TRIGGER end_signed_removed AFTER DELETE ON invoice REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_deleted();
