-- Close: the order of steps, four eyes, and no decision in a locked month, for whoever writes: routes, rules, jobs, keys.

-- Whether a lock in force holds this person back: one without an exception of theirs. Nobody (null) has one, and is no part of a
-- condition by `=`: where a cluster knows that no row can meet it, it no longer knows whose rows are meant.
CREATE FUNCTION is_locked_for(organization uuid, connection uuid, profile text, of_month date, person uuid) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM period_lock k
    WHERE k.organization_id = organization AND k.connection_id = connection AND k.month = of_month AND k.reopened_at IS NULL
      AND (k.profile_id IS NULL OR k.profile_id = profile)
      AND NOT EXISTS (
        SELECT FROM lock_exception e
        WHERE e.organization_id = organization AND e.lock_number = k.number
          AND e.person_id IS NOT DISTINCT FROM person AND e.ended_at IS NULL
          AND e.until > statement_timestamp()));
END $$;

CREATE FUNCTION refuse_locked() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the period is locked' USING ERRCODE = 'TO103';
END $$;

CREATE FUNCTION check_sign_off() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  prepared sign_off;
  of_profile text := NEW.profile_id;
  of_month date := NEW.month;
BEGIN
  PERFORM FROM connection_tally WHERE organization_id = NEW.organization_id AND connection_id = NEW.connection_id FOR UPDATE;
  IF NEW.scope_kind = 'invoice' THEN
    SELECT profile_id, date_trunc('month', issuing_date)::date INTO of_profile, of_month FROM invoice
    WHERE organization_id = NEW.organization_id AND connection_id = NEW.connection_id AND serial_number = NEW.invoice_serial_number;
  END IF;
  IF is_locked_for(NEW.organization_id, NEW.connection_id, of_profile, of_month, NEW.actor_id) THEN PERFORM refuse_locked(); END IF;
  IF NEW.step = 'prepared' THEN RETURN NEW; END IF;
  SELECT * INTO prepared FROM sign_off s
  WHERE s.organization_id = NEW.organization_id AND s.connection_id = NEW.connection_id AND s.step = 'prepared' AND s.ended_at IS NULL
    AND (s.scope_kind, s.profile_id, s.month, s.invoice_serial_number)
        IS NOT DISTINCT FROM (NEW.scope_kind, NEW.profile_id, NEW.month, NEW.invoice_serial_number);
  IF prepared.id IS NULL THEN
    RAISE EXCEPTION 'nothing is prepared to be approved' USING ERRCODE = 'TO102';
  END IF;
  IF prepared.actor_id = NEW.actor_id
     AND coalesce((SELECT four_eyes FROM organization WHERE id = NEW.organization_id), true) THEN
    RAISE EXCEPTION 'who prepared it may not approve it' USING ERRCODE = 'TO101';
  END IF;
  IF prepared.seal <> NEW.seal THEN
    RAISE EXCEPTION 'it is not what was prepared' USING ERRCODE = 'TO104';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER sign_off_is_allowed BEFORE INSERT ON sign_off FOR EACH ROW EXECUTE FUNCTION check_sign_off();

-- A sign-off ends once, by a row that says why.
CREATE FUNCTION check_sign_off_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL OR NOT EXISTS (
    SELECT FROM sign_off_end e WHERE e.organization_id = NEW.organization_id AND e.sign_off_id = NEW.id AND e.at = NEW.ended_at) THEN
    RAISE EXCEPTION 'sign_off is append-only' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER sign_off_ends_once BEFORE UPDATE OF ended_at ON sign_off FOR EACH ROW EXECUTE FUNCTION check_sign_off_ended();

-- Only who signed withdraws, not under an approval and not in a locked month.
CREATE FUNCTION check_sign_off_end() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended sign_off;
BEGIN
  IF NEW.cause <> 'withdrawn' THEN RETURN NEW; END IF;
  PERFORM FROM connection_tally WHERE organization_id = NEW.organization_id AND connection_id = NEW.connection_id FOR UPDATE;
  SELECT * INTO ended FROM sign_off WHERE organization_id = NEW.organization_id AND id = NEW.sign_off_id;
  IF ended.actor_id IS DISTINCT FROM NEW.actor_id THEN
    RAISE EXCEPTION 'somebody else signed it' USING ERRCODE = 'TO106';
  END IF;
  IF EXISTS (SELECT FROM period_lock WHERE organization_id = NEW.organization_id AND sign_off_id = NEW.sign_off_id AND reopened_at IS NULL) THEN
    PERFORM refuse_locked();
  END IF;
  IF ended.step = 'prepared' AND EXISTS (
    SELECT FROM sign_off s
    WHERE s.organization_id = ended.organization_id AND s.connection_id = ended.connection_id AND s.step = 'approved' AND s.ended_at IS NULL
      AND (s.scope_kind, s.profile_id, s.month, s.invoice_serial_number)
          IS NOT DISTINCT FROM (ended.scope_kind, ended.profile_id, ended.month, ended.invoice_serial_number)) THEN
    RAISE EXCEPTION 'it is approved: the approval goes first' USING ERRCODE = 'TO102';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER sign_off_end_is_allowed BEFORE INSERT ON sign_off_end FOR EACH ROW EXECUTE FUNCTION check_sign_off_end();

CREATE FUNCTION end_sign_off() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sign_off SET ended_at = NEW.at WHERE organization_id = NEW.organization_id AND id = NEW.sign_off_id;
  RETURN NULL;
END $$;

CREATE TRIGGER sign_off_end_ends AFTER INSERT ON sign_off_end FOR EACH ROW EXECUTE FUNCTION end_sign_off();

-- A lock stands on an approval of the very month, while no decision about it is still being applied.
CREATE FUNCTION check_period_lock() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  PERFORM FROM connection_tally WHERE organization_id = NEW.organization_id AND connection_id = NEW.connection_id FOR UPDATE;
  IF NOT EXISTS (
    SELECT FROM sign_off s
    WHERE s.organization_id = NEW.organization_id AND s.id = NEW.sign_off_id AND s.step = 'approved' AND s.ended_at IS NULL
      AND (s.scope_kind, s.connection_id, s.profile_id, s.month)
          IS NOT DISTINCT FROM (NEW.scope_kind, NEW.connection_id, NEW.profile_id, NEW.month)) THEN
    RAISE EXCEPTION 'nothing is approved to be locked' USING ERRCODE = 'TO102';
  END IF;
  IF EXISTS (
    SELECT FROM decision d JOIN decision_part p ON p.organization_id = d.organization_id AND p.decision = d.number
    JOIN invoice i ON i.organization_id = p.organization_id AND i.connection_id = p.connection_id AND i.serial_number = p.invoice_serial_number
    WHERE d.organization_id = NEW.organization_id AND d.state = 'applying' AND p.connection_id = NEW.connection_id
      AND date_trunc('month', i.issuing_date)::date = NEW.month AND (NEW.profile_id IS NULL OR i.profile_id = NEW.profile_id)) THEN
    RAISE EXCEPTION 'a decision about it is under way' USING ERRCODE = 'TO105';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER period_lock_is_allowed BEFORE INSERT ON period_lock FOR EACH ROW EXECUTE FUNCTION check_period_lock();

-- What was signed of a month that is opened again belongs to the generation before.
CREATE FUNCTION supersede_sign_offs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  signed record;
BEGIN
  -- the approval falls before what it stands on
  FOR signed IN
    SELECT s.id, s.connection_id FROM sign_off s
    WHERE s.organization_id = NEW.organization_id AND s.ended_at IS NULL
      AND (s.scope_kind, s.connection_id, s.profile_id, s.month)
          IS NOT DISTINCT FROM (NEW.scope_kind, NEW.connection_id, NEW.profile_id, NEW.month)
    ORDER BY s.step
  LOOP
    INSERT INTO sign_off_end (organization_id, sign_off_id, cause, connection_id, actor_kind, actor_id, actor_name, note)
    VALUES (NEW.organization_id, signed.id, 'superseded', signed.connection_id, 'person', NEW.reopened_by, NEW.reopened_by_name,
            NEW.reopen_reason);
  END LOOP;
  UPDATE lock_exception SET ended_at = NEW.reopened_at
  WHERE organization_id = NEW.organization_id AND lock_number = NEW.number AND ended_at IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER period_lock_reopens AFTER UPDATE OF reopened_at ON period_lock FOR EACH ROW EXECUTE FUNCTION supersede_sign_offs();

-- A decision names its lines and invoices before anything of it is applied: here it is refused, whoever makes it.
CREATE FUNCTION refuse_decided_in_lock() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  invoices text[];
  decisions bigint[];
  owner uuid;
  place record;
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id), array_agg(invoice_serial_number), array_agg(decision)
  INTO organizations, connections, invoices, decisions
  FROM added;
  IF organizations IS NULL OR NOT hold_signed(organizations, connections) THEN RETURN NULL; END IF;
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    FOR place IN
      SELECT DISTINCT i.connection_id, i.profile_id, date_trunc('month', i.issuing_date)::date AS month, d.actor_id
      FROM unnest(organizations, connections, invoices, decisions) AS a (organization_id, connection_id, invoice_serial_number, decision)
      JOIN decision d ON d.organization_id = owner AND d.number = a.decision
      JOIN invoice i ON i.organization_id = owner AND i.connection_id = a.connection_id AND i.serial_number = a.invoice_serial_number
      WHERE a.organization_id = owner
    LOOP
      IF is_locked_for(owner, place.connection_id, place.profile_id, place.month, place.actor_id) THEN PERFORM refuse_locked(); END IF;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER decision_part_is_allowed AFTER INSERT ON decision_part REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_decided_in_lock();

CREATE TRIGGER decision_invoice_is_allowed AFTER INSERT ON decision_invoice REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_decided_in_lock();

-- The invoice that each of these lines names; null of a line that is not there.
CREATE FUNCTION invoices_of_lines(organizations uuid[], connections uuid[], lines text[]) RETURNS text[]
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  owner uuid;
  places bigint[] := '{}';
  named text[] := '{}';
  found_places bigint[];
  found_named text[];
BEGIN
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    SELECT array_agg(t.place), array_agg(l.invoice_serial_number) INTO found_places, found_named
    FROM unnest(organizations, connections, lines) WITH ORDINALITY AS t (organization_id, connection_id, id, place)
    JOIN line l ON l.organization_id = owner AND l.connection_id = t.connection_id AND l.id = t.id
    WHERE t.organization_id = owner;
    places := places || found_places;
    named := named || found_named;
  END LOOP;
  RETURN (
    SELECT array_agg(n.invoice ORDER BY t.place)
    FROM generate_subscripts(lines, 1) AS t (place) LEFT JOIN unnest(places, named) AS n (place, invoice) ON n.place = t.place);
END $$;

-- Where a line or an invoice stands is in its seal.
CREATE FUNCTION end_signed_of_reviews() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  invoices text[];
  lines text[];
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM touched) account;
  IF organizations IS NULL OR NOT hold_signed(organizations, connections) THEN RETURN NULL; END IF;
  IF table_of_shard(TG_TABLE_NAME) = 'line_review' THEN
    SELECT array_agg(organization_id), array_agg(connection_id), array_agg(line_id) INTO organizations, connections, lines FROM touched;
    invoices := invoices_of_lines(organizations, connections, lines);
  ELSE
    SELECT array_agg(organization_id), array_agg(connection_id), array_agg(invoice_serial_number)
    INTO organizations, connections, invoices FROM touched;
  END IF;
  PERFORM end_signed_named(organizations, connections, invoices, lines, 'decided');
  RETURN NULL;
END $$;

CREATE TRIGGER end_signed_added AFTER INSERT ON line_review REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_reviews();

CREATE TRIGGER end_signed_changed AFTER UPDATE ON line_review REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_reviews();

CREATE TRIGGER end_signed_removed AFTER DELETE ON line_review REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_reviews();

CREATE TRIGGER end_signed_added AFTER INSERT ON invoice_review REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_reviews();

CREATE TRIGGER end_signed_changed AFTER UPDATE ON invoice_review REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_reviews();

CREATE TRIGGER end_signed_removed AFTER DELETE ON invoice_review REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION end_signed_of_reviews();
