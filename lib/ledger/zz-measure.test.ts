import { expect, test } from 'vitest'
import { createTestDatabase } from '../db/test-database.ts'
import { streamGroupsCsv, streamLinesCsv } from '../export/stream-csv.ts'
import { countsForNavigation, getOverview } from './get-overview.ts'
import { DEFAULT_GROUP_QUERY } from './group-query.ts'
import { DEFAULT_INVOICE_QUERY } from './invoice-query.ts'
import { DEFAULT_LINE_QUERY } from './line-query.ts'
import { listFilterOptions, searchTrips } from './list-filter-options.ts'
import { listGroups } from './list-groups.ts'
import { listInvoices } from './list-invoices.ts'
import { listLines } from './list-lines.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from './seed.ts'

const N = Number(process.env.MEASURE_ROWS ?? 200000)
test('measure', { timeout: 900_000 }, async () => {
  const db = await createTestDatabase()
  const owner = await seedOrganization(db.query)
  const c = await seedConnection(db.query, owner)
  const batch = Array.from({ length: 20_000 }, () => makeLine({ raw: JSON.stringify({ x: 'y'.repeat(900) }) }))
  let t = performance.now()
  for (let i = 0; i < batch.length; i += 50) await seedLines(owner.organizationId, c, batch.slice(i, i + 50))
  console.log('apply 20k in pages of 50', Math.round(performance.now() - t), 'ms')
  t = performance.now()
  for (let i = 0; i < batch.length; i += 50) await seedLines(owner.organizationId, c, batch.slice(i, i + 50))
  console.log('re-apply', Math.round(performance.now() - t), 'ms')
  await db.query('delete from line where id <> $1', [batch[0]!.id])
  await db.query(`insert into line (organization_id, connection_id, id, invoice_serial_number, profile_id, profile_name, invoice_mode, invoice_status, issuing_date, due_date, currency, expense_date, description, quantity, unit_price, non_taxable_unit_price, tax_percentage, tax_amount, tax_regime, total_amount, trip_id, trip_name, service, related_vertical, cost_center, raw, content_hash, proof_version, expected_total_amount, difference, expected_tax_amount, tax_difference, finding_codes, traveler_names, vendor_name)
   select organization_id, connection_id, 'n'||n, 'INV-01-'||(n/50), 'p'||n%4, 'Profile '||n%4, (array['reseller','gross','intermediary'])[1+n%3], (array['paid','open'])[1+n%2], date '2025-01-01' + (n/50)%600, due_date, (array['EUR','EUR','EUR','GBP','JPY','KWD'])[1+n%6], date '2025-01-01' + (n*7)%600, 'Hotel night '||n, 1, unit_price, non_taxable_unit_price, tax_percentage, tax_amount, tax_regime, (n%100000)/100.0, (n/5)::text, 'Trip '||(n/5), (array['hotel','flight','train'])[1+n%3], (array['hotel','flight','train',null])[1+n%4], 'CC'||n%120, raw, content_hash, proof_version, expected_total_amount, difference, expected_tax_amount, tax_difference, case when n%500=0 then '{total}'::text[] else '{}' end, '{Tove Lind}', 'Vendor '||n%300
   from line, generate_series(1, ${N}) n`)
  await db.query(
    `insert into invoice (organization_id, connection_id, serial_number, currency, total, raw, content_hash, issuing_date) select organization_id, connection_id, invoice_serial_number, max(currency), sum(total_amount), '{}', 'h', max(issuing_date) from line group by 1,2,3`,
  )
  await db.query('vacuum analyze line')
  await db.query('vacuum analyze invoice')
  const time = async (name: string, f: () => Promise<unknown>) => {
    const times: number[] = []
    for (let i = 0; i < 3; i++) {
      const t = performance.now()
      await f()
      times.push(performance.now() - t)
    }
    console.log(name.padEnd(50), times.map((x) => Math.round(x)).join(' '), 'ms')
  }
  const o = owner.organizationId
  await time('lines default', () => listLines(o, DEFAULT_LINE_QUERY))
  await time('lines page 1000', () => listLines(o, { ...DEFAULT_LINE_QUERY, page: 1000 }))
  await time('lines by total', () =>
    listLines(o, { ...DEFAULT_LINE_QUERY, sort: { key: 'total_amount', descending: true } }),
  )
  await time('lines findings', () => listLines(o, { ...DEFAULT_LINE_QUERY, findingsOnly: true }))
  await time('lines vertical', () => listLines(o, { ...DEFAULT_LINE_QUERY, verticals: ['flight'] }))
  await time('lines trip', () => listLines(o, { ...DEFAULT_LINE_QUERY, trips: ['77'] }))
  await time('lines text', () => listLines(o, { ...DEFAULT_LINE_QUERY, text: 'trip 777' }))
  await time('lines amount', () => listLines(o, { ...DEFAULT_LINE_QUERY, text: '123.45' }))
  await time('groups trip', () => listGroups(o, DEFAULT_GROUP_QUERY))
  await time('groups cost center', () => listGroups(o, { ...DEFAULT_GROUP_QUERY, by: ['cost_center'] }))
  await time('groups vertical', () => listGroups(o, { ...DEFAULT_GROUP_QUERY, by: ['vertical'] }))
  await time('invoices', () => listInvoices(o, DEFAULT_INVOICE_QUERY))
  await time('invoices by findings', () =>
    listInvoices(o, { ...DEFAULT_INVOICE_QUERY, sort: { key: 'findings', descending: true } }),
  )
  await time('overview', () => getOverview(o))
  await time('counts', () => countsForNavigation(o))
  await time('options', () => listFilterOptions(o))
  await time('trip search', () => searchTrips(o, 'trip 77'))
  await time(
    'csv lines',
    async () =>
      new Response(await streamLinesCsv(o, DEFAULT_LINE_QUERY)).bytes?.() ??
      new Response(await streamLinesCsv(o, DEFAULT_LINE_QUERY)).arrayBuffer(),
  )
  await time('csv first byte', async () => {
    const s = await streamLinesCsv(o, DEFAULT_LINE_QUERY)
    const r = s.getReader()
    await r.read()
    await r.cancel()
  })
  await time('csv groups', async () =>
    new Response(
      await streamGroupsCsv(o, { ...DEFAULT_GROUP_QUERY, by: ['trip', 'cost_center', 'vertical'] }),
    ).arrayBuffer(),
  )
  const plan = await db.query(`explain (analyze, buffers) select count(*) from line where organization_id = $1`, [o])
  console.log(plan.map((r) => Object.values(r)[0]).join('\n'))
  expect(1).toBe(1)
  await db.drop()
})
