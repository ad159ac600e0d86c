import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { ProfileRecord } from '#lib/reconcile/records.ts'

/**
 * Notes the platform's name of a connection that has none yet, in the transaction that stores its
 * profiles. It is shown unless people named the account before.
 */
export async function nameConnection(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  profiles: readonly ProfileRecord[],
): Promise<void> {
  const name = toConnectionName(profiles)
  if (name === null) return
  await sql(
    `update connection set platform_name = $3, name = coalesce(name, $3)
     where organization_id = $1 and id = $2 and platform_name is null`,
    [organizationId, connectionId, name],
  )
}

/** The legal name all profiles share, else the first profile's name; null when there is none. */
export function toConnectionName(profiles: readonly Pick<ProfileRecord, 'name' | 'legalName'>[]): string | null {
  const [first] = profiles
  if (first === undefined) return null
  const isShared = profiles.every(({ legalName }) => legalName === first.legalName)
  const found = isShared ? (first.legalName ?? first.name) : (first.name ?? first.legalName)
  return found?.trim() || null
}
