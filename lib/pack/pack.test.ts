/** Packs of the demo company, checked by the program that is in them. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { readSealed } from '#lib/ledger/close/read-seal.ts'
import { EVERYTHING } from '#lib/ledger/query/ledger-scope.ts'
import { getProofs } from '#lib/ledger/read/get-proofs.ts'
import { type DecimalText, toPlainDecimal } from '#lib/reconcile/money.ts'
import { parsePeriod } from '#lib/reconcile/period.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import { writePack } from './make-packs.ts'
import { besides } from './own-files.ts'
import type { PackScope } from './pack-scope.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const ASKED = new Date('2026-11-28T09:30:00Z')
const signal = new AbortController().signal
let world: SyncWorld
let folder: string
const accounts: ConnectionId[] = []

beforeAll(async () => {
  world = await seedSyncWorld({ size: 'company', pageSize: 50 })
  folder = await mkdtemp(join(tmpdir(), 'tieout-packs-'))
  for (const account of ['nordlicht', 'meridian'] as const) {
    const { connectionId } = await world.connect(account)
    await syncNow(world, connectionId, { timing: QUICK_TIMING, now: () => NOW })
    accounts.push(connectionId)
  }
}, 120_000)
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

async function make(scope: PackScope, askedAt = ASKED) {
  const own = await mkdtemp(join(folder, 'pack-'))
  const wanted = { organizationId: world.organizationId, askedAt, askedBy: 'Ana Auditor' }
  const made = await writePack(wanted, scope, own, signal)
  const path = join(own, 'made.pdf')
  await writeFile(path, made.bytes)
  return { ...made, path }
}

const october = (at: number): PackScope => ({
  kind: 'connection_month',
  connectionId: accounts[at] as ConnectionId,
  month: '2026-10',
})
const runChecker = (path: string) => spawnSync('python3', [besides('check_pack.py'), path], { encoding: 'utf8' })

type Checked = {
  problems: string[]
  seal: string
  lines: number
  totals: Record<string, Record<'lines' | 'invoices', [count: number, amount: string]>>
}

/** The same as data, in place of what it prints. */
function check(path: string): Checked {
  const program = `import json, sys; sys.path.insert(0, ${JSON.stringify(besides('.'))}); import check_pack
problems, checked = check_pack.check(open(${JSON.stringify(path)}, 'rb').read())
print(json.dumps({'problems': problems, **checked}))`
  return JSON.parse(spawnSync('python3', ['-c', program], { encoding: 'utf8' }).stdout)
}

test('the checker has at most 200 lines, and none of a year that Python 3.9 does not know', async () => {
  const text = await readFile(besides('check_pack.py'), 'utf8')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(200)
  const parse = `import ast, sys; ast.parse(sys.stdin.read(), feature_version=(3, 9))`
  expect(spawnSync('python3', ['-c', parse], { input: text }).status).toBe(0)
})

test('the checker finds nothing wrong with the demo company, makes the seal that is signed, and adds up to what pages show', async () => {
  for (const at of [0, 1]) {
    const scope = october(at)
    const made = await make(scope)
    const { problems, seal, lines, totals } = check(made.path)
    expect(problems).toEqual([])
    const signed = await withTenantSnapshot(world.organizationId, (sql) => readSealed(sql, world.organizationId, scope))
    expect([seal, lines]).toEqual([signed.sealHex, signed.lineCount])
    const month = parsePeriod('2026-10')
    const { scoped } = await getProofs(world.organizationId, NOW, {
      ...EVERYTHING,
      from: month?.from ?? null,
      to: month?.to ?? null,
      dateField: 'issued',
      connections: [scope.connectionId],
    })
    const plain = (amount: string) => toPlainDecimal(amount as DecimalText)
    const shown = scoped.currencies.map((each) => [
      each.currency,
      {
        lines: [each.lines.count, plain(each.lines.amount)],
        invoices: [each.invoices.count, plain(each.invoices.amount)],
      },
    ])
    const added = Object.entries(totals).map(([currency, of]) => [
      currency,
      { lines: [of.lines[0], plain(of.lines[1])], invoices: [of.invoices[0], plain(of.invoices[1])] },
    ])
    expect(added.sort()).toEqual(shown.sort())
  }
}, 60_000)

test('whoever runs the checker reads what holds, and gets 0; of a damaged pack what differs, and 1', async () => {
  const { path, bytes, seal } = await make(october(0))
  const right = runChecker(path)
  expect([right.status, right.stdout]).toEqual([0, expect.stringContaining(`81 lines hold. Seal ${seal}`)])
  bytes[bytes.length - 40] = (bytes[bytes.length - 40] ?? 0) ^ 1
  await writeFile(path, bytes)
  expect(runChecker(path)).toMatchObject({ status: 1, stdout: expect.stringMatching(/differs|cannot be/) })
})

test('the same pack is made of the same bytes, at any moment', async () => {
  const [first, second] = [await make(october(1)), await make(october(1))]
  expect(first.bytes.equals(second.bytes)).toBe(true)
})

test('every byte counts: one that is flipped is found, and where it is a line’s the line is named', async () => {
  const { path } = await make(october(0))
  const { stdout } = await promisify(execFile)('python3', [besides('test-support/flip_bytes.py'), path, '120', '31'])
  const { flips, missed, inLines, unnamed } = JSON.parse(stdout)
  expect({ flips, missed, unnamed }).toEqual({ flips: 120, missed: [], unnamed: [] })
  expect(inLines).toBeGreaterThan(60)
}, 120_000)

test('a pack whose hashes were made again is still found out by its proofs, sums, records and seal', async () => {
  const { path } = await make(october(0))
  const { stdout } = await promisify(execFile)('python3', [besides('test-support/forge_pack.py'), path])
  const said = JSON.parse(stdout) as Record<string, string[]>
  const { whole, nothing_but_all, ...forged } = said
  expect(whole).toEqual([])
  // the seal in the audit and on signatures is another one; within the file nothing is
  expect(nothing_but_all).toEqual([])
  const words: Record<string, RegExp> = {
    difference: /^line .+: its total should be .+ lines.csv says a difference of 0.00$/m,
    record: /^line .+: total_amount is 1.23 in its record as received/m,
    review: /^line .+: its fields do not make its leaf/m,
    leaf: /^invoice .+: its fields and lines do not make its seal$/m,
    invoice: /^the pack: its invoices and lines do not make its seal$/m,
    sum: /lines come to .+; the manifest says/,
    tie_out: /^invoice .+: its not imported is /m,
    stray: /^invoice .+: its not imported is 0.01; the pack says /m,
    loss: /^invoice .+: its fields and lines do not make its seal$/m,
    bill: /^invoice .+: its record as received is not what its content hash is of$/m,
  }
  expect(Object.keys(forged).sort()).toEqual(Object.keys(words).sort())
  for (const [name, word] of Object.entries(words))
    expect([name, forged[name]?.join('\n')]).toEqual([name, expect.stringMatching(word)])
})

test('the file says that it keeps to the archive standard, and what is attached', async (context) => {
  if (spawnSync('pdfinfo', ['-v']).error !== undefined) return context.skip('poppler-utils is not installed')
  const { path } = await make(october(0))
  const { stdout: meta } = spawnSync('pdfinfo', ['-meta', path], { encoding: 'utf8' })
  expect(meta).toContain('<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>')
  const { stdout: list } = spawnSync('pdfdetach', ['-list', path], { encoding: 'utf8' })
  expect([...list.matchAll(/: ([\w.-]+)$/gm)].map(([, name]) => name)).toEqual([
    'check_pack.py',
    'invoices.jsonl',
    'lines.csv',
    'manifest.json',
    'records.jsonl',
    'seal-invoices.jsonl',
    'seal-lines.jsonl',
  ])
})
