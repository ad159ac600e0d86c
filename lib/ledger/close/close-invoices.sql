-- Close: what changes of an invoice beside its lines ends its sign-offs (close.sql).

-- What of an invoice is in its seal, but for its lines.
CREATE FUNCTION sealed_of_invoice(i invoice) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT ROW(i.profile_id, i.mode, i.issuing_date, i.due_date, i.currency, trim_scale(i.total), trim_scale(i.credit_used),
             i.stated_line_count, i.stated_taxes, i.missing_since IS NULL)::text
$$;

-- What is not in the seal, as a status, is told where the month is locked (cause `beside`), and ends nothing.
-- One that is new, or that names another profile or month, brings its lines along: they count where it is.
CREATE FUNCTION end_signed_of_invoices() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  invoices json;
  owner uuid;
  changes json;
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM added) account;
  IF organizations IS NULL OR NOT hold_signed(organizations, connections) THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT json_agg(c) INTO invoices
    FROM (SELECT organization_id, connection_id, serial_number AS invoice, 'invoice' AS cause, false AS was_there, true AS has_moved,
                 NULL AS profile_before, NULL AS month_before, profile_id AS profile_after,
                 date_trunc('month', issuing_date)::date AS month_after, NULL AS before,
                 json_build_object('currency', currency, 'amount', trim_scale(total)::text) AS after,
                 NULL AS before_hash, content_hash AS after_hash
          FROM added) c;
  ELSE
    SELECT json_agg(c) INTO invoices
    FROM (SELECT a.organization_id, a.connection_id, a.serial_number AS invoice,
                 CASE WHEN sealed_of_invoice(r) = sealed_of_invoice(a) THEN 'beside'
                      WHEN (r.missing_since IS NULL) = (a.missing_since IS NULL) THEN 'invoice'
                      WHEN a.missing_since IS NULL THEN 'back' ELSE 'gone' END AS cause, true AS was_there,
                 (r.profile_id, date_trunc('month', r.issuing_date)) IS DISTINCT FROM (a.profile_id, date_trunc('month', a.issuing_date)) AS has_moved,
                 r.profile_id AS profile_before, date_trunc('month', r.issuing_date)::date AS month_before,
                 a.profile_id AS profile_after, date_trunc('month', a.issuing_date)::date AS month_after,
                 json_build_object('currency', r.currency, 'amount', trim_scale(r.total)::text) AS before,
                 json_build_object('currency', a.currency, 'amount', trim_scale(a.total)::text) AS after,
                 r.content_hash AS before_hash, a.content_hash AS after_hash
          FROM removed r JOIN added a USING (organization_id, connection_id, serial_number)
          WHERE sealed_of_invoice(r) <> sealed_of_invoice(a) OR r.content_hash <> a.content_hash) c;
  END IF;
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    changes := place_invoices(owner, invoices);
    CONTINUE WHEN changes IS NULL;
    PERFORM end_signed(owner, changes);
    PERFORM note_drift(owner, changes);
  END LOOP;
  RETURN NULL;
END $$;

-- Where changed invoices count, with the money of the lines that come or go with them: one row for each currency.
CREATE FUNCTION place_invoices(owner uuid, invoices json) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  changes json;
BEGIN
  WITH changed AS MATERIALIZED (
    SELECT * FROM json_to_recordset(invoices) AS c (organization_id uuid, connection_id uuid, invoice text, cause text, was_there boolean,
      has_moved boolean, profile_before text, month_before date, profile_after text, month_after date, before json, after json,
      before_hash text, after_hash text)
    WHERE c.organization_id = owner),
  money AS (
    SELECT c.connection_id, c.invoice, l.currency, sum(l.total_amount) AS amount
    FROM changed c JOIN line l ON l.organization_id = owner AND l.connection_id = c.connection_id
      AND l.invoice_serial_number = c.invoice
    WHERE c.has_moved AND l.missing_since IS NULL GROUP BY 1, 2, 3)
  SELECT json_agg(placed) INTO changes
  FROM (
    SELECT c.connection_id, c.invoice, c.profile_before AS profile_id, c.month_before AS month, c.cause, m.currency AS currency_before,
      m.amount AS amount_before, NULL AS currency_after, NULL::numeric AS amount_after, c.before, c.after, c.before_hash, c.after_hash
    FROM changed c LEFT JOIN money m USING (connection_id, invoice) WHERE c.has_moved AND c.was_there
    UNION ALL
    SELECT c.connection_id, c.invoice, c.profile_after, c.month_after, c.cause, NULL, NULL, m.currency, m.amount,
      c.before, c.after, c.before_hash, c.after_hash
    FROM changed c LEFT JOIN money m USING (connection_id, invoice)) placed;
  RETURN changes;
END $$;

-- Fires last.
CREATE TRIGGER end_signed_added AFTER INSERT ON invoice REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_invoices();

-- Fires last.
CREATE TRIGGER end_signed_changed AFTER UPDATE ON invoice REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_invoices();

-- What is about invoices that have not changed themselves, wherever these count: a comparison, a record that could not be
-- read, a decision. No money moves.
CREATE FUNCTION end_signed_named(organizations uuid[], connections uuid[], invoices text[], lines text[], why text) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  owner uuid;
  changes json;
BEGIN
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    SELECT json_agg(c) INTO changes
    FROM (SELECT n.connection_id, n.invoice, i.profile_id, date_trunc('month', i.issuing_date)::date AS month, n.line_id, why AS cause
          FROM unnest(organizations, connections, invoices, lines) AS n (organization_id, connection_id, invoice, line_id)
          JOIN invoice i ON i.organization_id = owner AND i.connection_id = n.connection_id AND i.serial_number = n.invoice
          WHERE n.organization_id = owner) c;
    CONTINUE WHEN changes IS NULL;
    PERFORM end_signed(owner, changes);
    IF why <> 'decided' THEN PERFORM note_drift(owner, changes); END IF;
  END LOOP;
END $$;

CREATE FUNCTION end_signed_beside() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  invoices text[];
  lines text[];
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM touched) account;
  IF organizations IS NULL OR NOT hold_signed(organizations, connections) THEN RETURN NULL; END IF;
  IF table_of_shard(TG_TABLE_NAME) = 'line_comparison' THEN
    SELECT array_agg(organization_id), array_agg(connection_id), array_agg(invoice_serial_number), array_agg(line_id)
    INTO organizations, connections, invoices, lines
    FROM (SELECT DISTINCT organization_id, connection_id, invoice_serial_number, line_id FROM touched) t;
    PERFORM end_signed_named(organizations, connections, invoices, lines, 'compared');
  ELSE
    SELECT array_agg(organization_id), array_agg(connection_id), array_agg(invoice_serial_number)
    INTO organizations, connections, invoices
    FROM (SELECT DISTINCT organization_id, connection_id, invoice_serial_number FROM touched WHERE invoice_serial_number IS NOT NULL) t;
    PERFORM end_signed_named(organizations, connections, invoices, NULL, 'proof');
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER end_signed_added AFTER INSERT ON line_comparison REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_beside();

CREATE TRIGGER end_signed_changed AFTER UPDATE ON line_comparison REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_beside();

CREATE TRIGGER end_signed_removed AFTER DELETE ON line_comparison REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_beside();

-- A record may name another invoice than before.
-- Fires last.
CREATE TRIGGER end_signed_added AFTER INSERT ON rejected_line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_beside();

-- Fires last.
CREATE TRIGGER end_signed_before_change AFTER UPDATE ON rejected_line REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_beside();

-- Fires last.
CREATE TRIGGER end_signed_changed AFTER UPDATE ON rejected_line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_beside();

-- Fires last.
CREATE TRIGGER end_signed_removed AFTER DELETE ON rejected_line REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_beside();

-- A check is about every account of the organization, a habit about one: their numbers are in each seal.
CREATE FUNCTION end_signed_of_rule() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  -- of a habit; a check is of no account
  account uuid := to_jsonb(NEW) ->> 'connection_id';
  organizations uuid[];
  connections uuid[];
  held record;
  booked date;
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM connection_tally
  WHERE organization_id = NEW.organization_id AND (account IS NULL OR connection_id = account);
  IF organizations IS NULL OR NOT hold_signed(organizations, connections) THEN RETURN NULL; END IF;
  PERFORM end_all_signed(organizations, connections, 'checks');
  FOR held IN
    SELECT k.number, k.connection_id, k.profile_id, k.month FROM period_lock k
    WHERE k.organization_id = NEW.organization_id AND k.connection_id = ANY (connections) AND k.reopened_at IS NULL
  LOOP
    booked := next_open_month(NEW.organization_id, held.connection_id, held.profile_id, held.month);
    INSERT INTO drift (organization_id, lock_number, connection_id, cause, booked_in)
    VALUES (NEW.organization_id, held.number, held.connection_id, 'checks', booked);
  END LOOP;
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER end_signed_set AFTER INSERT ON check_setting FOR EACH ROW EXECUTE FUNCTION end_signed_of_rule();

-- Fires last.
CREATE TRIGGER end_signed_decided AFTER INSERT ON habit_decision FOR EACH ROW EXECUTE FUNCTION end_signed_of_rule();
