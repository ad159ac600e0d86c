-- Checks to tune and habits of issuers (docs/decisions/026-checks-and-habits.md). Both are kept as what was decided, one row
-- after the other: the newest counts, and the others say who changed it and when.
CREATE TABLE check_setting (
  organization_id  uuid NOT NULL REFERENCES organization,
  number           bigint GENERATED ALWAYS AS IDENTITY,
  check_code       text NOT NULL CHECK (check_code ~ '^[a-z_]{1,60}$'),
  level            text NOT NULL CHECK (level IN ('finding', 'note', 'off')),
  -- the largest difference that is only noted, by currency; amounts are texts
  tolerance        jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(tolerance) = 'object'),
  changed_by       uuid NOT NULL,
  changed_by_name  text NOT NULL,
  changed_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, number)
);
CREATE INDEX check_setting_newest ON check_setting (organization_id, check_code, number DESC);

-- An issuer is a profile and a mode, at one regime and rate; null where the lines do not say.
CREATE TABLE habit_decision (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  number           bigint GENERATED ALWAYS AS IDENTITY,
  profile_id       text,
  invoice_mode     text,
  tax_regime       text,
  tax_percentage   numeric NOT NULL,
  finding_code     text NOT NULL CHECK (finding_code IN ('total', 'tax')),
  convention       text NOT NULL CHECK (convention ~ '^[a-z_]{1,60}$'),
  decision         text NOT NULL CHECK (decision IN ('accepted', 'declined', 'withdrawn')),
  decided_by       uuid NOT NULL,
  decided_by_name  text NOT NULL,
  decided_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, number),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX habit_decision_of_connection ON habit_decision (organization_id, connection_id, number);

-- A wish to judge an organization's lines by its rules again: they have changed. Open while `done` is behind `wished`.
CREATE TABLE judging (
  organization_id  uuid PRIMARY KEY REFERENCES organization,
  wished           bigint NOT NULL DEFAULT 1,
  done             bigint NOT NULL DEFAULT 0,
  wished_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT judging_is_behind_its_wish CHECK (done <= wished)
);

-- With which month the fiscal year begins, for the periods that people choose from.
ALTER TABLE organization ADD COLUMN fiscal_month smallint NOT NULL DEFAULT 1 CHECK (fiscal_month BETWEEN 1 AND 12);

-- Every line in which something fails, whatever its organization makes of it.
CREATE INDEX line_differing ON line (organization_id, connection_id, id) WHERE difference <> 0 OR tax_difference <> 0;

CREATE FUNCTION refuse_decision_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER check_setting_is_append_only BEFORE UPDATE OR DELETE ON check_setting
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();
CREATE TRIGGER habit_decision_is_append_only BEFORE UPDATE ON habit_decision
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

DO $$
DECLARE
  of_organization text;
BEGIN
  FOREACH of_organization IN ARRAY ARRAY['check_setting', 'habit_decision', 'judging']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', of_organization);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', of_organization);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, of_organization);
  END LOOP;
END $$;
