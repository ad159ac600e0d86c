-- 20261130120000_lines_without_search_text
-- Housekeeping looks for lines that an older version stored without a search text, or with its own: at each start of a worker,
-- and each hour, it read all lines to find none. Those without are in this index, which is empty otherwise.
CREATE INDEX line_without_search_text ON line (organization_id) WHERE search_text LIKE chr(30) || '%';
