import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { hashEntry, verifyChain } from '#lib/audit/chain.ts'
import type { AuditEntry } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { switchPool } from '#lib/db/pool.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { settings } from '#lib/env.ts'
import { AUDIT_CSV_COLUMNS } from '#lib/export/audit-csv.ts'
import { parseCsvStrictly } from '#lib/export/test-support/test-parse-csv.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { audit } from './audit-command.ts'
import { callCommand } from './test-support/test-command.ts'

let database: TestDatabase
const ids = new Map<string, OrganizationId>()

beforeAll(async () => {
  database = await createTestDatabase()
  settings().databaseUrl = database.urls.web
  for (const name of ['Acme', 'Beta']) {
    const [row] = await database.query<{ id: string }>('insert into organization (name) values ($1) returning id', [
      name,
    ])
    ids.set(name, row?.id as string)
    await write(name, 3)
  }
})
afterAll(() => database.drop())

async function write(name: string, count: number): Promise<void> {
  const id = ids.get(name) as OrganizationId
  await switchPool(database.urls.web)
  for (let each = 0; each < count; each++)
    await withTenantSql(id, (sql) =>
      recordAudit(sql, id, {
        actor: { kind: 'operator', name: `=cmd|' /C calc'!A${each}` },
        action: 'checks.set',
        after: { each, text: 'a "quoted", line\nbreak' },
      }),
    )
}

const call = (...args: string[]) => callCommand(audit, args)

async function readPoint(name: string): Promise<string> {
  await switchPool(database.urls.web)
  const { head } = await verifyChain(ids.get(name) as OrganizationId)
  return `${head.number}:${head.hash}`
}

test('verify prints each organization’s count and its last entry, to be noted elsewhere', async () => {
  const [acme, beta] = [await readPoint('Acme'), await readPoint('Beta')]
  const said = [`Acme  entries: 3  last: ${acme}`, `Beta  entries: 3  last: ${beta}`]
  expect(await call('verify')).toEqual({ code: 0, said, wrong: '' })
  expect(await call('verify', '--organization', 'Beta')).toMatchObject({ code: 0, said: said.slice(1) })
  expect(await call('verify', '--organization', ids.get('Acme') as string, '--expect', acme)).toMatchObject({ code: 0 })
})

test('what was noted is looked for, and one organization’s is not another’s', async () => {
  const noted = await readPoint('Acme')
  await write('Acme', 2)
  expect(await call('verify', '--organization', 'Acme', '--expect', noted)).toMatchObject({ code: 0 })
  expect(await call('verify', '--organization', 'Beta', '--expect', noted)).toMatchObject({
    code: 1,
    wrong: 'Beta: the audit is broken at entry 3: its hash is not the one that was noted.',
  })
  expect(await call('verify', '--expect', noted)).toMatchObject({ code: 2 })
})

test('a wrong call changes nothing and ends with 2', async () => {
  for (const args of [[], ['verify', 'x'], ['export'], ['export', 'a', 'b'], ['verify', '--expect', '3'], ['burn']])
    expect(await call(...args), args.join(' ')).toMatchObject({ code: 2 })
  expect(await call('verify', '--organization', 'Gamma')).toMatchObject({ code: 2 })
})

test('export writes every column of a hash, guards formulas, and is an entry itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'audit.csv')
  expect(await call('export', path)).toMatchObject({ code: 0, said: [`Written: ${path}`] })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const [header, ...rows] = parseCsvStrictly(readFileSync(path, 'utf8'))
  expect(header).toEqual(AUDIT_CSV_COLUMNS.map(({ name }) => name))
  // both organizations, and in each that it was asked for
  expect(rows.filter(([, , , , , , action]) => action === 'audit.export-started')).toHaveLength(2)
  const entries = rows.map(
    (row) => Object.fromEntries(AUDIT_CSV_COLUMNS.map(({ field }, at) => [field, row[at]])) as AuditEntry,
  )
  const guarded = entries.find(({ action }) => action === 'checks.set') as AuditEntry
  expect(guarded.actorName).toMatch(/^'=cmd/)
  // a reader who takes the guard away, and an empty cell for nothing, makes the same hash
  const plain = Object.entries(guarded).map(([name, text]) => [name, text === '' ? null : text])
  const entry = { ...Object.fromEntries(plain), actorName: guarded.actorName.slice(1) } as AuditEntry
  expect(hashEntry(entry)).toBe(entry.hash)
  const ended = await database.query<{ after: string }>(
    `select after from audit_entry where action = 'audit.export-ended' order by organization_id, number`,
  )
  expect(ended.map(({ after }) => JSON.parse(after).outcome)).toEqual(['complete', 'complete'])
  expect(await call('export', path)).toMatchObject({ code: 1 })
})

test('a chain that does not hold ends with 1 and names its first broken entry', async () => {
  await database.query('alter table audit_entry disable trigger user')
  await database.query(`update audit_entry set after = '{}' where number = 2 and organization_id = $1`, [
    ids.get('Beta'),
  ])
  await database.query('alter table audit_entry enable trigger user')
  const { code, said, wrong } = await call('verify')
  expect([code, wrong]).toEqual([1, 'Beta: the audit is broken at entry 2: it is not what was written.'])
  expect(said).toHaveLength(1)
})
