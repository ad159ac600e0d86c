-- Each account says how much of it the platform no longer has.
CREATE INDEX invoice_missing ON invoice (organization_id, connection_id) WHERE missing_since IS NOT NULL;
