-- Whose lines these are. The lines that a statement adds are looked through once.
CREATE FUNCTION require_connection_of_lines() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner record;
BEGIN
  FOR owner IN SELECT DISTINCT organization_id, connection_id FROM added ORDER BY 1, 2 LOOP
    -- the lock of a foreign key: who deletes the connection waits, and then deletes these lines too
    PERFORM FROM connection c WHERE c.organization_id = owner.organization_id AND c.id = owner.connection_id FOR KEY SHARE;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING MESSAGE = 'a line was added whose connection does not exist', TABLE = 'line';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER connection_of_lines AFTER INSERT ON line REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION require_connection_of_lines();

CREATE FUNCTION refuse_another_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.organization_id, NEW.connection_id) IS DISTINCT FROM (OLD.organization_id, OLD.connection_id) THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'a line stays with its connection', TABLE = 'line';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER same_connection BEFORE UPDATE OF organization_id, connection_id ON line
  FOR EACH ROW EXECUTE FUNCTION refuse_another_owner();

CREATE FUNCTION remove_lines_of_connection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM line WHERE organization_id = OLD.organization_id AND connection_id = OLD.id;
  RETURN NULL;
END $$;

CREATE TRIGGER lines_go_too AFTER DELETE ON connection
  FOR EACH ROW EXECUTE FUNCTION remove_lines_of_connection();
