-- What a line was until a moment, in all that a bridge between two moments tells (docs/decisions/065-bridge-of-moments.md).
SELECT set_config('tieout.scope', 'system', true);

-- Nobody changes one. Of two of one moment the earlier number is what stood before it.
CREATE TABLE line_past (
  organization_id  uuid NOT NULL,
  id               bigint GENERATED ALWAYS AS IDENTITY,
  connection_id    uuid NOT NULL,
  line_id          text NOT NULL,
  until            timestamptz NOT NULL,
  run_id           uuid,
  -- whether the platform did not have it
  is_gone          boolean NOT NULL,
  currency         text NOT NULL,
  total_amount     numeric NOT NULL,
  issuing_date     date,
  expense_date     date NOT NULL,
  profile_id       text,
  cost_center      text,
  trip_id          text,
  -- null: from before they were kept
  finding_codes    text[],
  explained_codes  text[],
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX line_past_of_line ON line_past (organization_id, connection_id, line_id, id);
CREATE INDEX line_past_recent ON line_past (organization_id, until);

ALTER TABLE line_past ENABLE ROW LEVEL SECURITY;
ALTER TABLE line_past FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON line_past
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');

-- Few lines are below zero, and no roll-up tells them apart: what a bridge calls credited.
CREATE INDEX line_below_zero ON line (organization_id, expense_date) WHERE (total_amount < 0 AND missing_since IS NULL);

-- What is known of the time before: the versions of the records, and what is gone now. A day that cannot be read is none, as
-- where records are parsed; of a record with texts that no column holds, what stands now is taken.
INSERT INTO line_past (organization_id, connection_id, line_id, until, run_id, is_gone, currency, total_amount, issuing_date,
                       expense_date, profile_id, cost_center, trip_id)
SELECT organization_id, connection_id, line_id, until, run_id, false, currency, total_amount, issuing_date, expense_date, profile_id,
       cost_center, trip_id
FROM (
  SELECT v.organization_id, v.connection_id, v.line_id, v.valid_until AS until, v.id AS turn, v.run_id, v.currency, v.total_amount,
         CASE WHEN r.raw IS NULL THEN l.issuing_date ELSE issued.day END AS issuing_date,
         coalesce(spent.day, l.expense_date) AS expense_date,
         CASE WHEN r.raw IS NULL THEN l.profile_id ELSE nullif(r.raw ->> 'profile_id', '') END AS profile_id,
         CASE WHEN r.raw IS NULL THEN l.cost_center
              WHEN json_typeof(r.raw -> 'metadata') = 'object' THEN nullif(r.raw -> 'metadata' ->> 'cost_center', '') END AS cost_center,
         CASE WHEN r.raw IS NULL THEN l.trip_id
              WHEN json_typeof(r.raw -> 'metadata') = 'object' THEN nullif(r.raw -> 'metadata' ->> 'trip_id', '') END AS trip_id
  FROM line_version v
  JOIN line l ON l.organization_id = v.organization_id AND l.connection_id = v.connection_id AND l.id = v.line_id
  CROSS JOIN LATERAL (SELECT CASE WHEN v.raw::text !~* '\\u(0000|d[89a-f])' THEN v.raw END AS raw) r
  CROSS JOIN LATERAL (SELECT r.raw ->> 'issuing_date' AS issued, r.raw ->> 'expense_date' AS spent) text
  CROSS JOIN LATERAL (
    SELECT CASE WHEN text.issued ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$' THEN
           CASE WHEN right(text.issued, 2)::int <= extract(day FROM (left(text.issued, 8) || '01')::date + interval '1 month - 1 day')
                THEN text.issued::date END END AS day) issued
  CROSS JOIN LATERAL (
    SELECT CASE WHEN text.spent ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$' THEN
           CASE WHEN right(text.spent, 2)::int <= extract(day FROM (left(text.spent, 8) || '01')::date + interval '1 month - 1 day')
                THEN text.spent::date END END AS day) spent
  UNION ALL
  SELECT organization_id, connection_id, id, missing_since, NULL, NULL, currency, total_amount, issuing_date, expense_date, profile_id,
         cost_center, trip_id
  FROM line WHERE missing_since IS NOT NULL) past
ORDER BY until, turn NULLS LAST;
