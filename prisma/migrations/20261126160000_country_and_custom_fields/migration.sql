-- Where a service takes place, and the customer's own fields: lines can be grouped by both. A line that was stored before has no
-- list of fields at all until the worker has read its record again (lib/sync/reading/fill-fields.ts).
ALTER TABLE line ADD COLUMN country_code text, ADD COLUMN custom_fields text[];

-- Empty once they are filled.
CREATE INDEX line_without_fields ON line (organization_id, connection_id, id) WHERE (custom_fields IS NULL);

-- Made anew by the next start, with sums by these.
DROP TABLE IF EXISTS month_sum CASCADE;
