import { withTenant } from '#lib/db/tenant.ts'
import { log } from '#lib/log.ts'
import { raiseHash } from '../passwords/password.ts'
import type { SignedInUser } from '../sessions.ts'

/**
 * Stores a right password's hash at today's cost when it was made at a lower one. Changes nothing
 * when the password was changed meanwhile, and leaves it for the next time when too many passwords
 * are being looked at. Never throws: nobody waits for it.
 */
export async function raiseCost(
  { organizationId, userId, passwordHash }: Omit<SignedInUser, 'passwordHash'> & { passwordHash: string },
  password: string,
): Promise<void> {
  try {
    const raised = await raiseHash(password, passwordHash)
    if (raised === null) return
    await withTenant(organizationId, (records) =>
      records.user.updateMany({ where: { organizationId, id: userId, passwordHash }, data: { passwordHash: raised } }),
    )
  } catch (thrown) {
    log.error({ reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'a hash was not raised')
  }
}
