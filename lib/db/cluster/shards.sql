-- On a cluster a trigger runs on a part of its table, which has a number at its end: `invoice_102034`. Which table it is of.
CREATE FUNCTION table_of_shard(name name) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(name::text, '_\d{6,}$', '');

-- Each node of a cluster draws numbers by itself, so an organization that moves would go on below its own: what a line was
-- would be told in the wrong order, and an earlier rule would count. There a number is the node's microsecond, which rises, with the
-- lowest bits of what was drawn, which differ. It is above all that a node draws, and fits until the year 2112. Nodes whose clocks
-- differ by more than a move stands still at its end would break it (docs/decisions/067-one-form-for-two-engines.md).
CREATE FUNCTION number_in_time() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment CONSTANT bigint := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint << 11;
BEGIN
  IF TG_ARGV[0] = 'id' THEN NEW.id := moment | (NEW.id & 2047); ELSE NEW.number := moment | (NEW.number & 2047); END IF;
  RETURN NEW;
END $$;
