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
  acting_name text;
  what text := 'created';
  state_before text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    acting := coalesce(acting, NEW.created_by);
  ELSIF NEW.state IS NOT DISTINCT FROM OLD.state AND NEW.state_cause IS NOT DISTINCT FROM OLD.state_cause THEN
    RETURN NULL;
  ELSE
    what := 'state';
    state_before := OLD.state;
  END IF;
  SELECT name INTO acting_name FROM app_user WHERE organization_id = NEW.organization_id AND id = acting;
  INSERT INTO connection_event (organization_id, connection_id, kind, from_state, to_state, cause, actor_id, actor_name)
  VALUES (NEW.organization_id, NEW.id, what, state_before, NEW.state, NEW.state_cause, acting, acting_name);
  RETURN NULL;
END $$;

CREATE TRIGGER connection_moves_are_noted AFTER INSERT OR UPDATE OF state, state_cause ON connection
  FOR EACH ROW EXECUTE FUNCTION note_connection_move();

CREATE FUNCTION refuse_connection_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'connection_event is append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER connection_event_is_append_only BEFORE UPDATE OR DELETE ON connection_event
  FOR EACH ROW EXECUTE FUNCTION refuse_connection_event_change();

CREATE TRIGGER connection_event_is_never_emptied BEFORE TRUNCATE ON connection_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_connection_event_change();
