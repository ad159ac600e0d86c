import { type Sql, withSystemSql } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { auditConnection, inOrder } from '../events/audit-connection.ts'
import { SEALED_PLACES, type SealedPlace } from './key-sealed-rows.ts'
import { listSpooled, readSpooled } from './spool.ts'
import { readKeyId } from './vault.ts'

/** What is sealed to one key. `hasCanary`: a worker without this key does not start. */
export type KeyUse = {
  keyId: string
  hasCanary: boolean
  rows: Record<SealedPlace['name'] | 'spooled answers', number>
  total: number
}

/** Counts for each key with a canary or sealed text what is sealed to it, spool included. */
export function countKeyUse(): Promise<KeyUse[]> {
  return withSystemSql(readKeyUse)
}

async function readKeyUse(sql: Sql): Promise<KeyUse[]> {
  const uses = new Map<string, KeyUse>()
  const use = (keyId: string): KeyUse => {
    const none = { tokens: 0, consents: 0, 'scim keys': 0, 'kept answers': 0, 'spooled answers': 0 }
    const found = uses.get(keyId) ?? { keyId, hasCanary: false, rows: none, total: 0 }
    uses.set(keyId, found)
    return found
  }
  for (const { key_id } of await sql<{ key_id: string }>('select key_id from token_key_canary order by created_at'))
    use(key_id).hasCanary = true
  const add = (keyId: string, name: keyof KeyUse['rows'], count: number) => {
    const counted = use(keyId)
    counted.rows[name] += count
    counted.total += count
  }
  for (const { name, table, keyIdColumn } of SEALED_PLACES) {
    const counts = await sql<{ key: string; count: number }>(
      `select ${keyIdColumn} as key, count(*)::int as count from ${table} where ${keyIdColumn} is not null group by 1 order by 1`,
    )
    for (const { key, count } of counts) add(key, name, count)
  }
  for (const spooled of await listSpooled()) {
    const sealed = await readSpooled(spooled)
    if (sealed !== null) add(readKeyId(sealed), 'spooled answers', 1)
  }
  return [...uses.values()]
}

/**
 * Takes a key out of service: nothing may be sealed to it any more. Deletes its canary, so workers
 * start without it.
 * @returns what is still sealed to it, with nothing changed; null when it is retired.
 */
export function retireKey(keyId: string): Promise<KeyUse | null> {
  return withSystemSql(async (sql) => {
    const found = (await readKeyUse(sql)).find((use) => use.keyId === keyId)
    if (found !== undefined && found.total > 0) return found
    await sql('delete from token_key_canary where key_id = $1', [keyId])
    return null
  })
}

/**
 * Gives up a key that is lost for good: destroys what only it could open. Each connection concerned
 * has to be reconnected; its data and history stay. @returns how many connections. @throws
 * OperationalError internal when `keyId` is the active key.
 */
export function giveUpKey(keyId: string, activeKeyId: string): Promise<number> {
  if (keyId === activeKeyId) throw new OperationalError('internal', 'the active key cannot be given up')
  return withSystemSql(async (sql) => {
    await sql(
      `update connection c set last_generation = greatest(c.last_generation, k.generation)
       from connection_credential k
       where k.organization_id = c.organization_id and k.connection_id = c.id and k.key_id = $1`,
      [keyId],
    )
    const ended = await sql<{ organizationId: OrganizationId; connectionId: ConnectionId }>(
      `update connection c set state = 'needs_reconnect', state_cause = 'key_lost'
       where c.state in ('pending', 'active')
         and (exists (select from connection_credential k
                      where k.organization_id = c.organization_id and k.connection_id = c.id and k.key_id = $1)
              or exists (select from connection_candidate k
                         where k.organization_id = c.organization_id and k.connection_id = c.id and k.key_id = $1))
       returning c.organization_id as "organizationId", c.id as "connectionId"`,
      [keyId],
    )
    await sql('delete from connection_credential where key_id = $1', [keyId])
    await sql('delete from connection_candidate where key_id = $1', [keyId])
    await sql('update scim_credential set sealed_key = null, key_id = null where key_id = $1', [keyId])
    await sql('update refresh_attempt set sealed_answer = null, answer_key_id = null where answer_key_id = $1', [keyId])
    await sql('delete from token_key_canary where key_id = $1', [keyId])
    for (const { organizationId, connectionId } of inOrder(ended))
      await auditConnection(sql, organizationId, connectionId, {
        actor: { kind: 'operator', name: 'npm run keys' },
        action: 'connection.lost',
        after: { cause: 'key_lost' },
      })
    return ended.length
  })
}
