SELECT set_config('tieout.scope', 'system', true);

-- What a survey adds up of the plainly complete invoices, kept as they come and go: reading one row for each of them was the
-- largest part of a survey, and grew with them (docs/decisions/016-roll-ups.md). A change adds rows, also below zero, and
-- changes none: no transaction waits for another, and what a reader sees adds up. The worker folds them when it has judged.
CREATE TABLE plain_invoice_sum (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  id               bigint GENERATED ALWAYS AS IDENTITY,
  profile_id       text,
  -- YYYY-MM of the day of issue
  month            text,
  currency         text NOT NULL,
  is_gone          boolean NOT NULL,
  invoice_count    bigint NOT NULL,
  line_count       bigint NOT NULL,
  total            numeric NOT NULL,
  PRIMARY KEY (organization_id, connection_id, id)
);
ALTER TABLE plain_invoice_sum ENABLE ROW LEVEL SECURITY;
ALTER TABLE plain_invoice_sum FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON plain_invoice_sum
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');

INSERT INTO plain_invoice_sum (organization_id, connection_id, profile_id, month, currency, is_gone, invoice_count, line_count, total)
SELECT organization_id, connection_id, profile_id, left(issuing_date::text, 7), currency, is_gone, count(*), sum(line_count), sum(total)
FROM plain_invoice GROUP BY 1, 2, 3, 4, 5, 6;

-- Each trigger calls the rows of its statement `touched`. A plain invoice is never changed, only taken out.
CREATE FUNCTION sum_plain_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  IF NOT EXISTS (SELECT FROM touched) THEN RETURN NULL; END IF;
  INSERT INTO plain_invoice_sum (organization_id, connection_id, profile_id, month, currency, is_gone, invoice_count, line_count, total)
  SELECT organization_id, connection_id, profile_id, left(issuing_date::text, 7), currency, is_gone,
    sign * count(*), sign * sum(line_count), sign * sum(total)
  FROM touched GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $$;
CREATE FUNCTION refuse_change_of_plain_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a plain invoice is taken out and judged anew, never changed';
END $$;
CREATE FUNCTION empty_plain_invoice_sums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE plain_invoice_sum;
  RETURN NULL;
END $$;

CREATE TRIGGER sum_plain_added AFTER INSERT ON plain_invoice REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION sum_plain_invoices();
CREATE TRIGGER sum_plain_removed AFTER DELETE ON plain_invoice REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION sum_plain_invoices();
CREATE TRIGGER sum_plain_changed BEFORE UPDATE ON plain_invoice
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_plain_invoices();
CREATE TRIGGER sum_plain_emptied AFTER TRUNCATE ON plain_invoice
  FOR EACH STATEMENT EXECUTE FUNCTION empty_plain_invoice_sums();
