-- What people say about a line, an invoice, a trip, a group or a period, and who has it (docs/decisions/056-talk.md).
-- A thread is what is talked of: by its kind and key, and its connection where it has one. It goes with what it is about.
CREATE TABLE thread (
  organization_id  uuid NOT NULL REFERENCES organization(id),
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  kind             text NOT NULL CHECK (kind IN ('line', 'invoice', 'trip', 'group', 'period')),
  connection_id    uuid,
  key              text NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX thread_of_account ON thread (organization_id, connection_id, kind, key) WHERE (connection_id IS NOT NULL);
CREATE UNIQUE INDEX thread_of_all_accounts ON thread (organization_id, kind, key) WHERE (connection_id IS NULL);

-- Who said it, and the figure that they quoted as they saw it. What they said stands in its versions.
CREATE TABLE message (
  organization_id  uuid NOT NULL,
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  thread_id        uuid NOT NULL,
  author_id        uuid NOT NULL,
  author_name      text NOT NULL,
  at               timestamptz NOT NULL DEFAULT clock_timestamp(),
  quote_label      text,
  quote_amount     numeric,
  quote_currency   text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, thread_id) REFERENCES thread(organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, author_id) REFERENCES app_user(organization_id, id),
  CHECK (num_nonnulls(quote_label, quote_amount, quote_currency) IN (0, 3))
);
CREATE INDEX message_of_thread ON message (organization_id, thread_id, at);

-- Nobody changes one: who edits a message adds the next.
CREATE TABLE message_version (
  organization_id  uuid NOT NULL,
  message_id       uuid NOT NULL,
  version          integer NOT NULL,
  text             text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 4000),
  at               timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, message_id, version),
  FOREIGN KEY (organization_id, message_id) REFERENCES message(organization_id, id) ON DELETE CASCADE
);

-- Whom a message names, by the name that its text has for them.
CREATE TABLE mention (
  organization_id  uuid NOT NULL,
  message_id       uuid NOT NULL,
  person_id        uuid NOT NULL,
  person_name      text NOT NULL,
  read_at          timestamptz,
  PRIMARY KEY (organization_id, message_id, person_id),
  FOREIGN KEY (organization_id, message_id) REFERENCES message(organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, person_id) REFERENCES app_user(organization_id, id)
);
CREATE INDEX mention_unread ON mention (organization_id, person_id) WHERE (read_at IS NULL);

-- Who has it: one person at a time. Earlier ones stay, with how it ended.
CREATE TABLE assignment (
  organization_id   uuid NOT NULL,
  id                uuid NOT NULL DEFAULT gen_random_uuid(),
  thread_id         uuid NOT NULL,
  person_id         uuid NOT NULL,
  person_name       text NOT NULL,
  assigned_by       uuid NOT NULL,
  assigned_by_name  text NOT NULL,
  at                timestamptz NOT NULL DEFAULT clock_timestamp(),
  due_on            date,
  ended_at          timestamptz,
  ending            text CHECK (ending IN ('done', 'taken-back', 'given-on')),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, thread_id) REFERENCES thread(organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, person_id) REFERENCES app_user(organization_id, id),
  CHECK ((ended_at IS NULL) = (ending IS NULL))
);
CREATE UNIQUE INDEX assignment_one_at_a_time ON assignment (organization_id, thread_id) WHERE (ended_at IS NULL);
CREATE INDEX assignment_of_thread ON assignment (organization_id, thread_id);
CREATE INDEX assignment_of_person ON assignment (organization_id, person_id) WHERE (ended_at IS NULL);

-- An organization sees its own rows, as of every other table.
DO $$
DECLARE each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['thread', 'message', 'message_version', 'mention', 'assignment'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each);
  END LOOP;
END $$;
