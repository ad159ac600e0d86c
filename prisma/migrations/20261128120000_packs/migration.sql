-- Evidence packs of an invoice or a month, and links to one for somebody outside (docs/decisions/064-evidence-pack.md).
-- Its bytes are kept as files of comments are (stored_file), and go with the data of the account.
CREATE TABLE pack (
  organization_id        uuid NOT NULL REFERENCES organization(id),
  id                     uuid NOT NULL DEFAULT gen_random_uuid(),
  scope_kind             text NOT NULL CHECK (scope_kind IN ('invoice', 'profile_month', 'connection_month')),
  connection_id          uuid NOT NULL,
  profile_id             text,
  month                  date CHECK (extract(day FROM month) = 1),
  invoice_serial_number  text,
  asked_by               uuid,
  asked_by_name          text NOT NULL,
  -- whole seconds: it stands in the document, where it is the moment of its making
  asked_at               timestamptz NOT NULL DEFAULT date_trunc('second', clock_timestamp()),
  state                  text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'made', 'failed')),
  tries                  smallint NOT NULL DEFAULT 0,
  lease_until            timestamptz,
  ended_at               timestamptz,
  hash                   bytea CHECK (octet_length(hash) = 32),
  size                   integer,
  seal                   bytea CHECK (octet_length(seal) = 32),
  line_count             integer,
  invoice_count          integer,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection(organization_id, id),
  CHECK ((scope_kind = 'invoice') = (invoice_serial_number IS NOT NULL)),
  CHECK ((scope_kind = 'invoice') = (month IS NULL)),
  CHECK ((scope_kind = 'profile_month') = (profile_id IS NOT NULL)),
  CHECK (num_nonnulls(hash, size, seal, line_count, invoice_count) = CASE state WHEN 'made' THEN 5 ELSE 0 END),
  CHECK ((state = 'waiting') = (ended_at IS NULL))
);
CREATE INDEX pack_of_scope ON pack (organization_id, connection_id, month, invoice_serial_number);
CREATE INDEX pack_waiting ON pack (asked_at) WHERE (state = 'waiting');
CREATE INDEX pack_of_file ON pack (organization_id, hash);

-- Opens one pack for whoever has its secret, of which only the hash is kept.
CREATE TABLE pack_link (
  organization_id    uuid NOT NULL,
  id                 uuid NOT NULL DEFAULT gen_random_uuid(),
  pack_id            uuid NOT NULL,
  secret_hash        text NOT NULL CHECK (char_length(secret_hash) = 64),
  made_by            uuid NOT NULL,
  made_by_name       text NOT NULL,
  made_at            timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at         timestamptz NOT NULL,
  withdrawn_at       timestamptz,
  withdrawn_by_name  text,
  opened_at          timestamptz,
  open_count         integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, pack_id) REFERENCES pack(organization_id, id) ON DELETE CASCADE,
  CHECK (expires_at <= made_at + interval '30 days 1 minute'),
  CHECK ((withdrawn_at IS NULL) = (withdrawn_by_name IS NULL))
);
CREATE UNIQUE INDEX pack_link_secret ON pack_link (organization_id, secret_hash);
CREATE INDEX pack_link_of_pack ON pack_link (organization_id, pack_id);

-- An organization sees its own rows, as of every other table.
DO $$
DECLARE each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['pack', 'pack_link'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', each);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', each);
    EXECUTE format($policy$
      CREATE POLICY organization_only ON %I
        USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
               OR (SELECT current_setting('tieout.scope', true)) = 'system')
    $policy$, each);
  END LOOP;
END $$;
