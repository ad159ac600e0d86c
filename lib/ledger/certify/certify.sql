-- Certification rules: no version counts before a trial of it, none acts that is off, and none approves unless the organization
-- says so, for whoever writes (docs/decisions/066-certification-rules.md).
-- Beware: codes of their own: TO107 a rule may not approve, TO108 the version was not tried or is off
--         (lib/db/database-trouble.ts).

CREATE FUNCTION refuse_rule_approving(of_organization uuid, verb text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF verb IN ('approve', 'approved') AND NOT coalesce((SELECT rules_approve FROM organization WHERE id = of_organization), false) THEN
    RAISE EXCEPTION 'the organization lets no rule approve' USING ERRCODE = 'TO107';
  END IF;
END $$;

CREATE FUNCTION check_rule_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_rule_approving(NEW.organization_id, NEW.verb);
  RETURN NEW;
END $$;

CREATE TRIGGER rule_version_is_allowed BEFORE INSERT ON rule_version FOR EACH ROW EXECUTE FUNCTION check_rule_version();

-- A version is turned on by a trial of that very version, which was run to its end.
CREATE FUNCTION check_rule_switch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version IS NULL THEN RETURN NEW; END IF;
  PERFORM refuse_rule_approving(NEW.organization_id,
    (SELECT verb FROM rule_version v WHERE v.organization_id = NEW.organization_id AND v.rule_id = NEW.rule_id AND v.version = NEW.version));
  IF NOT EXISTS (
    SELECT FROM rule_trial t
    WHERE t.organization_id = NEW.organization_id AND t.number = NEW.trial AND t.rule_id = NEW.rule_id AND t.version = NEW.version
      AND t.done_at IS NOT NULL) THEN
    RAISE EXCEPTION 'this version of the rule was not tried' USING ERRCODE = 'TO108';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER rule_switch_is_allowed BEFORE INSERT ON rule_switch FOR EACH ROW EXECUTE FUNCTION check_rule_switch();

-- What a rule decides or signs names the version that counts, and its owner.
CREATE FUNCTION check_rule_acts(of_organization uuid, rule uuid, of_version integer, owner uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT s.version FROM rule_switch s WHERE s.organization_id = of_organization AND s.rule_id = rule ORDER BY s.number DESC LIMIT 1)
       IS DISTINCT FROM of_version
     OR NOT EXISTS (SELECT FROM rule_version v WHERE v.organization_id = of_organization AND v.rule_id = rule AND v.version = of_version
                      AND v.made_by = owner) THEN
    RAISE EXCEPTION 'this version of the rule does not count' USING ERRCODE = 'TO108';
  END IF;
END $$;

CREATE FUNCTION check_rule_decides() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_rule_acts(NEW.organization_id, NEW.rule_id, NEW.rule_version, NEW.actor_id);
  IF NEW.kind <> 'accept' THEN
    RAISE EXCEPTION 'a rule only accepts' USING ERRCODE = 'TO108';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER decision_of_rule_is_allowed BEFORE INSERT ON decision FOR EACH ROW WHEN (NEW.rule_id IS NOT NULL)
  EXECUTE FUNCTION check_rule_decides();

-- After four eyes were looked at (close-decisions.sql).
CREATE FUNCTION check_rule_signs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_rule_approving(NEW.organization_id, NEW.step);
  IF NEW.rule_id IS NOT NULL THEN
    PERFORM check_rule_acts(NEW.organization_id, NEW.rule_id, NEW.rule_version, NEW.actor_id);
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER sign_off_of_rule_is_allowed BEFORE INSERT ON sign_off FOR EACH ROW
  WHEN (NEW.rule_id IS NOT NULL OR NEW.actor_kind = 'rule') EXECUTE FUNCTION check_rule_signs();
