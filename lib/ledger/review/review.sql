-- Reviews: where each line stands after what people decided (docs/decisions/058-decisions.md).
-- Made from:     decisions and their parts, by whoever applies them (lib/ledger/review/apply-decision.ts).
-- Kept by:       the triggers here: what a line's proof is made of changes, and the decision falls in the same transaction.
-- Taken back by: the same triggers, when the line is again what was seen; an undo; the deletion of an account's data.
-- Read by:       the queue, filters of lists, a line's panel, the decisions.
-- Compared by:   lib/ledger/review/review-model.test.ts, with a model that hears the same events; `npm run doctor -- figures`,
--                with what the lines are now.
-- Beware:        whoever decides has the tally's row of the account first (tally.sql), and so has this trigger: a decision
--                sees every change before it, and a change sees every decision before it.

-- What a line says beside another of its account: a copy, or a refund of nothing. All of them, in order of their codes, are
-- what is seen of it. A statement asks for them itself: on a cluster no function asks a table for each row of another.
CREATE FUNCTION said_beside(code text, other_line text, currency text, amount numeric) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ROW(code, other_line, currency, trim_scale(amount))::text
$$;

-- What is seen of a line when somebody decides about it: its figures, what its proof finds, what it says beside other
-- lines, and whether the platform has it. A name, a cost center or the status of its invoice is not in the proof, and
-- lets nothing fall.
CREATE FUNCTION review_hash(invoice text, currency text, quantity numeric, unit_price numeric, non_taxable numeric, rate numeric,
                            regime text, tax numeric, total numeric, findings text[], explained text[], is_gone boolean,
                            beside text)
RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT sha256(convert_to(ROW(invoice, currency, trim_scale(quantity), trim_scale(unit_price), trim_scale(non_taxable), trim_scale(rate),
    regime, trim_scale(tax), trim_scale(total), findings, coalesce(explained, '{}'), is_gone)::text || coalesce(beside, ''), 'UTF8'))
$$;

-- A row as it was before it is decided anew, to be restored when that is taken back. IMMUTABLE, as a cluster asks of what an
-- upsert writes: it depends on no setting, also not what time it is where.
CREATE FUNCTION line_as_it_was(state text, decision bigint, seen bytea, currency text, amount numeric, expected_back numeric,
                               previous_state text, cause text, suspended_at timestamptz, before jsonb)
RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN jsonb_build_object('state', state, 'decision', decision, 'seen', encode(seen, 'hex'), 'currency', currency, 'amount', amount::text,
    'expected', expected_back::text, 'previous', previous_state, 'cause', cause,
    'at', (to_jsonb(suspended_at AT TIME ZONE 'UTC') #>> '{}') || '+00:00', 'before', before);
END $$;

CREATE FUNCTION invoice_as_it_was(state text, decision bigint, seen jsonb, before jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN jsonb_build_object('state', state, 'decision', decision, 'seen', seen, 'before', before);
END $$;

-- Takes the tallies' rows; whether anything of these accounts is decided. Most changed lines are of accounts of which nothing is.
CREATE FUNCTION hold_decided(organizations uuid[], connections uuid[]) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  account record;
  is_decided boolean := false;
BEGIN
  PERFORM hold_accounts(organizations, connections);
  FOR account IN SELECT DISTINCT * FROM unnest(organizations, connections) AS a (organization_id, connection_id) LOOP
    is_decided := is_decided
      OR EXISTS (SELECT FROM line_review v
                 WHERE v.organization_id = account.organization_id AND v.connection_id = account.connection_id);
  END LOOP;
  RETURN is_decided;
END $$;

-- Of lines that have changed: what was decided falls, or comes back where a line is again what was seen. Most changed
-- lines have no decision: what is seen of a line is only reckoned for those that have one. Each is looked up alone and
-- written by its key, whatever the planner believes: once many decisions were taken back it expects none for a minute, and
-- would compare each of the next ones with each changed line. (It may take another index for the look-up then.)
CREATE FUNCTION suspend_decided(organizations uuid[], connections uuid[], ids text[], causes text[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  owner uuid;
  fallen bigint;
BEGIN
  FOR owner IN SELECT DISTINCT each FROM unnest(organizations) each ORDER BY 1 LOOP
    WITH seen AS MATERIALIZED (
      SELECT v.*, c.cause AS change, l.currency AS currency_after, l.total_amount AS amount_after,
             review_hash(l.invoice_serial_number, l.currency, l.quantity, l.unit_price, l.non_taxable_unit_price, l.tax_percentage,
               l.tax_regime, l.tax_amount, l.total_amount, l.finding_codes, l.explained_codes, l.missing_since IS NOT NULL,
               (SELECT string_agg(said_beside(b.code, b.other_line_id, b.currency, b.amount), ' ' ORDER BY b.code) FROM line_comparison b
                WHERE b.organization_id = owner AND b.connection_id = l.connection_id AND b.line_id = l.id)) AS hash
      FROM unnest(organizations, connections, ids, causes) AS c (organization_id, connection_id, line_id, cause)
      CROSS JOIN LATERAL (SELECT * FROM line_review r
                          WHERE r.organization_id = owner AND r.connection_id = c.connection_id AND r.line_id = c.line_id LIMIT 1) v
      CROSS JOIN LATERAL (SELECT * FROM line f
                          WHERE f.organization_id = owner AND f.connection_id = c.connection_id AND f.id = c.line_id LIMIT 1) l
      WHERE c.organization_id = owner),
    moved AS (
      INSERT INTO line_review AS v (organization_id, connection_id, line_id, state, decision, seen_hash, currency, amount, expected_back,
                                    before, previous_state, cause, suspended_at)
      SELECT owner, c.connection_id, c.line_id, CASE WHEN c.seen_hash = c.hash THEN c.previous_state ELSE 'suspended' END,
             c.decision, c.seen_hash, c.currency, c.amount, c.expected_back, c.before,
             CASE WHEN c.seen_hash = c.hash THEN NULL ELSE coalesce(c.previous_state, c.state) END,
             CASE WHEN c.seen_hash = c.hash THEN NULL ELSE c.change END,
             now() + CASE WHEN c.seen_hash = c.hash THEN NULL ELSE interval '0' END
      FROM seen c
      WHERE c.state = 'suspended' OR c.seen_hash <> c.hash
      ON CONFLICT (organization_id, connection_id, line_id) DO UPDATE
        SET state = excluded.state, previous_state = excluded.previous_state, cause = excluded.cause,
            suspended_at = excluded.suspended_at
      RETURNING v.connection_id, v.line_id, v.decision, v.cause, v.currency, v.amount),
    told AS (
      INSERT INTO line_fall (organization_id, connection_id, line_id, decision, cause, run_id, currency_before, amount_before,
                             currency_after, amount_after)
      SELECT owner, m.connection_id, m.line_id, m.decision, m.cause, nullif(current_setting('tieout.run_id', true), '')::uuid,
             m.currency, m.amount, c.currency_after, c.amount_after
      FROM moved m JOIN seen c ON c.connection_id = m.connection_id AND c.line_id = m.line_id
      RETURNING 1)
    SELECT count(*) INTO fallen FROM told;
  END LOOP;
END $$;

CREATE FUNCTION suspend_reviews() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  ids text[];
  causes text[];
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id) INTO organizations, connections
  FROM (SELECT DISTINCT organization_id, connection_id FROM added) account;
  IF organizations IS NULL OR NOT hold_decided(organizations, connections) THEN RETURN NULL; END IF;
  SELECT array_agg(organization_id), array_agg(connection_id), array_agg(id), array_agg(cause) INTO organizations, connections, ids, causes
  FROM (SELECT a.organization_id, a.connection_id, a.id,
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
               a.tax_regime, a.tax_amount, a.total_amount, a.finding_codes, coalesce(a.explained_codes, '{}'), a.missing_since IS NULL)) t;
  IF organizations IS NULL THEN RETURN NULL; END IF;
  PERFORM suspend_decided(organizations, connections, ids, causes);
  RETURN NULL;
END $$;

-- Fires last.
CREATE TRIGGER suspend_changed AFTER UPDATE ON line REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION suspend_reviews();

-- A comparison ends long after the lines came (comparisons.sql). Fires first: the tally's row is locked before the rest.
CREATE FUNCTION suspend_compared() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organizations uuid[];
  connections uuid[];
  ids text[];
BEGIN
  SELECT array_agg(organization_id), array_agg(connection_id), array_agg(line_id) INTO organizations, connections, ids
  FROM (SELECT DISTINCT organization_id, connection_id, line_id FROM touched) t;
  IF organizations IS NULL OR NOT hold_decided(organizations, connections) THEN RETURN NULL; END IF;
  PERFORM suspend_decided(organizations, connections, ids, array_fill('compared'::text, ARRAY[cardinality(ids)]));
  RETURN NULL;
END $$;

CREATE TRIGGER fall_compared_added AFTER INSERT ON line_comparison REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION suspend_compared();

CREATE TRIGGER fall_compared_changed AFTER UPDATE ON line_comparison REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION suspend_compared();

CREATE TRIGGER fall_compared_removed AFTER DELETE ON line_comparison REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION suspend_compared();
