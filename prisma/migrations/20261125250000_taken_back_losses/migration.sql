-- An accepted loss can be taken back: the decision stays, beside it who took it back and what counts again.
ALTER TABLE sync_loss
  ADD COLUMN taken_back_by     uuid,
  ADD COLUMN taken_back_at     timestamptz,
  ADD COLUMN lines_back        integer,
  ADD COLUMN invoices_back     integer,
  ADD CONSTRAINT sync_loss_taken_back CHECK (taken_back_at IS NULL OR decision = 'accepted');
