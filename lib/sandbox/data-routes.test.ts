import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sandbox } from './server.ts'
import { callApi, connect, control, readAll, readList, startTestSandbox } from './test-support/test-client.ts'

let sandbox: Sandbox
let token: string
beforeAll(async () => {
  sandbox = await startTestSandbox()
  token = (await connect(sandbox)).access_token
})
afterAll(() => sandbox.close())

it('needs a live bearer token, the version header and the scope', async () => {
  expect((await callApi(sandbox, '/invoices', null)).status).toBe(401)
  expect((await callApi(sandbox, '/invoices', 'made-up')).status).toBe(401)
  expect((await callApi(sandbox, '/invoices', token, null)).status).toBe(400)
  expect((await callApi(sandbox, '/invoices', token, '2')).status).toBe(400)
  const other = await connect(sandbox, { scope: 'scim:read' })
  expect((await callApi(sandbox, '/invoices', other.access_token)).status).toBe(403)
  expect((await callApi(sandbox, '/invoices', token)).status).toBe(200)
})

it('gives ten records by default and accepts limits from 10 to 50', async () => {
  expect((await readList(sandbox, '/invoices/lines', token)).invoice_lines).toHaveLength(10)
  for (const limit of ['9', '51', '0', '-1', 'ten', '']) {
    expect((await callApi(sandbox, `/invoices/lines?limit=${limit}`, token)).status).toBe(400)
  }
  expect((await readList(sandbox, '/invoices/lines?limit=50', token)).invoice_lines).toHaveLength(50)
  expect((await readList(sandbox, '/invoices/lines?offset=100000', token)).invoice_lines).toEqual([])
})

it('serves every line exactly once over all pages, with numbers that match its totals', async () => {
  const lines = await readAll(sandbox, '/invoices/lines', 'invoice_lines', token)
  const totals = await sandbox.controlTotals('nordlicht')
  expect(lines).toHaveLength(totals.lineCount + totals.rejectedCount)
  expect(new Set(lines.map((line) => line.id)).size).toBe(lines.length)
  const invoices = await readAll(sandbox, '/invoices', 'invoices', token)
  expect(new Set(invoices.map((invoice) => invoice.serial_number)).size).toBe(totals.invoiceCount)
})

it('has offset and limit as text on invoices and as numbers on lines', async () => {
  expect(await readList(sandbox, '/invoices?offset=10&limit=20', token)).toMatchObject({ offset: '10', limit: '20' })
  expect(await readList(sandbox, '/invoices/lines?offset=10&limit=20', token)).toMatchObject({ offset: 10, limit: 20 })
})

it('filters and sorts', async () => {
  const { profiles } = await readList(sandbox, '/profiles', token)
  const profile = profiles[2]?.id
  const yen = await readAll(sandbox, `/invoices/lines?profile_id=${profile}`, 'invoice_lines', token)
  expect(new Set(yen.map((line) => line.currency))).toEqual(new Set(['JPY']))
  const march = await readAll(
    sandbox,
    '/invoices?issuing_date_gte=2026-03-01&issuing_date_lte=2026-03-31',
    'invoices',
    token,
  )
  expect(march.length).toBeGreaterThan(0)
  expect(march.every((invoice) => String(invoice.issuing_date).startsWith('2026-03'))).toBe(true)
  const credits = await readAll(sandbox, '/invoices?serial_number_contains=CR-', 'invoices', token)
  expect(credits.map((invoice) => invoice.mode)).toEqual(expect.arrayContaining(['credit-reseller', 'credit-gross']))
  const days = (await readAll(sandbox, '/invoices?sort=-issuing_date', 'invoices', token)).map((invoice) =>
    String(invoice.issuing_date),
  )
  expect(days).toEqual([...days].sort().reverse())
  const expensed = await readAll(
    sandbox,
    '/invoices/lines?expense_date_gte=2026-05-01&expense_date_lte=2026-05-10',
    'invoice_lines',
    token,
  )
  expect(
    expensed.every((line) => String(line.expense_date) >= '2026-05-01' && String(line.expense_date) <= '2026-05-10'),
  ).toBe(true)
})

it('refuses unknown and doubled parameters, sorting of lines and days that do not exist', async () => {
  for (const query of [
    'modified_since=2026-01-01',
    'limit=10&limit=20',
    'sort=issuing_date',
    'issuing_date_gte=2026-02-30',
  ]) {
    expect((await callApi(sandbox, `/invoices/lines?${query}`, token)).status).toBe(400)
  }
})

it('serves one invoice, its PDF, and 404 for another account', async () => {
  const [first] = (await readList(sandbox, '/invoices', token)).invoices
  const one = await (await callApi(sandbox, `/invoices/${first?.serial_number}`, token)).json()
  expect(one).toMatchObject({ serial_number: first?.serial_number, total: first?.total })
  const pdf = await callApi(sandbox, `/invoices/${first?.serial_number}/pdf`, token)
  expect((await pdf.text()).startsWith('%PDF-')).toBe(true)
  const other = await connect(sandbox, { account: 'meridian' })
  expect((await callApi(sandbox, `/invoices/${first?.serial_number}`, other.access_token)).status).toBe(404)
})

it('keeps every digit of a trip id beyond 2^53 and the exponent form of zero', async () => {
  const texts: string[] = []
  for (let offset = 0; offset < 500; offset += 50)
    texts.push(await (await callApi(sandbox, `/invoices/lines?limit=50&offset=${offset}`, token)).text())
  const all = texts.join('')
  for (const piece of [
    '"trip_id":9007199254740993',
    '"trip_id":4711042',
    '"trip_id":"4711042"',
    '"trip_id":null',
    '"0E-8"',
    '"unit_price":40.10',
  ]) {
    expect(all).toContain(piece)
  }
})

it("shows an invoice's lines in three shapes and signs the PDF address anew", async () => {
  const invoices = await readAll(sandbox, '/invoices', 'invoices', token)
  const shapes = invoices.map((invoice) => (Array.isArray(invoice.lines) ? 'flat' : typeof invoice.lines))
  expect(new Set(shapes)).toEqual(new Set(['flat', 'object', 'undefined']))
  await control(sandbox, 'POST', 'clock', { advanceSeconds: 5 })
  const [again] = (await readList(sandbox, '/invoices', token)).invoices
  expect(again?.pdf).not.toBe(invoices[0]?.pdf)
})

it('kept pages have compressed lines and newly signed invoices, and the same content', async () => {
  const keeping = await startTestSandbox({ keptPageBytes: 1_000_000 })
  try {
    const kept = (await connect(keeping)).access_token
    const read = async (from: Sandbox, bearer: string, path: string) => {
      const response = await callApi(from, path, bearer)
      return { text: await response.text(), coding: response.headers.get('content-encoding') }
    }
    const lines = '/invoices/lines?offset=20&limit=50'
    const plain = await read(sandbox, token, lines)
    expect(plain.coding).toBeNull()
    for (let time = 0; time < 2; time++)
      expect(await read(keeping, kept, lines)).toEqual({ text: plain.text, coding: 'gzip' })
    const invoices = await read(keeping, kept, '/invoices')
    await control(keeping, 'POST', 'clock', { advanceSeconds: 5 })
    const later = await read(keeping, kept, '/invoices')
    expect(later.text).not.toBe(invoices.text)
    const unsigned = (text: string) => text.replace(/expires=\d+&signature=[\w-]+/g, '')
    expect(unsigned(later.text)).toBe(unsigned(invoices.text))
  } finally {
    await keeping.close()
  }
})
