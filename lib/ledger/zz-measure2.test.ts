import { test } from 'vitest'
import { createTestDatabase } from '../db/test-database.ts'
import { streamLinesCsv } from '../export/stream-csv.ts'
import { openLineExport } from './export-lines.ts'
import { DEFAULT_LINE_QUERY } from './line-query.ts'
import { makeLine, seedConnection, seedLines, seedOrganization } from './seed.ts'

const N = 200000
test('measure', { timeout: 900_000 }, async () => {
  const db = await createTestDatabase()
  const owner = await seedOrganization(db.query)
  const c = await seedConnection(db.query, owner)
  await seedLines(owner.organizationId, c, [makeLine({ id: 't', raw: JSON.stringify({ x: 'y'.repeat(900) }) })])
  await db.query(`insert into line (organization_id, connection_id, id, invoice_serial_number, profile_id, profile_name, invoice_mode, invoice_status, issuing_date, due_date, currency, expense_date, description, quantity, unit_price, non_taxable_unit_price, tax_percentage, tax_amount, tax_regime, total_amount, trip_id, trip_name, service, related_vertical, cost_center, raw, content_hash, proof_version, expected_total_amount, difference, expected_tax_amount, tax_difference, finding_codes, traveler_names, vendor_name)
   select organization_id, connection_id, 'n'||n, 'INV-01-'||(n/50), 'p'||n%4, 'Profile '||n%4, (array['reseller','gross','intermediary'])[1+n%3], (array['paid','open'])[1+n%2], date '2025-01-01' + (n/50)%600, due_date, (array['EUR','EUR','EUR','GBP','JPY','KWD'])[1+n%6], date '2025-01-01' + (n*7)%600, 'Hotel night '||n, 1, unit_price, non_taxable_unit_price, tax_percentage, tax_amount, tax_regime, (n%100000)/100.0, (n/5)::text, 'Trip '||(n/5), (array['hotel','flight','train'])[1+n%3], (array['hotel','flight','train',null])[1+n%4], 'CC'||n%120, raw, content_hash, proof_version, expected_total_amount, difference, expected_tax_amount, tax_difference, case when n%500=0 then '{total}'::text[] else '{}' end, '{Tove Lind}', 'Vendor '||n%300
   from line, generate_series(1, ${N}) n`)
  await db.query('vacuum analyze line')
  console.log(
    await db.query(
      `select datcollate, datctype, datlocprovider, encoding from pg_database where datname = current_database()`,
    ),
    await db.query(`select 'É' ilike 'é' as x`),
  )
  const time = async (name: string, f: () => Promise<unknown>) => {
    const times: string[] = []
    for (let i = 0; i < 3; i++) {
      const t = performance.now()
      const u = process.cpuUsage()
      await f()
      const v = process.cpuUsage(u)
      times.push(`${Math.round(performance.now() - t)} (cpu ${Math.round((v.user + v.system) / 1000)})`)
    }
    console.log(name.padEnd(50), times.join(' '), 'ms')
  }
  const P = `'%trip 777%'`
  await time('or of ilike', () =>
    db.query(
      `select count(*) from line l where l.description ilike ${P} or l.trip_name ilike ${P} or l.trip_id ilike ${P} or l.invoice_serial_number ilike ${P} or l.vendor_name ilike ${P} or l.cost_center ilike ${P} or l.id ilike ${P} or exists (select from unnest(l.traveler_names) as traveler (name) where traveler.name ilike ${P})`,
    ),
  )
  await time('or of ilike, no travelers', () =>
    db.query(
      `select count(*) from line l where l.description ilike ${P} or l.trip_name ilike ${P} or l.trip_id ilike ${P} or l.invoice_serial_number ilike ${P} or l.vendor_name ilike ${P} or l.cost_center ilike ${P} or l.id ilike ${P}`,
    ),
  )
  await time('concat_ws', () =>
    db.query(
      `select count(*) from line l where concat_ws(chr(31), l.description, l.trip_name, l.trip_id, l.invoice_serial_number, l.vendor_name, l.cost_center, l.id, array_to_string(l.traveler_names, chr(31))) ilike ${P}`,
    ),
  )
  await time('|| coalesce', () =>
    db.query(
      `select count(*) from line l where (l.description || chr(31) || coalesce(l.trip_name, '') || chr(31) || coalesce(l.trip_id, '') || chr(31) || l.invoice_serial_number || chr(31) || coalesce(l.vendor_name, '') || chr(31) || coalesce(l.cost_center, '') || chr(31) || l.id || chr(31) || array_to_string(l.traveler_names, chr(31))) ilike ${P}`,
    ),
  )
  await time('plain scan', () => db.query(`select count(total_amount) from line l`))
  await time('csv rows only', async () => {
    const cur = await openLineExport(owner.organizationId, DEFAULT_LINE_QUERY)
    while ((await cur.next()).length) {}
    await cur.close()
  })
  await time('csv', async () =>
    new Response(await streamLinesCsv(owner.organizationId, DEFAULT_LINE_QUERY)).arrayBuffer(),
  )
  console.log(await db.query('select pg_size_pretty(pg_relation_size($1))', ['line']))
  await db.drop()
})
