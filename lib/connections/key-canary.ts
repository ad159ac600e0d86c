/** One sealed word per key, in the database: who cannot open one has lost a key, and must not start working. */
import { withSystemSql } from '../db/tenant.ts'
import type { JwkSet } from '../env.ts'
import { OperationalError } from '../errors.ts'
import { openCanary, sealCanary } from './vault.ts'

type Ring = { publicKeys: JwkSet; privateKeys: JwkSet }

/**
 * Stores a canary for each public key that has none, and opens every canary there is.
 * @throws OperationalError token-unreadable naming the key, when a key that sealed stored tokens is missing or another.
 */
export async function assertCanaries({ publicKeys, privateKeys }: Ring): Promise<void> {
  for (const key of publicKeys.keys) {
    const { sealed, keyId } = await sealCanary({ keys: [key] })
    await withSystemSql((sql) =>
      sql('insert into token_key_canary (key_id, sealed) values ($1, $2) on conflict do nothing', [keyId, sealed]),
    )
  }
  const canaries = await withSystemSql((sql) =>
    sql<{ key_id: string; sealed: string }>('select key_id, sealed from token_key_canary order by created_at'),
  )
  for (const { key_id, sealed } of canaries) {
    try {
      await openCanary(sealed, privateKeys)
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown)
      throw new OperationalError(
        'token-unreadable',
        `TOKEN_PRIVATE_KEYS: the key ${key_id}, to which tokens were sealed, is missing or another (${why}). See docs/operations.md, "A key is lost".`,
        { cause: thrown },
      )
    }
  }
}
