import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toChangeRows } from '#components/history/change-rows.ts'
import { listNeeds } from '#components/overview/list-needs.tsx'
import { InvoiceTieOut } from '#components/tie-out/invoice-tie-out.tsx'
import type { ConnectionId } from '#lib/ids.ts'
import { listChanges } from '#lib/ledger/history/history-list.ts'
import { DEFAULT_CHANGE_QUERY } from '#lib/ledger/query/history-query.ts'
import { DEFAULT_INVOICE_QUERY } from '#lib/ledger/query/invoice-query.ts'
import { getCoverage } from '#lib/ledger/read/coverage.ts'
import { getInvoice } from '#lib/ledger/read/get-invoice.ts'
import { getOverview } from '#lib/ledger/read/get-overview.ts'
import { listInvoices } from '#lib/ledger/read/list-invoices.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import { describeRemoval } from './describe-removal.ts'
import { InvoiceFigures } from './invoice-facts.tsx'

const ACCOUNT = 'nordlicht'
const TODAY = dayOf(Date.now())

let world: SyncWorld
let connectionId: ConnectionId
/** Of a profile that has no other invoice in the month of issue. */
let invoice: { serial: string; total: string; currency: string; month: string; profile: string; lines: number }

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
  connectionId = (await world.connect(ACCOUNT)).connectionId
  await syncNow(world, connectionId)
  const [found] = await world.database.query<typeof invoice>(
    `select min(serial_number) as serial, min(total)::text as total, min(currency) as currency, month, profile_id as profile,
       (select count(*)::int from line l where l.invoice_serial_number = min(i.serial_number)) as lines
     from (select *, to_char(issuing_date, 'YYYY-MM') as month from invoice) i group by month, profile_id
     having count(*) = 1 order by month desc limit 1`,
  )
  invoice = found as typeof invoice
  const state = world.sandbox.state()
  state.mutations.removeInvoice(state.requireAccount(ACCOUNT), invoice.serial)
  await syncNow(world, connectionId)
})
afterAll(() => world.close())

const read = (markup: string) => markup.replaceAll(/<[^>]*>/g, '')

test('an invoice that the platform removed is a row of its own list, with its money and its day', async () => {
  const all = await listInvoices(world.organizationId, DEFAULT_INVOICE_QUERY)
  expect(all.rows.every(({ missingSince }) => missingSince === null)).toBe(true)
  const { rows, totals } = await listInvoices(world.organizationId, { ...DEFAULT_INVOICE_QUERY, goneOnly: true })
  expect(rows.map(({ serialNumber, total }) => [serialNumber, total])).toEqual([[invoice.serial, invoice.total]])
  expect(rows[0]?.missingSince?.slice(0, 10)).toBe(TODAY)
  expect(totals).toMatchObject([{ currency: invoice.currency, invoiceCount: 1, totalAmount: invoice.total }])
})

test('its page says that it was removed and when, and not that lines are missing or may still come', async () => {
  const detail = await getInvoice(world.organizationId, connectionId, invoice.serial)
  if (detail === null || detail.missingSince === null) throw new Error('the invoice is not gone')
  const text = read(renderToStaticMarkup(<InvoiceFigures invoice={detail} />))
  expect(text).toContain(describeRemoval(detail.missingSince))
  expect(text).toMatch(new RegExp(`Lines removed with it${invoice.lines} lines?, `))
  expect(renderToStaticMarkup(<InvoiceTieOut mayDecide={false} signOff={null} invoice={detail} />)).toBe('')
})

test('it is named in what needs attention and in the changes', async () => {
  const overview = await getOverview(world.organizationId, TODAY)
  const needs = listNeeds({ ...overview, tieOut: { currencies: [], findings: [] } }, [], Date.now())
  const need = needs.find(({ key }) => key === 'gone invoices')
  expect(need).toMatchObject({ title: '1 invoice removed by the platform', href: '/invoices?gone=1' })
  expect(overview.gone.invoices).toEqual([{ currency: invoice.currency, invoiceCount: 1, totalAmount: invoice.total }])

  const { groups } = await listChanges(world.organizationId, DEFAULT_CHANGE_QUERY, new Date())
  const group = groups.find(({ serialNumber }) => serialNumber === invoice.serial)
  if (group === undefined) throw new Error('the changes do not have it')
  expect(group).toMatchObject({ removedCount: invoice.lines, removedInvoice: { total: invoice.total } })
  expect(toChangeRows(group).rows[0]).toMatchObject({ kind: 'removed invoice', invoice: { total: invoice.total } })
})

test('coverage counts it nowhere, and a month that it leaves empty equals nothing', async () => {
  const coverage = await getCoverage(world.organizationId, connectionId, new Date('2026-11-20'))
  const cells = coverage?.profiles.flatMap((profile) => profile.cells) ?? []
  expect(cells.reduce((sum, { invoiceCount }) => sum + invoiceCount, 0)).toBe(coverage?.lists[0]?.held)
  const emptied = coverage?.profiles
    .find(({ id }) => id === invoice.profile)
    ?.cells.find(({ month }) => month === invoice.month)
  expect(emptied).toMatchObject({ state: 'gone', invoiceCount: 0, goneCount: 1 })
})
