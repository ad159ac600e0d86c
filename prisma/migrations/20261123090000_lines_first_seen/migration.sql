-- What arrived since a day is asked of the lines themselves. Lines come in the order of time, so a
-- summary of each stretch of the table finds them; a B-tree would cost every insert.
CREATE INDEX line_first_seen ON line USING brin (first_seen_at) WITH (autosummarize = on);
