CREATE FUNCTION refuse_decision_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER check_setting_is_append_only BEFORE UPDATE OR DELETE ON check_setting
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER habit_decision_is_append_only BEFORE UPDATE ON habit_decision
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER audit_entry_is_append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

CREATE TRIGGER audit_entry_is_not_emptied BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_decision_change();
