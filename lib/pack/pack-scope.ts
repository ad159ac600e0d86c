/** Scopes of packs as the database has them. */
import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { CloseScope } from '#lib/reconcile/close/scope.ts'

export type PackScope = CloseScope<ConnectionId>

/** The columns of a scope, of `pack`. */
export type ScopeColumns = {
  kind: PackScope['kind']
  connectionId: ConnectionId
  profileId: string | null
  /** YYYY-MM. */
  month: string | null
  serialNumber: string | null
}

export const SCOPE_COLUMNS = `scope_kind as kind, connection_id as "connectionId", profile_id as "profileId",
  to_char(month, 'YYYY-MM') as month, invoice_serial_number as "serialNumber"`

/** SQL: rows of `pack` or `sign_off` that are of the scope in `$2` to `$6`. */
export const IS_OF_SCOPE = `scope_kind = $2 and connection_id = $3::uuid and profile_id is not distinct from $4
  and month is not distinct from $5::date and invoice_serial_number is not distinct from $6`

/** The values of `IS_OF_SCOPE`, after the organization. */
export function toScopeValues(scope: PackScope): (string | null)[] {
  const { kind, connectionId } = scope
  if (scope.kind === 'invoice') return [kind, connectionId, null, null, scope.serialNumber]
  return [kind, connectionId, scope.kind === 'profile_month' ? scope.profileId : null, `${scope.month}-01`, null]
}

export function toPackScope({ kind, connectionId, profileId, month, serialNumber }: ScopeColumns): PackScope {
  if (kind === 'invoice') return { kind, connectionId, serialNumber: serialNumber ?? '' }
  if (kind === 'profile_month') return { kind, connectionId, profileId: profileId ?? '', month: month ?? '' }
  return { kind, connectionId, month: month ?? '' }
}

/** The serial numbers of the scope's invoices by bytes, and of how many lines they are. */
export async function listPackInvoices(
  sql: Sql,
  organizationId: OrganizationId,
  scope: PackScope,
): Promise<{ serialNumbers: string[]; lineCount: number }> {
  const [kind, connectionId, profileId, month, serialNumber] = toScopeValues(scope)
  const rows = await sql<{ serialNumber: string }>(
    `select serial_number as "serialNumber" from invoice
     where organization_id = $1 and connection_id = $3::uuid
       and case when $2 = 'invoice' then serial_number = $6
           else issuing_date >= $5::date and issuing_date < $5::date + interval '1 month' and ($4::text is null or profile_id = $4) end
     order by serial_number collate "C"`,
    [organizationId, kind, connectionId, profileId, month, serialNumber],
  )
  const serialNumbers = rows.map((row) => row.serialNumber)
  const [count] = await sql<{ lineCount: number }>(
    `select count(*)::int as "lineCount" from line
     where organization_id = $1 and connection_id = $2 and invoice_serial_number = any($3::text[])`,
    [organizationId, connectionId, serialNumbers],
  )
  return { serialNumbers, lineCount: count?.lineCount ?? 0 }
}
