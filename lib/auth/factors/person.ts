import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { Seal } from '../seal.ts'

/** Whose factor it is. */
export type Person = { organizationId: OrganizationId; userId: UserId }

/** The seal of a person's own; no two people have the same, since each id has one length. */
export function toSeal(purpose: Seal['purpose'], { organizationId, userId }: Person): Seal {
  return { purpose, of: `${organizationId} ${userId}` }
}
