-- Approvers and auditors (docs/decisions/028-permissions.md): two roles more, wherever a role is kept.
SELECT set_config('tieout.scope', 'system', true);

ALTER TABLE app_user DROP CONSTRAINT app_user_role_check,
  ADD CONSTRAINT app_user_role_check CHECK (role IN ('viewer', 'auditor', 'finance', 'approver', 'admin'));
ALTER TABLE invitation DROP CONSTRAINT invitation_role_check,
  ADD CONSTRAINT invitation_role_check CHECK (role IN ('viewer', 'auditor', 'finance', 'approver', 'admin'));
ALTER TABLE directory_setting DROP CONSTRAINT directory_setting_default_role_check,
  ADD CONSTRAINT directory_setting_default_role_check
    CHECK (default_role IN ('viewer', 'auditor', 'finance', 'approver', 'admin'));
ALTER TABLE directory_group DROP CONSTRAINT directory_group_role_check,
  ADD CONSTRAINT directory_group_role_check CHECK (role IN ('viewer', 'auditor', 'finance', 'approver', 'admin'));

-- No value of the claim means them until somebody says so.
ALTER TABLE single_sign_on
  ADD COLUMN auditor_values  text[] NOT NULL DEFAULT '{}',
  ADD COLUMN approver_values text[] NOT NULL DEFAULT '{}';
