/**
 * SQL: whether the company's directory decides about the role and access of the user `u`: it knows
 * them, and has a token that works (docs/decisions/034-directory.md).
 */
export const IS_MANAGED = `exists (
  select from directory_person p join directory_token t on t.organization_id = p.organization_id
  where p.organization_id = u.organization_id and p.user_id = u.id and p.removed_at is null
    and t.revoked_at is null and coalesce(t.expires_at > statement_timestamp(), true))`
