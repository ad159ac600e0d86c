import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import { expectUpstream } from '#lib/sync/test-support/test-upstream.ts'
import { DEFAULT_CHANGE_QUERY, parseChangeQuery, writeChangeQuery } from '../query/history-query.ts'
import { toSearchParams } from '../query/search-params.ts'
import { getInvoice } from '../read/get-invoice.ts'
import { getLine } from '../read/get-line.ts'
import { day, makeLine, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { listChanges } from './history-list.ts'

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
  connectionId = (await world.connect('nordlicht')).connectionId
  await syncNow(world, connectionId)
})
afterAll(() => world.close())

const versions = () =>
  world.database.query<{ line_id: string; raw: string; content_hash: string; run_id: string }>(
    'select line_id, raw::text as raw, content_hash, run_id from line_version where connection_id = $1 order by id',
    [connectionId],
  )

async function oldestLine() {
  const [line] = await world.database.query<{ id: string; raw: string; content_hash: string; serial: string }>(
    `select id, raw::text as raw, content_hash, invoice_serial_number as serial
     from line join line_payload p using (organization_id, connection_id)
     where p.line_id = id and connection_id = $1 and id not like 'sha256:%' and finding_count = 0 and currency = 'EUR' and quantity = 1
     order by expense_date, id limit 1`,
    [connectionId],
  )
  if (line === undefined) throw new Error('no line')
  return line
}

const account = () => world.sandbox.state().requireAccount('nordlicht')

test('a first sync, and a sync of an unchanged account, keep no version', async () => {
  await syncNow(world, connectionId)
  expect(await versions()).toEqual([])
})

test('F26: a late correction of an old line is picked up, and its former text is kept byte for byte', async () => {
  const before = await oldestLine()
  const was = JSON.parse(before.raw) as { unit_price: string; total_amount: string; tax_percentage: string }
  world.sandbox.state().mutations.updateLine(account(), before.id, {
    unit_price: '100.00',
    non_taxable_unit_price: '0.00',
    tax_percentage: '0',
    tax_amount: '0.00',
    total_amount: '100.00',
  })
  const { runId } = await syncNow(world, connectionId)
  await expectUpstream(world, connectionId, 'nordlicht')

  expect(await versions()).toEqual([
    { line_id: before.id, raw: before.raw, content_hash: before.content_hash, run_id: runId },
  ])
  const line = await getLine(world.organizationId, connectionId, before.id)
  expect(line?.history).toHaveLength(1)
  const [change] = line?.history ?? []
  expect(change).toMatchObject({
    runId,
    validFrom: line?.firstSeenAt,
    seenAt: line?.changedAt,
    before: { amount: was.total_amount, currency: 'EUR' },
    after: { amount: '100.00', currency: 'EUR' },
    effect: { currency: 'EUR', difference: (100 - Number(was.total_amount)).toFixed(2) },
  })
  expect(change?.fields).toContainEqual({
    path: 'total_amount',
    before: { kind: 'text', text: was.total_amount },
    after: { kind: 'text', text: '100.00' },
    unit: 'amount',
    difference: (100 - Number(was.total_amount)).toFixed(2),
  })
})

test('F26: the list of changes names the invoice, the line and the run, and marks a late change', async () => {
  const { id, serial } = await oldestLine()
  const list = await listChanges(world.organizationId, DEFAULT_CHANGE_QUERY, new Date())
  const group = list.groups.find(({ serialNumber }) => serialNumber === serial)
  expect(group).toMatchObject({ connectionId, trigger: 'manual', lineCount: 1 })
  expect(group?.lines).toEqual([expect.objectContaining({ lineId: id, isLate: true, isInherited: false })])
  // the platform's invoice total follows its lines, so the two effects are equal
  expect(group?.invoice[0]?.effect).toEqual(group?.lines[0]?.effect)
  expect(list.bridges.filter(({ changed }) => changed.count > 0)).toEqual([
    expect.objectContaining({
      currency: 'EUR',
      changed: { count: 1, amount: group?.lines[0]?.effect?.difference },
      removed: { count: 0, amount: '0' },
    }),
  ])
})

test('a second change adds a second version, and each is compared with its successor', async () => {
  const { id } = await oldestLine()
  world.sandbox.state().mutations.updateLine(account(), id, { description: 'Corrected twice' })
  await syncNow(world, connectionId)
  const line = await getLine(world.organizationId, connectionId, id)
  expect(line?.history.map(({ fields }) => fields.map(({ path }) => path))).toEqual([
    ['description'],
    expect.arrayContaining(['unit_price', 'total_amount']),
  ])
  expect(line?.history[0]?.effect?.difference).toBe('0.00')
  expect(line?.history[0]?.validFrom).toBe(line?.history[1]?.seenAt)
})

test('a paid invoice is one change, together with the lines that only repeat its status', async () => {
  const [open] = await world.database.query<{ serial: string; lines: number }>(
    `select i.serial_number as serial, count(*)::int as lines from invoice i join line l on l.organization_id = i.organization_id
       and l.connection_id = i.connection_id and l.invoice_serial_number = i.serial_number
     where i.connection_id = $1 and i.status = 'unpaid' group by 1 having count(*) < 20 order by 1 limit 1`,
    [connectionId],
  )
  if (open === undefined) throw new Error('no unpaid invoice')
  world.sandbox.state().mutations.updateInvoice(account(), open.serial, { status: 'paid' })
  const { runId } = await syncNow(world, connectionId)
  const invoice = await getInvoice(world.organizationId, connectionId, open.serial)
  expect(invoice?.history).toHaveLength(1)
  expect(invoice?.history[0]).toMatchObject({ runId, effect: { difference: expect.stringMatching(/^0/) } })
  expect(invoice?.history[0]?.fields).toEqual([
    {
      path: 'status',
      before: { kind: 'text', text: 'unpaid' },
      after: { kind: 'text', text: 'paid' },
      unit: null,
      difference: null,
    },
  ])
  const { groups } = await listChanges(world.organizationId, DEFAULT_CHANGE_QUERY, new Date())
  const group = groups.find(({ serialNumber }) => serialNumber === open.serial)
  expect(group?.lineCount).toBe(open.lines)
  expect(group?.lines.every(({ isInherited }) => isInherited)).toBe(true)
  const money = await listChanges(world.organizationId, { ...DEFAULT_CHANGE_QUERY, moneyOnly: true }, new Date())
  expect(money.groups.map(({ serialNumber }) => serialNumber)).not.toContain(open.serial)
})

test('an uncommitted page keeps no version; repeating it keeps one', async () => {
  const { id } = await oldestLine()
  const before = (await versions()).length
  world.sandbox.state().mutations.updateLine(account(), id, { description: 'Corrected under a fault' })
  let isFirst = true
  await syncNow(world, connectionId, {
    failpoint: (name) => {
      if (name !== 'before-commit' || !isFirst) return
      isFirst = false
      throw new Error('stopped before the commit')
    },
  }).catch(() => undefined)
  await syncNow(world, connectionId)
  expect((await getLine(world.organizationId, connectionId, id))?.history[0]?.fields[0]?.after.text).toBe(
    'Corrected under a fault',
  )
  expect((await versions()).length).toBe(before + 1)
})

test('a new proof version is not a change by the platform', async () => {
  const { id } = await oldestLine()
  const before = await versions()
  const { changedAt } = (await getLine(world.organizationId, connectionId, id)) as { changedAt: string }
  await world.database.query('update line set proof_version = 0 where connection_id = $1', [connectionId])
  await syncNow(world, connectionId)
  expect(await versions()).toEqual(before)
  expect((await getLine(world.organizationId, connectionId, id))?.changedAt).toBe(changedAt)
})

test('another organization does not see the history', async () => {
  const other = await seedOrganization(world.database.query, 'Other')
  const [seen] = await withTenantSql(other.organizationId, (sql) =>
    sql<{ count: number }>(
      'select (select count(*) from line_version)::int + (select count(*) from invoice_version)::int as count',
    ),
  )
  expect(seen?.count).toBe(0)
  expect((await listChanges(other.organizationId, DEFAULT_CHANGE_QUERY, new Date())).groupCount).toBe(0)
})

test('a line whose currency changed leaves one currency and joins another; no difference spans two', async () => {
  const owner = await seedOrganization(world.database.query, 'Two currencies')
  const mine = await seedConnection(world.database.query, owner)
  const line = makeLine({ expenseDate: day('2026-03-04') })
  await seedLines(owner.organizationId, mine, [line])
  await seedLines(owner.organizationId, mine, [{ ...line, currency: 'USD', contentHash: 'in dollars' }])
  const detail = await getLine(owner.organizationId, mine, line.id)
  expect(detail?.history).toEqual([expect.objectContaining({ runId: null, effect: null })])
  const { bridges } = await listChanges(owner.organizationId, DEFAULT_CHANGE_QUERY, new Date())
  // it arrived in euros and is in dollars now: it left the one and joined the other
  const total = line.totalAmount
  const none = { count: 0, amount: '0.00' }
  expect(bridges).toEqual([
    expect.objectContaining({ currency: 'EUR', arrived: { count: 1, amount: total }, stood: none }),
    expect.objectContaining({ currency: 'USD', now: { count: 1, amount: total }, stood: none }),
  ])
})

test('the address of the list of changes reads back as written', () => {
  const query = { since: day('2026-03-01'), connections: [connectionId], moneyOnly: true, page: 3, scope: '' }
  expect(parseChangeQuery(toSearchParams(new URLSearchParams(writeChangeQuery(query))))).toEqual(query)
  expect(writeChangeQuery(DEFAULT_CHANGE_QUERY)).toBe('')
  expect(parseChangeQuery({ since: 'yesterday', page: '0', money: 'x' })).toEqual(DEFAULT_CHANGE_QUERY)
})
