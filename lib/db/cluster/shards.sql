-- On a cluster a trigger runs on a part of its table, which has a number at its end: `invoice_102034`. Which table it is of.
CREATE FUNCTION table_of_shard(name name) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(name::text, '_\d{6,}$', '');
