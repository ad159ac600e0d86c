/** Many organizations with an account each, whose lines the database makes. */
import { withConnection } from '#lib/db/one-connection.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { judgeOrganization } from '#lib/ledger/rules/judge-lines.ts'
import { FILLED_TABLES, noteLedger, writeLedger } from '#lib/world/fill-ledger.ts'
import type { OwnOrganization } from '#lib/world/own-world.ts'

export type Filled = OwnOrganization & { connectionId: ConnectionId; lines: number }

const ANALYZED_AFTER = 20_000
/** Ledgers that the database makes side by side; each needs a core of its own. */
const AT_ONCE = 2

/**
 * Gives each of these sizes an organization, without records as sent. `superuser`: of the database,
 * whose tables are vacuumed at the end.
 */
export async function fillOrganizations(
  superuser: string,
  sizes: readonly number[],
  addOrganization: () => Promise<OwnOrganization>,
): Promise<Filled[]> {
  const filled: Filled[] = []
  const owners: OwnOrganization[] = []
  for (const _ of sizes) owners.push(await addOrganization())
  const left = [...sizes.entries()]
  const fillNext = async (): Promise<void> => {
    const [at, lines] = left.shift() ?? [-1, 0]
    const owner = owners[at]
    if (owner === undefined) return
    const connectionId = await addConnection(owner)
    await writeLedger({ ...owner, connectionId }, lines, { withRecords: false })
    // as the server does within a minute (decision 072), for which a first sync takes long enough
    if (lines >= ANALYZED_AFTER)
      await withConnection(superuser, (client) => client.query(`analyze ${FILLED_TABLES.join(', ')}`))
    // as a sync does before it writes them: a worker would do it while pages are measured
    await judgeOrganization(owner.organizationId)
    await noteLedger({ ...owner, connectionId })
    filled[at] = { ...owner, connectionId, lines }
    return fillNext()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fillNext))
  await withConnection(superuser, async (client) => {
    for (const table of FILLED_TABLES) await client.query(`vacuum (analyze) ${table}`)
  })
  return filled
}

/** No sync is due: there is no platform behind it. */
async function addConnection({ organizationId, userId }: OwnOrganization): Promise<ConnectionId> {
  const [row] = await withSystemSql((sql) =>
    sql<{ id: ConnectionId }>(
      `insert into connection (organization_id, name, state, scopes_asked, created_by, next_sync_at, next_look_back_at,
         next_verification_at)
       values ($1, 'Filled', 'active', 'expenses:read', $2, now() + interval '30 days', now() + interval '30 days',
         now() + interval '30 days') returning id`,
      [organizationId, userId],
    ),
  )
  return (row as { id: ConnectionId }).id
}
