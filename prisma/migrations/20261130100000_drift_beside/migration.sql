-- What changed of an invoice of a locked month, and is not in its seal: listed, without money (docs/decisions/062-sign-off.md).
ALTER TABLE drift DROP CONSTRAINT drift_cause_check;
ALTER TABLE drift ADD CONSTRAINT drift_cause_check
  CHECK (cause IN ('changed', 'gone', 'back', 'new_line', 'proof', 'checks', 'compared', 'invoice', 'beside'));
