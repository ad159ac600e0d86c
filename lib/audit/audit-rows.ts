/** The columns of an entry, in one select list for pages, files and the chain. */

/** `AuditEntry` of a row of `audit_entry`: each column, none derived. */
export const AUDIT_COLUMNS = `
  organization_id::text as "organizationId", number::text as number,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  actor_kind as "actorKind", actor_id::text as "actorId", actor_name as "actorName", network, action,
  subject_kind as "subjectKind", subject_id as "subjectId", subject_name as "subjectName", before, after,
  encode(previous_hash, 'hex') as "previousHash", encode(hash, 'hex') as hash`
