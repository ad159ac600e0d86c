/** The organizations of this installation, as an operator makes and names them. */

import { randomUUID } from 'node:crypto'
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withSystem, withTenant } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { hashPassword } from '../passwords/password.ts'
import { insertUser } from './users.ts'

export type Organization = { id: OrganizationId; name: string }

/** Every organization, by name. */
export function listOrganizations(): Promise<Organization[]> {
  return withSystem((records) =>
    records.organization.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }], select: { id: true, name: true } }),
  )
}

/** The address of the first admin is a user's already, in some organization. */
class TakenError extends Error {}

/**
 * Makes an organization with its first admin; null, with nothing made, when the admin's address is
 * taken in any organization.
 */
export async function createOrganization(
  name: string,
  admin: { email: string; name: string; password: string },
  actor: Actor,
  now: Date,
): Promise<OrganizationId | null> {
  const id: OrganizationId = randomUUID()
  const passwordHash = await hashPassword(admin.password)
  const made = withTenant(id, async (records, sql) => {
    await records.organization.createMany({ data: { id, name, createdAt: now } })
    const user = await insertUser(records, id, { ...admin, role: 'admin', passwordHash }, now)
    // rolls the organization back
    if (user === null) throw new TakenError()
    await recordAudit(sql, id, {
      actor,
      action: 'organization.create',
      subject: { kind: 'organization', id, name },
      after: { name, admin: user.email },
    })
    return id
  })
  return made.catch((thrown: unknown) => {
    if (thrown instanceof TakenError) return null
    throw thrown
  })
}

/** Gives an organization the name that everybody sees. */
export async function renameOrganization(organizationId: OrganizationId, name: string, actor: Actor): Promise<void> {
  await withTenant(organizationId, async (records, sql) => {
    const [was] = await sql<{ name: string }>('select name from organization where id = $1 for no key update', [
      organizationId,
    ])
    if (was === undefined || was.name === name) return
    await records.organization.updateMany({ where: { id: organizationId }, data: { name } })
    await recordAudit(sql, organizationId, {
      actor,
      action: 'organization.name',
      subject: { kind: 'organization', id: organizationId, name },
      before: was,
      after: { name },
    })
  })
}
