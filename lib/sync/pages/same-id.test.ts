import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { getInvoice } from '#lib/ledger/read/get-invoice.ts'
import { runReparses } from '#lib/worker/reparse-job.ts'
import { requestReparse } from '../reading/reparse-wishes.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'

const ACCOUNT = 'nordlicht'

let world: SyncWorld
let connectionId: ConnectionId
let serialNumber: string
/** The lines of a new invoice as the platform holds them. */
let wires: Record<string, unknown>[]

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
  connectionId = (await world.connect(ACCOUNT)).connectionId
  const state = world.sandbox.state()
  serialNumber = state.issueInvoice(ACCOUNT, { lines: 3, issuingDate: '2026-11-19' }).serialNumber
  const { back } = state.requireAccount(ACCOUNT)
  wires = back.find((invoice) => invoice.serialNumber === serialNumber)?.lines.map(({ wire }) => wire) ?? []
  const [first] = wires
  for (const wire of wires) Object.assign(wire, first, { unit_price: '5.00', tax_amount: '0', total_amount: '5.00' })
  Object.assign(wires[1] ?? {}, { unit_price: '7.00', total_amount: '7.00' })
})
afterAll(() => world.close())

const list = async () => ({
  lines: await world.database.query(
    `select trim_scale(total_amount)::text as total from line where invoice_serial_number = $1 and missing_since is null`,
    [serialNumber],
  ),
  aside: await world.database.query(
    `select reason, trim_scale(stated_total)::text as total from rejected_line
     where invoice_serial_number = $1 and resolved_at is null`,
    [serialNumber],
  ),
  versions: await world.database.query('select from line_version where line_id = $1', [wires[0]?.id]),
})

const BOTH = {
  lines: [{ total: '5' }],
  aside: [{ reason: 'Another line has the same id, and other content', total: '7' }],
  versions: [],
}

test('the money of two different lines of one id is named, at every sync and after reading again', async () => {
  await syncNow(world, connectionId)
  expect(await list()).toEqual(BOTH)
  const invoice = await getInvoice(world.organizationId, connectionId, serialNumber)
  expect(invoice?.check.findings).toContainEqual({ code: 'not_imported', amount: '7.00' })
  await syncNow(world, connectionId)
  expect(await list()).toEqual(BOTH)
  await requestReparse(world.organizationId, connectionId, personOf(world.userId))
  await runReparses(new AbortController().signal)
  expect(await list()).toEqual(BOTH)
  await syncNow(world, connectionId)
  expect(await list()).toEqual(BOTH)
})

test('once the platform has given the second line an id of its own, both are lines', async () => {
  Object.assign(wires[1] ?? {}, { id: 'another' })
  await syncNow(world, connectionId)
  const { lines, aside } = await list()
  expect([lines.map(({ total }) => total).sort(), aside]).toEqual([['5', '7'], []])
})
