import type { Sql } from '#lib/db/tenant.ts'
import type { Account } from '../../apply/next-account.ts'

/**
 * Makes this transaction the only writer of an account until it ends, unless another one is that:
 * then resolves to false at once. Whoever changes what kept answers are made of has the same row
 * (`hold_accounts` in tally.sql), so the statements after this one see all of a change, or none.
 */
export async function tryHoldAccount(sql: Sql, { organizationId, connectionId }: Account): Promise<boolean> {
  const held = await sql(
    'select from connection_tally where organization_id = $1 and connection_id = $2 for update skip locked',
    [organizationId, connectionId],
  )
  return held.length > 0
}
