-- Files beside what people say, and who has seen a line (docs/decisions/059-attachments.md).

-- The bytes of a file, once per organization, by what they are (SHA-256). They go when no file is of them.
CREATE TABLE stored_file (
  organization_id  uuid NOT NULL REFERENCES organization(id),
  hash             bytea NOT NULL CHECK (octet_length(hash) = 32),
  -- null: in the folder
  content          bytea,
  stored_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, hash)
);
-- documents and pictures are packed already
ALTER TABLE stored_file ALTER COLUMN content SET STORAGE EXTERNAL;

-- A file as somebody sent it. Its row stays when its author removes it; its bytes do not have to.
CREATE TABLE attachment (
  organization_id  uuid NOT NULL REFERENCES organization(id),
  id               uuid NOT NULL DEFAULT gen_random_uuid(),
  -- null: the comment that it belongs to is not sent yet
  message_id       uuid,
  author_id        uuid NOT NULL,
  name             text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  kind             text NOT NULL CHECK (kind IN ('pdf', 'png', 'jpeg', 'webp')),
  size             integer NOT NULL CHECK (size BETWEEN 1 AND 10485760),
  hash             bytea NOT NULL,
  at               timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- by its author; nobody else can
  removed_at       timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, message_id) REFERENCES message(organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, author_id) REFERENCES app_user(organization_id, id)
);
CREATE INDEX attachment_of_message ON attachment (organization_id, message_id);
CREATE INDEX attachment_of_file ON attachment (organization_id, hash);
CREATE INDEX attachment_unsent ON attachment (organization_id, author_id, at) WHERE (message_id IS NULL);

-- A file may say it all: what brings neither words nor files is refused at the door.
ALTER TABLE message_version DROP CONSTRAINT message_version_text_check;
ALTER TABLE message_version ADD CONSTRAINT message_version_text_check CHECK (char_length(text) <= 4000);

-- When a person last looked at a line.
CREATE TABLE line_seen (
  organization_id  uuid NOT NULL,
  connection_id    uuid NOT NULL,
  line_id          text NOT NULL,
  person_id        uuid NOT NULL,
  seen_at          timestamptz NOT NULL,
  PRIMARY KEY (organization_id, connection_id, line_id, person_id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, person_id) REFERENCES app_user(organization_id, id)
);

DO $$
DECLARE each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['stored_file', 'attachment', 'line_seen'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each);
  END LOOP;
END $$;
