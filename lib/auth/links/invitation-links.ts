/** Links with which an invited person joins: a secret that works once, kept as its hash. */
import { hashSecret, makeSecret } from '#lib/connections/secret-hash.ts'
import { settings } from '#lib/env.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** What the invited person's link holds: the organization and the secret, with a point between. */
export type InvitationKey = string

/** A new key, and what is stored of it. */
export function makeInvitationKey(organizationId: OrganizationId): { key: InvitationKey; secretHash: string } {
  const secret = makeSecret()
  return { key: `${organizationId}.${secret}`, secretHash: hashSecret(secret) }
}

/** The address of the page that takes it; behind the `#`, which no server and no log sees. */
export function toInvitationAddress(key: InvitationKey): string {
  return `${settings().appUrl}/invite#${key}`
}
