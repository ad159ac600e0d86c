/** A sealed word per key, in the database: a process that cannot open one must not start. */
import { type Sql, withSystemSql } from '#lib/db/tenant.ts'
import { type JwkSet, SettingsError } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import { openCanary, sealCanary } from './vault.ts'

type Ring = { publicKeys: JwkSet; privateKeys: JwkSet }

/**
 * Stores a canary for the active key if it has none, and opens every canary. A key ring that cannot
 * leaves nothing behind. An older key had its canary while it was active: without one now it is
 * retired, and must not be asked for again.
 * @throws OperationalError token-unreadable, naming the key, when a key that sealed stored tokens
 * is missing or differs.
 */
export async function assertCanaries({ publicKeys, privateKeys }: Ring): Promise<void> {
  const canary = await sealCanary(publicKeys)
  await withSystemSql(async (sql) => {
    // of two new key rings on an empty database, the first counts
    await sql(`select pg_advisory_xact_lock(hashtext('tieout token keys'))`)
    await sql('insert into token_key_canary (key_id, sealed) values ($1, $2) on conflict do nothing', [
      canary.keyId,
      canary.sealed,
    ])
    await openAll(sql, privateKeys)
  })
}

/**
 * Makes sure, without a private key, that workers open what this key ring seals: they know its
 * first key, or no worker has started on this database yet. @throws SettingsError for a foreign key
 * ring.
 */
export async function requireKnownRing({ keys: [active] }: JwkSet): Promise<void> {
  const known = await withSystemSql((sql) => sql<{ key_id: string }>('select key_id from token_key_canary order by 1'))
  if (known.length === 0 || known.some(({ key_id }) => key_id === active?.kid)) return
  throw new SettingsError([
    `TOKEN_PUBLIC_KEYS: no worker of this database opens what is sealed to ${active?.kid}; they know ${known.map(({ key_id }) => key_id).join(', ')}. Take the set that \`npm run keys -- public\` prints where the worker runs; a new key has to be known to the workers first.`,
  ])
}

async function openAll(sql: Sql, privateKeys: JwkSet): Promise<void> {
  const canaries = await sql<{ key_id: string; sealed: string }>(
    'select key_id, sealed from token_key_canary order by created_at',
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
