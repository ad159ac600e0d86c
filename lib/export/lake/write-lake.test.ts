import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { decide } from '#lib/ledger/review/decide.ts'
import type { Asked } from '#lib/ledger/review/line-set.ts'
import { previewDecision } from '#lib/ledger/review/preview-decision.ts'
import {
  day,
  decimal,
  makeInvoice,
  makeLine,
  makeLineOf,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'
import { parseDecimal } from '#lib/reconcile/money.ts'
import { openFolderStore } from './folder-store.ts'
import type { LakeStore } from './lake-store.ts'
import type { Manifest } from './manifest.ts'
import { type LakeReader, openDuck, toLakeTable } from './test-support/read-lake.ts'
import { writeLake } from './write-lake.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }
let connectionId: ConnectionId
let duck: LakeReader
const root = mkdtempSync(join(tmpdir(), 'tieout-lake-test-'))

const HOSTILE = ['=1+1', "'; drop table line; --", 'a\r\nb\t"c"', 'ÄÖ ß 日本 🏨', '\u202ereversed', '"', '']
const line = (id: string, on: string, amount: string, change: Parameters<typeof makeLine>[0] = {}) =>
  makeLineOf(amount, { id, expenseDate: day(on), ...change })

beforeAll(async () => {
  database = await createTestDatabase()
  duck = await openDuck()
  owner = await seedOrganization(database.query)
  connectionId = await seedConnection(database.query, owner, 'Acme')
  await seedInvoices(owner.organizationId, connectionId, [
    makeInvoice({ serialNumber: 'INV-1', issuingDate: day('2026-03-31'), total: decimal('100.00') }),
    makeInvoice({ serialNumber: 'INV-2', issuingDate: day('2026-04-30'), total: decimal('60.10') }),
    makeInvoice({ serialNumber: 'INV-3', issuingDate: null, total: decimal('1000'), currency: 'JPY' }),
  ])
  await seedLines(owner.organizationId, connectionId, [
    line('a', '2026-02-28', '100.00', { invoiceSerialNumber: 'INV-1' }),
    line('b', '2026-03-01', '-0.00000001', { invoiceSerialNumber: 'INV-2' }),
    line('c', '2026-03-31', '60.10', { invoiceSerialNumber: 'INV-2', description: HOSTILE[2] as string }),
    line('d', '2026-03-31', '1000', { invoiceSerialNumber: 'INV-3', currency: 'JPY' }),
    // a total that does not follow from its parts
    makeLine({ id: 'e', expenseDate: day('2026-02-01'), totalAmount: decimal('120.01') }),
  ])
})
afterAll(async () => {
  duck.close()
  rmSync(root, { recursive: true, force: true })
  await database.drop()
})

const ACTOR = { kind: 'operator', name: 'npm run export' } as const
const write = (store: LakeStore = openFolderStore(root)) =>
  writeLake({ id: owner.organizationId, name: 'Acme' }, { store, actor: ACTOR, signal: new AbortController().signal })
const pathsOf = (files: readonly { kind: string; month: string }[]) =>
  files.map(({ kind, month }) => `${kind} ${month}`).sort()
const folder = () => join(root, `organization=${owner.organizationId}`)
const readManifest = (): Manifest => JSON.parse(readFileSync(join(folder(), 'manifest.json'), 'utf8'))
const listFiles = () =>
  (readdirSync(folder(), { recursive: true }) as string[]).filter((name) => name.endsWith('.parquet')).sort()
/** Sums of our own, from the database. */
const ledgerSums = () =>
  database.query(
    `select currency, count(*)::text as rows, trim_scale(sum(total_amount))::text as amount from line
     where missing_since is null and organization_id = $1 group by currency order by currency`,
    [owner.organizationId],
  )
const lakeSums = async () =>
  (
    await duck.ask(
      `select currency, count(*)::varchar as rows, sum(total_amount)::varchar as amount from ${toLakeTable(root, 'lines')}
       where not is_gone group by currency order by currency`,
    )
  ).map((row) => ({ ...row, amount: trim(row.amount as string) }))
const trim = (amount: string) => amount.replace(/\.?0+$/, '')

test('the first run writes every month of every kind, and DuckDB finds the ledger’s sums in it', async () => {
  const { written, kept, removed } = await write()
  expect(pathsOf(written)).toEqual([
    'findings 2026-02',
    'invoices 2026-03',
    'invoices 2026-04',
    'invoices undated',
    'lines 2026-02',
    'lines 2026-03',
  ])
  expect([kept, removed]).toEqual([[], []])
  expect(await lakeSums()).toEqual(await ledgerSums())
  const types = await duck.ask(`describe select * from ${toLakeTable(root, 'lines')}`)
  const typeOf = Object.fromEntries(types.map((each) => [each.column_name, each.column_type]))
  expect(typeOf).toMatchObject({
    total_amount: 'DECIMAL(38,18)',
    expense_date: 'DATE',
    is_gone: 'BOOLEAN',
    description: 'VARCHAR',
    month: 'VARCHAR',
  })
  const [hostile] = await duck.ask(`select description, expense_date from ${toLakeTable(root, 'lines')} where id = 'c'`)
  expect(hostile).toEqual({ description: HOSTILE[2], expense_date: '2026-03-31' })
  const [finding] = await duck.ask(`select line_id, code, difference from ${toLakeTable(root, 'findings')}`)
  expect(finding).toMatchObject({ line_id: 'e', code: 'total' })
  const [invoice] = await duck.ask(
    `select residual::varchar as residual, line_count::varchar as lines from ${toLakeTable(root, 'invoices')} where serial_number = 'INV-2'`,
  )
  expect(invoice).toEqual({ residual: '0.000000010000000000', lines: '2' })
})

test('the manifest says of each file its bytes, its keys and its sums, as others find them', async () => {
  await write()
  for (const file of readManifest().files) {
    const bytes = readFileSync(join(root, file.path))
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([file.bytes, file.sha256])
  }
  for (const { path, rows, sums, keys_sha256 } of readManifest().files.filter(({ kind }) => kind === 'lines')) {
    const [found] = await duck.ask(
      `select count(*)::varchar as rows, sha256(string_agg(connection_id || '/' || id || chr(10), '' order by file_row_number)) as keys
       from read_parquet('${join(root, path)}', file_row_number = true)`,
    )
    expect(found).toEqual({ rows: `${rows}`, keys: keys_sha256 })
    const amounts = await duck.ask(
      `select currency, sum(total_amount)::varchar as amount from '${join(root, path)}' group by 1 order by 1`,
    )
    expect(amounts.map(({ currency, amount }) => [currency, trim(amount as string)])).toEqual(
      Object.entries(sums).map(([currency, { amount }]) => [currency, amount.includes('.') ? trim(amount) : amount]),
    )
  }
})

test('a second run writes nothing, and after one changed line the file of its month alone', async () => {
  await write()
  expect(pathsOf((await write()).written)).toEqual([])
  const before = readManifest()
  await seedLines(owner.organizationId, connectionId, [
    line('a', '2026-02-28', '100.00', { invoiceSerialNumber: 'INV-1', costCenter: 'another' }),
  ])
  const { written, kept } = await write()
  expect(pathsOf(written)).toEqual(['lines 2026-02'])
  expect(kept).toHaveLength(before.files.length - 1)
  const [changed] = await duck.ask(`select cost_center from ${toLakeTable(root, 'lines')} where id = 'a'`)
  expect(changed).toEqual({ cost_center: 'another' })
})

test('a review is a row of its own, and leaves the file of its line as it is', async () => {
  await write()
  const asked: Asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY, only: [`${connectionId}~e`] } }
  const decided = { asked, ...(await previewDecision(owner.organizationId, asked)), note: null, expectedBack: null }
  const actor = personOf(owner.userId)
  await decide(owner.organizationId, { actor, name: 'Ada' }, { ...decided, reason: 'agreed' })
  expect(pathsOf((await write()).written)).toEqual(['reviews 2026-02'])
  const [stored] = await database.query(
    `select line_id, v.state, round(v.amount, 18)::text as amount, (extract(epoch from decided_at) * 1000000)::bigint::text as at
     from line_review v join decision d on d.organization_id = v.organization_id and d.number = v.decision`,
  )
  const [review] = await duck.ask(
    `select line_id, state, amount::varchar as amount, epoch_us(decided_at)::varchar as at from ${toLakeTable(root, 'reviews')}`,
  )
  expect(review).toEqual(stored)
  expect(stored).toMatchObject({ line_id: 'e', state: 'accepted' })
})

test('any text and any amount that fits comes back exactly', async () => {
  const texts = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed()),
  )
  const amounts = fc
    .tuple(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.integer({ min: 0, max: 18 }))
    .map(([units, scale]) => {
      const digits = (units < 0n ? -units : units)
        .toString()
        .slice(0, 20 + scale)
        .padStart(scale + 1, '0')
      const plain = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
      return parseDecimal(units < 0n ? `-${plain}` : plain) ?? decimal('0')
    })
  const rows = fc.sample(fc.record({ description: texts, costCenter: texts, amount: amounts }), {
    numRuns: 300,
    seed: 7,
  })
  const other = await seedOrganization(database.query, 'Beta')
  const connection = await seedConnection(database.query, other, 'Beta')
  // the proof's figures of such amounts are beyond what fits; they are not what this is about
  await seedLines(
    other.organizationId,
    connection,
    rows.map((row, at) => line(`${at}`, '2026-01-01', '1', row)),
  )
  await database.query(
    `update line set total_amount = a.amount from unnest($1::text[], $2::numeric[]) a (id, amount)
     where organization_id = $3 and line.id = a.id`,
    [[...rows.keys()].map(String), rows.map(({ amount }) => amount), other.organizationId],
  )
  const store = openFolderStore(join(root, 'any'))
  await writeLake(
    { id: other.organizationId, name: 'Beta' },
    { store, actor: ACTOR, signal: new AbortController().signal },
  )
  const read = await duck.ask(
    `select id, description, cost_center, total_amount::varchar as amount from ${toLakeTable(join(root, 'any'), 'lines')} order by id::int`,
  )
  const plain = (text: string) => (text.includes('.') ? trim(text) : text)
  expect(read.map((row) => [row.description, row.cost_center, plain(row.amount as string)])).toEqual(
    rows.map(({ description, costCenter, amount }) => [description, costCenter, plain(amount).replace(/^-0$/, '0')]),
  )
})

test('an amount with more digits than fit is refused and not rounded, and the old lake stays', async () => {
  await write()
  const before = readManifest()
  for (const amount of ['0.0000000000000000001', '100000000000000000000']) {
    await database.query(`update line set total_amount = $1 where id = 'd'`, [amount])
    await expect(write()).rejects.toMatchObject({ code: 'lake-amount', message: expect.stringContaining(amount) })
  }
  expect(readManifest()).toEqual(before)
  expect(existsSync(join(folder(), '.part'))).toBe(false)
  await database.query(`update line set total_amount = 1000.000 where id = 'd'`)
  expect(pathsOf((await write()).written)).not.toContain('lines 2026-03')
})

/** A store that fails like a process that is killed: nothing after that call happens. */
function toKilled(at: (name: keyof LakeStore, path: string) => boolean): LakeStore {
  const store = openFolderStore(root)
  let isDead = false
  const wrap = (name: keyof LakeStore) =>
    (async (path: string, ...rest: never[]) => {
      isDead ||= at(name, path)
      if (isDead) throw new Error('killed')
      return (store[name] as (...args: unknown[]) => Promise<unknown>)(path, ...rest)
    }) as never
  const names = ['openStaging', 'closeStaging', 'read', 'sizeOf', 'publish', 'write', 'remove'] as const
  return { ...store, ...Object.fromEntries(names.map((name) => [name, wrap(name)])) }
}

test('a run that dies before its files take their places leaves the old lake whole', async () => {
  await write()
  const [before, files] = [readManifest(), listFiles()]
  const contents = files.map((file) => readFileSync(join(folder(), file)))
  await database.query(`update line set cost_center = 'dies' where id in ('a', 'b')`)
  await expect(write(toKilled((name) => name === 'write'))).rejects.toThrow('killed')
  expect([readManifest(), listFiles()]).toEqual([before, files])
  expect(files.map((file) => readFileSync(join(folder(), file)))).toEqual(contents)
  // the next run finds what the dead one left, and takes nothing of it
  expect(pathsOf((await write()).written)).toEqual(['lines 2026-02', 'lines 2026-03'])
  expect(existsSync(join(folder(), '.part'))).toBe(false)
})

test('a run that dies among its files is put right by the next, also if the ledger is as before it', async () => {
  await database.query(`update line set cost_center = 'dies' where id in ('a', 'b')`)
  await write()
  await database.query(`update line set cost_center = 'between' where id in ('a', 'b')`)
  const dying = toKilled((name, path) => name === 'publish' && path.includes('2026-03'))
  await expect(write(dying)).rejects.toThrow('killed')
  await database.query(`update line set cost_center = 'dies' where id in ('a', 'b')`)
  expect(pathsOf((await write()).written)).toEqual(['lines 2026-02', 'lines 2026-03'])
  const read = await duck.ask(`select distinct cost_center from ${toLakeTable(root, 'lines')} where id in ('a', 'b')`)
  expect(read).toEqual([{ cost_center: 'dies' }])
  expect(pathsOf((await write()).written)).toEqual([])
})

test('a file that somebody cut or took away is written again', async () => {
  await write()
  const [one, other] = listFiles().filter((file) => file.startsWith('lines')) as [string, string]
  truncateSync(join(folder(), one), 10)
  rmSync(join(folder(), other))
  expect(pathsOf((await write()).written)).toEqual(['lines 2026-02', 'lines 2026-03'])
  writeFileSync(join(folder(), 'manifest.json'), 'no manifest')
  expect((await write()).kept).toEqual([])
})

test('of two runs at once, one is refused', async () => {
  await database.query(`update line set cost_center = 'twice' where id = 'a'`)
  const results = await Promise.allSettled([write(), write()])
  const refused = results.filter(({ status }) => status === 'rejected')
  // the second may also come after the first
  for (const each of refused) expect(each).toMatchObject({ reason: { code: 'lake-busy' } })
  expect(refused.length).toBeLessThan(2)
  expect(pathsOf((await write()).written)).toEqual([])
})

test('the audit has who asked for it, where it went, and how it ended', async () => {
  await write()
  await expect(write(toKilled(() => true))).rejects.toThrow('killed')
  const entries = await database.query<{ action: string; after: string }>(
    `select action, after from audit_entry where organization_id = $1 and subject_name = 'lake' order by number`,
    [owner.organizationId],
  )
  expect(entries[0]?.action).toBe('export.started')
  expect(JSON.parse(entries[0]?.after ?? '')).toMatchObject({ format: 'parquet', to: root })
  const ends = entries.filter(({ action }) => action === 'export.ended').map(({ after }) => JSON.parse(after).outcome)
  expect(new Set(ends)).toEqual(new Set(['complete', 'broken off']))
})

test('what is erased in the ledger is erased in the lake', async () => {
  await write()
  const before = listFiles().filter((file) => file.includes('2026-02'))
  expect(before).toContain('lines/month=2026-02/lines.parquet')
  await database.query(`delete from line where id in ('a', 'e')`)
  const { removed } = await write()
  expect(removed.map((path) => path.split('/').slice(1).join('/')).sort()).toEqual(before)
  expect(listFiles().filter((file) => file.includes('2026-02'))).toEqual([])
  expect(await lakeSums()).toEqual(await ledgerSums())
})
