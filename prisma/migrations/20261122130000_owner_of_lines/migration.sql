-- A line belongs to a connection, as a foreign key would have it: it cannot come without one, and goes with it. A foreign key
-- looks at the connection once per line, a tenth of what PostgreSQL does in a backfill; this looks once per statement
-- (docs/decisions/009-bulk-apply.md).
ALTER TABLE line DROP CONSTRAINT line_organization_id_connection_id_fkey;

CREATE FUNCTION require_connection_of_lines() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted integer;
  present integer;
BEGIN
  SELECT count(*) INTO wanted FROM (SELECT DISTINCT organization_id, connection_id FROM added) owner;
  -- the lock of a foreign key: who deletes the connection waits, and then deletes these lines too
  PERFORM FROM connection c WHERE (c.organization_id, c.id) IN (SELECT organization_id, connection_id FROM added) FOR KEY SHARE;
  GET DIAGNOSTICS present = ROW_COUNT;
  IF present < wanted THEN
    RAISE foreign_key_violation USING MESSAGE = 'a line was added whose connection does not exist', TABLE = 'line';
  END IF;
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
