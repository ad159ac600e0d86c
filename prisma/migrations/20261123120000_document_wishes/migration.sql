-- A wish to see an invoice's original document (docs/decisions/023-original-documents.md). Only the worker opens tokens: the
-- web server writes the wish, the worker brings the bytes, and the row is removed when they are passed on, or minutes later.
-- The platform's own address of the document is never here.
CREATE TABLE document_wish (
  organization_id        uuid NOT NULL,
  id                     uuid NOT NULL DEFAULT gen_random_uuid(),
  connection_id          uuid NOT NULL,
  invoice_serial_number  text NOT NULL,
  status                 text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'done', 'failed')),
  requested_by           uuid NOT NULL,
  requested_at           timestamptz NOT NULL DEFAULT now(),
  failure                text CHECK (failure IN ('none', 'not_pdf', 'too_large', 'forbidden', 'needs_reconnect', 'unreachable')),
  content                bytea,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES connection (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT document_wish_failure_is_named CHECK ((status = 'failed') = (failure IS NOT NULL)),
  CONSTRAINT document_wish_has_its_document CHECK ((status = 'done') = (content IS NOT NULL))
);
CREATE INDEX document_wish_queue ON document_wish (requested_at);
CREATE INDEX document_wish_of_connection ON document_wish (organization_id, connection_id);

ALTER TABLE document_wish ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_wish FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON document_wish
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');
