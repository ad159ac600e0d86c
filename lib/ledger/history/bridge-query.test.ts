import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import { addDecimals, compareDecimals, subtractDecimals } from '#lib/reconcile/money.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import { DEFAULT_CHANGE_QUERY } from '../query/history-query.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { toSeenFilter } from '../query/seen-filter.ts'
import { listLines } from '../read/list-lines.ts'
import { listChanges } from './history-list.ts'

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
  connectionId = (await world.connect('nordlicht')).connectionId
  await syncNow(world, connectionId)
})
afterAll(() => world.close())

const account = () => world.sandbox.state().requireAccount('nordlicht')

/** What stood in each currency, as anybody would ask for it, before something happens. */
const standing = () =>
  world.database.query<{ currency: string; count: number; total: string }>(
    `select currency, count(*)::int as count, sum(total_amount)::text as total from line
     where connection_id = $1 and missing_since is null group by 1 order by 1`,
    [connectionId],
  )

test('the bridge leads from what stood to what stands, in each currency, through all that happened since', async () => {
  const stood = await standing()
  // all of this arrived long ago
  await world.database.query(`update connection set created_at = now() - interval '90 days'`)
  await world.database.query(`update line set first_seen_at = now() - interval '60 days' where connection_id = $1`, [
    connectionId,
  ])
  const lines = await world.database.query<{ id: string; currency: string; total: string; serial: string }>(
    `select distinct on (currency) id, currency, total_amount::text as total, invoice_serial_number as serial from line
     where connection_id = $1 and id not like 'sha256:%' and finding_count = 0 and quantity = 1 and total_amount > 0 order by currency, id`,
    [connectionId],
  )
  const find = (currency: string) => lines.find((line) => line.currency === currency) as (typeof lines)[number]
  const { mutations } = world.sandbox.state()
  mutations.removeLine(account(), find('JPY').id)
  mutations.updateLine(account(), find('GBP').id, {
    unit_price: '1.00',
    non_taxable_unit_price: '0.00',
    tax_percentage: '0',
    tax_amount: '0.00',
    total_amount: '1.00',
  })
  world.sandbox.state().issueInvoice('nordlicht', { lines: 2, position: 'front' })
  await syncNow(world, connectionId)

  const { bridges, groups } = await listChanges(world.organizationId, DEFAULT_CHANGE_QUERY, new Date())
  const stands = await standing()
  expect(bridges.map(({ currency }) => currency)).toEqual(stands.map(({ currency }) => currency))
  for (const { currency, ...bridge } of bridges) {
    const [was, is] = [stood, stands].map((all) => all.find((each) => each.currency === currency))
    expect([currency, bridge.stood.count, Number(bridge.stood.amount)]).toEqual([
      currency,
      was?.count,
      Number(was?.total),
    ])
    expect([currency, bridge.now.count, Number(bridge.now.amount)]).toEqual([currency, is?.count, Number(is?.total)])
    expect(bridge.stood.count + bridge.arrived.count - bridge.removed.count).toBe(bridge.now.count)
    const gone = currency === 'JPY' ? { count: 1, amount: find('JPY').total } : { count: 0, amount: '0' }
    expect(bridge.removed).toEqual(gone)
    expect(bridge.changed.count).toBe(currency === 'GBP' ? 1 : 0)
  }
  const arrived = bridges.filter((bridge) => bridge.arrived.count > 0)
  expect(arrived).toEqual([expect.objectContaining({ arrived: expect.objectContaining({ count: 2 }) })])

  // the figures lead to their lines
  const seen = async (...filter: string[]) => {
    const query = { ...DEFAULT_LINE_QUERY, seen: filter }
    return (await listLines(world.organizationId, query)).totals.reduce((count, total) => count + total.lineCount, 0)
  }
  const all = bridges.reduce((count, { now }) => count + now.count, 0)
  const { since } = await listChanges(world.organizationId, DEFAULT_CHANGE_QUERY, new Date())
  expect(await seen(toSeenFilter('since', since))).toBe(2)
  expect(await seen(toSeenFilter('before', since))).toBe(all - 2)
  expect([await seen('since yesterday'), await seen('after 2026-11-14')]).toEqual([0, 0])

  // the removed line is an entry beside what the same run changed of its invoice
  const entry = groups.find(({ serialNumber }) => serialNumber === find('JPY').serial)
  expect(entry).toMatchObject({ trigger: 'manual', removedCount: 1 })
  expect(entry?.removed).toEqual([
    expect.objectContaining({ id: find('JPY').id, currency: 'JPY', totalAmount: find('JPY').total }),
  ])
  expect(entry?.invoice).toHaveLength(1)
})

test('what a new account brings has arrived, whole', async () => {
  await world.database.query('update connection set created_at = now()')
  await world.database.query('update line set first_seen_at = now()')
  const { bridges } = await listChanges(world.organizationId, DEFAULT_CHANGE_QUERY, new Date())
  for (const { currency, stood, arrived, now, changed, removed } of bridges) {
    expect([currency, stood.count, Number(stood.amount)]).toEqual([currency, 0, 0])
    const back = subtractDecimals(addDecimals(now.amount, removed.amount), changed.amount)
    expect(compareDecimals(arrived.amount, back)).toBe(0)
  }
})
