-- As in the migration owner_of_lines, but the lines that a statement adds are looked through once.
CREATE OR REPLACE FUNCTION require_connection_of_lines() RETURNS trigger LANGUAGE plpgsql AS $$
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
