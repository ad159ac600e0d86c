/**
 * Where the limit of a believable loss lies, in an account where a hundred lines are a small share.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { getOpenLoss } from './decide-loss.ts'

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld({ size: { kind: 'huge', lines: 2500 }, pageSize: 1000 })
  connectionId = (await world.connect('nordlicht')).connectionId
  expect((await sync()).outcome).toBe('succeeded')
})
afterAll(() => world.close())

const sync = () => syncNow(world, connectionId, { timing: { ...QUICK_TIMING, windowRecords: 10_000 } })
const countLines = async (where: string) => {
  const [row] = await world.database.query<{ lines: number }>(`select count(*)::int as lines from line where ${where}`)
  return row?.lines ?? 0
}

/** Stores lines that the platform does not have. */
async function addLines(count: number): Promise<void> {
  const columns = await world.database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = 'line' and is_generated = 'NEVER' and column_name <> 'id'`,
  )
  const names = columns.map(({ name }) => name).join(', ')
  await world.database.query(
    `insert into line (id, ${names}) select 'gone-' || gen_random_uuid(), ${names} from line
     where connection_id = $1 and id not like 'gone-%' order by id limit $2`,
    [connectionId, count],
  )
}

test.each([
  [100, 'succeeded'],
  [101, 'held'],
])(
  'F25: of %i missing lines that are less than a twentieth of the account the run says: %s',
  async (count, expected) => {
    await world.database.query(`delete from line where id like 'gone-%'`)
    const before = await countLines('true')
    await addLines(count)
    expect(count).toBeLessThan((before + count) * 0.05)
    expect((await sync()).outcome).toBe(expected)
    const isHeld = expected === 'held'
    expect(await countLines('missing_since is not null')).toBe(isHeld ? 0 : count)
    const loss = await getOpenLoss(world.organizationId, connectionId)
    expect(loss?.missingLines ?? null).toBe(isHeld ? count : null)
  },
)
