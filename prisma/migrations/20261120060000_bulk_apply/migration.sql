-- The SHA-256 of the record's text: a record that comes again byte for byte need not be parsed to be known. Null for lines
-- of earlier versions, until they are written again.
ALTER TABLE line ADD COLUMN text_hash bytea;
