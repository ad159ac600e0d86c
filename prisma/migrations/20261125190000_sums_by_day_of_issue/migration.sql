-- Invoices issued in a span of days, of which the lines are then read: the sums of all invoices were gone through for them.
CREATE INDEX invoice_rollup_by_day ON invoice_rollup (organization_id, issuing_date);
