-- No link goes to whom the organization takes no password from: it would not work.
CREATE FUNCTION find_password_holder(sought text) RETURNS TABLE (organization_id uuid, user_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT u.organization_id, u.id FROM app_user u
  WHERE u.email = sought AND u.disabled_at IS NULL AND u.password_hash IS NOT NULL
    AND (u.break_glass AND u.role = 'admin' OR NOT EXISTS (
      SELECT FROM single_sign_on e WHERE e.organization_id = u.organization_id AND e.mode = 'enforced'))
$$;
REVOKE ALL ON FUNCTION find_password_holder(text) FROM PUBLIC;
