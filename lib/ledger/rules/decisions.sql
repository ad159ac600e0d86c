CREATE FUNCTION refuse_decision_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', table_of_shard(TG_TABLE_NAME) USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER check_setting_is_append_only BEFORE UPDATE OR DELETE ON check_setting
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER habit_decision_is_append_only BEFORE UPDATE ON habit_decision
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER audit_entry_is_append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER audit_entry_is_not_emptied BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_decision_change();

-- What was decided about lines stays as it was made; how far it is and what it left out is written as it is applied.
CREATE TRIGGER decision_part_is_append_only BEFORE UPDATE OF decision, number, connection_id, invoice_serial_number, line_ids, seen_hashes
  ON decision_part FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER decision_invoice_is_append_only BEFORE UPDATE OR DELETE ON decision_invoice
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER decision_is_append_only BEFORE UPDATE OF kind, reason_code, reason_words, note, actor_kind, actor_id, actor_name, undo_of,
  question, pick, picked, answer, set_hash, decided_at, rule_id, rule_version ON decision FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

-- What was signed and locked (lib/ledger/close) ends, and is never changed.
CREATE TRIGGER sign_off_is_append_only BEFORE UPDATE OF scope_kind, connection_id, profile_id, month, invoice_serial_number, generation,
  step, actor_kind, actor_id, actor_name, actor_role, at, seal, line_count, invoice_count, totals, residuals, proof_version,
  checks_number, habits_number, rule, running_run, rule_id, rule_version ON sign_off FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER sign_off_is_never_deleted BEFORE DELETE ON sign_off FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER sign_off_end_is_append_only BEFORE UPDATE OR DELETE ON sign_off_end FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER period_lock_is_append_only BEFORE UPDATE OF number, scope_kind, connection_id, profile_id, month, generation, sign_off_id,
  actor_kind, actor_id, actor_name, at ON period_lock FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER period_lock_reopens_once BEFORE UPDATE ON period_lock FOR EACH ROW WHEN (OLD.reopened_at IS NOT NULL)
  EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER period_lock_is_never_deleted BEFORE DELETE ON period_lock FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER lock_exception_is_append_only BEFORE UPDATE OF lock_number, person_id, person_name, until, reason, granted_by,
  granted_by_name, at ON lock_exception FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER lock_exception_ends_once BEFORE UPDATE ON lock_exception FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL)
  EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER drift_is_append_only BEFORE UPDATE OR DELETE ON drift FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

-- A rule, its versions, what was tried and which version counted stay as they were (lib/ledger/certify).
CREATE TRIGGER certification_rule_is_append_only BEFORE UPDATE OR DELETE ON certification_rule
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER rule_version_is_append_only BEFORE UPDATE OR DELETE ON rule_version
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER rule_switch_is_append_only BEFORE UPDATE OR DELETE ON rule_switch
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER rule_trial_part_is_append_only BEFORE UPDATE OR DELETE ON rule_trial_part
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER rule_trial_is_append_only BEFORE UPDATE OF number, rule_id, version, first_month, last_month, asked_by, asked_by_name,
  asked_at ON rule_trial FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER rule_trial_ends_once BEFORE UPDATE ON rule_trial FOR EACH ROW WHEN (OLD.done_at IS NOT NULL OR OLD.failed_at IS NOT NULL)
  EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER rule_trial_is_never_deleted BEFORE DELETE ON rule_trial FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();
