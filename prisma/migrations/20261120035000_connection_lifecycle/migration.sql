-- The life of a connection: which states may follow which, what happened and by whom, disconnecting, and consents that wait
-- for the check whether they are for the same account (docs/decisions/008-connection-states.md).

-- The moves that lib/connections/states.ts allows; a test keeps the two equal. `refreshing` is a live lease on the
-- credential and is never stored.
CREATE TABLE connection_transition (
  from_state  text NOT NULL,
  to_state    text NOT NULL,
  PRIMARY KEY (from_state, to_state)
);
INSERT INTO connection_transition (from_state, to_state) VALUES
  ('pending', 'active'),
  ('pending', 'needs_reconnect'),
  ('pending', 'disconnecting'),
  ('pending', 'disconnected'),
  ('active', 'needs_reconnect'),
  ('active', 'disconnecting'),
  ('needs_reconnect', 'pending'),
  ('needs_reconnect', 'active'),
  ('needs_reconnect', 'disconnecting'),
  ('disconnecting', 'disconnected'),
  ('disconnected', 'pending');

-- Tokens that are destroyed take their row with them; their numbers are not used again.
ALTER TABLE connection ADD COLUMN last_generation integer NOT NULL DEFAULT 0;
ALTER TABLE connection ADD COLUMN state_changed_at timestamptz NOT NULL DEFAULT now();
-- Who gave the consent that holds now; `created_by` is who gave the first.
ALTER TABLE connection ADD COLUMN connected_by uuid;
ALTER TABLE connection ADD COLUMN data_deleted_at timestamptz;
ALTER TABLE connection ADD CONSTRAINT connection_refreshing_is_derived CHECK (state <> 'refreshing');

-- What happened to each connection. No foreign key to the connection: its history outlives it.
CREATE TABLE connection_event (
  organization_id  uuid NOT NULL REFERENCES organization,
  connection_id    uuid NOT NULL,
  number           bigint GENERATED ALWAYS AS IDENTITY,
  happened_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind             text NOT NULL CHECK (kind ~ '^[a-z_]{1,40}$'),
  from_state       text,
  to_state         text,
  cause            text,
  -- null: the program itself
  actor_id         uuid,
  actor_name       text,
  detail           text,
  PRIMARY KEY (organization_id, connection_id, number),
  CONSTRAINT connection_event_state_is_named CHECK ((kind IN ('created', 'state')) = (to_state IS NOT NULL))
);

CREATE FUNCTION refuse_connection_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'connection_event is append-only' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER connection_event_is_append_only BEFORE UPDATE OR DELETE ON connection_event
  FOR EACH ROW EXECUTE FUNCTION refuse_connection_event_change();
CREATE TRIGGER connection_event_is_never_emptied BEFORE TRUNCATE ON connection_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_connection_event_change();

-- Whoever changes a state, by whatever statement, goes through here: the move is allowed, and its history row is part of
-- the same transaction. Who it was comes from `tieout.actor_id`, set for the transaction.
CREATE FUNCTION check_connection_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state IS DISTINCT FROM OLD.state THEN
    IF NOT EXISTS (SELECT FROM connection_transition WHERE from_state = OLD.state AND to_state = NEW.state) THEN
      RAISE EXCEPTION 'a connection does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    NEW.state_changed_at = clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER connection_moves_are_allowed BEFORE UPDATE OF state ON connection
  FOR EACH ROW EXECUTE FUNCTION check_connection_move();

CREATE FUNCTION note_connection_move() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  acting uuid := nullif(current_setting('tieout.actor_id', true), '')::uuid;
BEGIN
  IF TG_OP = 'INSERT' THEN
    acting := coalesce(acting, NEW.created_by);
  ELSIF NEW.state IS NOT DISTINCT FROM OLD.state AND NEW.state_cause IS NOT DISTINCT FROM OLD.state_cause THEN
    RETURN NULL;
  END IF;
  INSERT INTO connection_event (organization_id, connection_id, kind, from_state, to_state, cause, actor_id, actor_name)
  VALUES (NEW.organization_id, NEW.id, CASE TG_OP WHEN 'INSERT' THEN 'created' ELSE 'state' END,
          CASE TG_OP WHEN 'INSERT' THEN NULL ELSE OLD.state END, NEW.state, NEW.state_cause, acting,
          (SELECT name FROM app_user WHERE organization_id = NEW.organization_id AND id = acting));
  RETURN NULL;
END $$;
CREATE TRIGGER connection_moves_are_noted AFTER INSERT OR UPDATE OF state, state_cause ON connection
  FOR EACH ROW EXECUTE FUNCTION note_connection_move();

-- A consent for a connection that exists, until the worker has compared the account's profiles with what is stored. The
-- tokens never stand in the connection's own credential before that. `sealed_for` is the connection in their header.
CREATE TABLE connection_candidate (
  organization_id     uuid NOT NULL,
  connection_id       uuid NOT NULL,
  status              text NOT NULL DEFAULT 'unchecked' CHECK (status IN ('unchecked', 'other_account')),
  sealed_for          uuid NOT NULL,
  generation          integer NOT NULL CHECK (generation > 0),
  sealed_tokens       text NOT NULL,
  key_id              text NOT NULL,
  scopes_asked        text NOT NULL,
  scopes_granted      text,
  obtained_at         timestamptz NOT NULL,
  access_expires_at   timestamptz NOT NULL,
  refresh_expires_at  timestamptz NOT NULL,
  consented_by        uuid NOT NULL,
  -- the state to go back to when the account is another one
  state_before        text NOT NULL CHECK (state_before IN ('pending', 'active', 'needs_reconnect', 'disconnected')),
  -- what the other account calls its profiles; none of its rows is stored
  profile_names       text[] NOT NULL DEFAULT '{}',
  -- the connection of the same organization that already holds the other account
  held_by             uuid,
  attempts            integer NOT NULL DEFAULT 0,
  next_try_at         timestamptz NOT NULL DEFAULT now(),
  last_problem        text,
  fence               bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, connection_id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX connection_candidate_due ON connection_candidate (next_try_at);

-- One wish to disconnect: what is to become of the data, how far it is, and how the platform answered so far.
CREATE TABLE disconnection (
  organization_id      uuid NOT NULL,
  id                   uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id        uuid NOT NULL,
  data_choice          text NOT NULL CHECK (data_choice IN ('keep', 'delete')),
  requested_by         uuid NOT NULL,
  requested_at         timestamptz NOT NULL DEFAULT now(),
  attempts             integer NOT NULL DEFAULT 0,
  next_try_at          timestamptz NOT NULL DEFAULT now(),
  last_problem         text,
  -- how the link ended: revoked by the platform's word, dead anyway, or nothing was there to revoke
  outcome              text CHECK (outcome IN ('revoked', 'already_dead', 'expired', 'unreadable', 'no_tokens')),
  tokens_destroyed_at  timestamptz,
  erased_rows          bigint NOT NULL DEFAULT 0,
  finished_at          timestamptz,
  fence                bigint NOT NULL DEFAULT 0,
  lease_until          timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT disconnection_ends_in_order CHECK ((tokens_destroyed_at IS NULL OR outcome IS NOT NULL)
                                                AND (finished_at IS NULL OR tokens_destroyed_at IS NOT NULL))
);
CREATE UNIQUE INDEX disconnection_one_at_a_time ON disconnection (organization_id, connection_id) WHERE finished_at IS NULL;
CREATE INDEX disconnection_due ON disconnection (next_try_at) WHERE finished_at IS NULL;

-- How many invoices and lines each connection holds, so that a page need not count a million rows. Kept by statement, in
-- the transaction that stores or deletes the rows.
CREATE TABLE connection_tally (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  invoice_count    bigint NOT NULL DEFAULT 0,
  line_count       bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, connection_id)
);

CREATE FUNCTION tally_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'INSERT INTO connection_tally AS t (organization_id, connection_id, %1$I)
     SELECT organization_id, connection_id, count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (organization_id, connection_id) DO UPDATE SET %1$I = t.%1$I + excluded.%1$I', TG_ARGV[0]);
  RETURN NULL;
END $$;
CREATE FUNCTION tally_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'UPDATE connection_tally t SET %1$I = t.%1$I - r.gone
     FROM (SELECT organization_id, connection_id, count(*) AS gone FROM removed GROUP BY 1, 2) r
     WHERE t.organization_id = r.organization_id AND t.connection_id = r.connection_id', TG_ARGV[0]);
  RETURN NULL;
END $$;
CREATE FUNCTION tally_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE connection_tally SET %I = 0', TG_ARGV[0]);
  RETURN NULL;
END $$;
CREATE TRIGGER line_tally_added AFTER INSERT ON line REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_added('line_count');
CREATE TRIGGER line_tally_removed AFTER DELETE ON line REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_removed('line_count');
CREATE TRIGGER line_tally_emptied AFTER TRUNCATE ON line
  FOR EACH STATEMENT EXECUTE FUNCTION tally_emptied('line_count');
CREATE TRIGGER invoice_tally_added AFTER INSERT ON invoice REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_added('invoice_count');
CREATE TRIGGER invoice_tally_removed AFTER DELETE ON invoice REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_removed('invoice_count');
CREATE TRIGGER invoice_tally_emptied AFTER TRUNCATE ON invoice
  FOR EACH STATEMENT EXECUTE FUNCTION tally_emptied('invoice_count');

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['connection_event', 'connection_candidate', 'disconnection', 'connection_tally']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, tenant_table);
  END LOOP;
  -- what is there already: counted once, and its history begins with what is known
  PERFORM set_config('tieout.scope', 'system', true);
  UPDATE connection SET connected_by = created_by WHERE connected_at IS NOT NULL;
  INSERT INTO connection_event (organization_id, connection_id, happened_at, kind, to_state, cause, actor_id, actor_name)
    SELECT c.organization_id, c.id, c.created_at, 'created', c.state, c.state_cause, c.created_by, u.name
    FROM connection c JOIN app_user u ON u.organization_id = c.organization_id AND u.id = c.created_by;
  INSERT INTO connection_tally (organization_id, connection_id, invoice_count, line_count)
    SELECT c.organization_id, c.id,
           (SELECT count(*) FROM invoice i WHERE i.organization_id = c.organization_id AND i.connection_id = c.id),
           (SELECT count(*) FROM line l WHERE l.organization_id = c.organization_id AND l.connection_id = c.id)
    FROM connection c;
  PERFORM set_config('tieout.scope', '', true);
END $$;
