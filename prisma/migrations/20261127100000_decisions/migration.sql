-- What people decide about lines (docs/decisions/058-decisions.md). A decision and its parts stay as they were made; where
-- a line stands now is one narrow row, which a line has only once somebody decided it. None of them belongs to `line`:
-- writing there would write its record and its indexes anew, and fire what follows each change of the platform's.

-- Who decides next: its row is the lock, and its count numbers the decisions without a gap.
CREATE TABLE decision_head (
  organization_id  uuid PRIMARY KEY REFERENCES organization(id),
  last_number      bigint NOT NULL DEFAULT 0
);

CREATE TABLE decision (
  organization_id  uuid NOT NULL REFERENCES organization(id),
  number           bigint NOT NULL,
  kind             text NOT NULL CHECK (kind IN ('accept', 'dispute', 'settle', 'withdraw', 'undo')),
  reason_code      text,
  note             text,
  actor_kind       text NOT NULL,
  actor_id         uuid,
  actor_name       text NOT NULL,
  -- which decision it takes back
  undo_of          bigint,
  -- the list's address, as it was asked
  question         text NOT NULL,
  -- of a settled dispute: the later lines that answer it, with their arithmetic
  answer           jsonb,
  set_hash         text NOT NULL,
  line_count       bigint NOT NULL,
  totals           json NOT NULL,
  state            text NOT NULL CHECK (state IN ('applying', 'applied', 'stopped')),
  -- how far it is: lines of parts that were looked at, and how many of these changed
  seen_lines       bigint NOT NULL DEFAULT 0,
  changed_lines    bigint NOT NULL DEFAULT 0,
  decided_at       timestamptz NOT NULL,
  ended_at         timestamptz,
  PRIMARY KEY (organization_id, number)
);
CREATE INDEX decision_applying ON decision (organization_id, number) WHERE state = 'applying';
CREATE INDEX decision_undo ON decision (organization_id, undo_of) WHERE undo_of IS NOT NULL;

-- The lines of a decision, invoice by invoice: the set that was seen, and none that came later.
CREATE TABLE decision_part (
  organization_id        uuid NOT NULL,
  decision               bigint NOT NULL,
  number                 integer NOT NULL,
  connection_id          uuid NOT NULL,
  invoice_serial_number  text NOT NULL,
  line_ids               text[] NOT NULL,
  -- what was seen of each line, in the same order
  seen_hashes            bytea[] NOT NULL,
  -- lines of the parts before it
  lines_before           bigint NOT NULL,
  -- lines that changed, or that somebody decided, before it could be applied
  left_out               text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, decision, number),
  FOREIGN KEY (organization_id, decision) REFERENCES decision(organization_id, number)
);
CREATE INDEX decision_part_of_invoice ON decision_part (organization_id, connection_id, invoice_serial_number);

-- Where a line stands. No row: nobody has decided it.
CREATE TABLE line_review (
  organization_id        uuid NOT NULL,
  connection_id          uuid NOT NULL,
  line_id                text NOT NULL,
  state                  text NOT NULL CHECK (state IN ('accepted', 'disputed', 'settled', 'suspended')),
  decision               bigint NOT NULL,
  -- what was seen of the line when it was decided (review_hash)
  seen_hash              bytea NOT NULL,
  currency               text NOT NULL,
  amount                 numeric NOT NULL,
  expected_back          numeric,
  -- of a suspended one: what it was, why it fell, and when
  previous_state         text,
  cause                  text,
  suspended_at           timestamptz,
  -- the row that it had before this decision; null: it was open
  before                 jsonb,
  PRIMARY KEY (organization_id, connection_id, line_id),
  CHECK ((state = 'suspended') = (previous_state IS NOT NULL AND cause IS NOT NULL))
);
CREATE INDEX line_review_of_decision ON line_review (organization_id, decision);
CREATE INDEX line_review_waiting ON line_review (organization_id, state) WHERE state IN ('disputed', 'suspended');

-- When a decision fell and when it came back by itself. Nobody changes one.
CREATE TABLE line_fall (
  organization_id        uuid NOT NULL,
  id                     bigint GENERATED ALWAYS AS IDENTITY,
  connection_id          uuid NOT NULL,
  line_id                text NOT NULL,
  decision               bigint NOT NULL,
  -- null: it came back
  cause                  text,
  run_id                 uuid,
  at                     timestamptz NOT NULL DEFAULT now(),
  currency_before        text NOT NULL,
  amount_before          numeric NOT NULL,
  currency_after         text NOT NULL,
  amount_after           numeric NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX line_fall_of_line ON line_fall (organization_id, connection_id, line_id, id);

DO $$
DECLARE each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['decision_head', 'decision', 'decision_part', 'line_review', 'line_fall'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each);
  END LOOP;
END $$;
