-- Letters that people say they have sent to the platform (docs/decisions/057-disputes.md). Nobody changes one: who was wrong
-- takes the mark back, once, and it stays as taken back.
CREATE TABLE dispute_letter (
  organization_id        uuid NOT NULL REFERENCES organization(id),
  id                     uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id          uuid NOT NULL,
  invoice_serial_number  text NOT NULL,
  sent_on                date NOT NULL,
  recipient              text NOT NULL CHECK (char_length(recipient) <= 200),
  actor_id               uuid,
  actor_name             text NOT NULL,
  marked_at              timestamptz NOT NULL DEFAULT now(),
  -- it was not sent after all: who said so
  withdrawn_by           uuid,
  withdrawn_by_name      text,
  withdrawn_at           timestamptz,
  CHECK ((withdrawn_at IS NULL) = (withdrawn_by_name IS NULL)),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX dispute_letter_of_account ON dispute_letter (organization_id, connection_id);

-- The disputes that it names: a line, and by which decision it was disputed. One that is disputed anew has had no letter.
CREATE TABLE dispute_letter_line (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  line_id          text NOT NULL,
  decision         bigint NOT NULL,
  letter_id        uuid NOT NULL,
  PRIMARY KEY (organization_id, connection_id, line_id, decision, letter_id),
  FOREIGN KEY (organization_id, letter_id) REFERENCES dispute_letter(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX dispute_letter_line_of_letter ON dispute_letter_line (organization_id, letter_id);

DO $$
DECLARE each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['dispute_letter', 'dispute_letter_line'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each);
  END LOOP;
END $$;
