import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sandbox } from '../server.ts'
import { connect, readList, startTestSandbox } from '../test-support/test-client.ts'
import { type Account, createAccounts, findInvoice, groundTruthOf, pageOfInvoices, pageOfLines } from './account.ts'
import { checkLine } from './wire/line-check.ts'

let sandbox: Sandbox
let token: string
beforeAll(async () => {
  sandbox = await startTestSandbox({ size: 'huge' })
  token = (await connect(sandbox)).access_token
})
afterAll(() => sandbox.close())

const ledger = (lines: number) => createAccounts({ kind: 'huge', lines }, 7)[0] as Account

function walk(account: Account, filter = {}): string[] {
  const ids: string[] = []
  for (;;) {
    const page = pageOfLines(account, filter, ids.length, 50)
    ids.push(...page.items.map((line) => String(line.id)))
    if (page.items.length === 0) return ids
  }
}

it('serves each of its lines exactly once, with a shorter last invoice', () => {
  const ids = walk(ledger(2_517))
  expect(ids).toHaveLength(2_517)
  expect(new Set(ids).size).toBe(2_517)
})

it('proves every line except the planted faults in its ground truth', () => {
  const account = ledger(6_000)
  const truth = new Map(groundTruthOf(account).findings.map((finding) => [finding.lineId, finding]))
  expect(truth.size).toBe(6)
  for (let offset = 0; offset < 6_000; offset += 50) {
    for (const line of pageOfLines(account, {}, offset, 50).items) {
      const { codes, difference, taxDifference } = checkLine(line, String(line.currency))
      const planted = truth.get(String(line.id))
      expect(codes).toEqual(planted?.codes ?? [])
      if (planted) expect([difference, taxDifference]).toEqual([planted.difference, planted.taxDifference])
    }
  }
})

it('splits into month windows, profiles and expense days without losing or repeating a line', () => {
  const account = ledger(4_000)
  const months = Array.from({ length: 12 }, (_, month) =>
    new Date(Date.UTC(2025, 11 + month, 1)).toISOString().slice(0, 7),
  )
  const byMonth = months.flatMap((month) =>
    walk(account, { issuingDateFrom: `${month}-01`, issuingDateTo: `${month}-31` }),
  )
  expect(byMonth).toEqual(walk(account))
  const byProfile = account.profiles.flatMap(({ id }) => walk(account, { profileId: id }))
  expect(new Set(byProfile)).toEqual(new Set(walk(account)))
  const early = walk(account, { expenseDateTo: '2026-04-15' })
  const late = walk(account, { expenseDateFrom: '2026-04-16' })
  expect(early.length).toBeGreaterThan(0)
  expect(early.length + late.length).toBe(4_000)
  expect(pageOfLines(account, { expenseDateTo: '2026-04-15' }, 0, 10).total).toBe(early.length)
})

it('has invoices in day order, finds them by serial number, and lists the newest first on request', () => {
  const account = ledger(3_000)
  const { items, total } = pageOfInvoices(account, {}, '-issuing_date', 0, 60)
  const days = items.map((invoice) => String(invoice.header.issuing_date))
  expect(total).toBe(60)
  expect(days).toEqual([...days].sort().reverse())
  expect(findInvoice(account, items[3]?.serialNumber ?? '')?.serialNumber).toBe(items[3]?.serialNumber)
  expect(findInvoice(account, 'INV-01-2026-9999999')).toBeNull()
})

it('serves a page at offset 999,950 of a million as quickly as the first, holding nothing in memory', async () => {
  await readList(sandbox, '/invoices/lines?offset=0&limit=50', token)
  const before = process.memoryUsage().heapUsed
  const start = performance.now()
  const last = await readList(sandbox, '/invoices/lines?offset=999950&limit=50', token)
  const tookMs = performance.now() - start
  expect([last.total, last.invoice_lines.length]).toEqual([1_000_000, 50])
  expect(tookMs).toBeLessThan(1_000)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000)
  const window = await readList(
    sandbox,
    '/invoices/lines?issuing_date_gte=2026-10-01&issuing_date_lte=2026-10-31&offset=50000&limit=50',
    token,
  )
  expect(window.invoice_lines.every((line) => String(line.issuing_date).startsWith('2026-10'))).toBe(true)
})

it('adds up a million lines per currency, in step with its ground truth', { timeout: 120_000 }, async () => {
  const totals = await sandbox.controlTotals('nordlicht')
  expect(totals.lineCount).toBe(1_000_000)
  const findings = totals.currencies.reduce((sum, { flaggedLineCount }) => sum + flaggedLineCount, 0)
  expect(findings).toBe(sandbox.groundTruth('nordlicht').findings.length)
})
