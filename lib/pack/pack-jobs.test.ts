/** Packs from asking to opening, each by the role of the process that does it. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { switchPool } from '#lib/db/pool.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { settings } from '#lib/env.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { previewSignOff, signOff } from '#lib/ledger/close/sign-off.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { sweepFiles } from '#lib/talk/sweep-files.ts'
import { askForPack, listPacks, openPack } from './ask-pack.ts'
import { makePacks } from './make-packs.ts'
import { MOST_PACK_LINES } from './model.ts'
import { besides } from './own-files.ts'
import { makePackLink, openPackLink, withdrawPackLink } from './pack-links.ts'
import type { PackScope } from './pack-scope.ts'
import type { PackSignature } from './signatures.ts'
import { makeWireLine, seedPackInvoice } from './test-support/seed-pack.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let userId: UserId
let folder: string
const signal = new AbortController().signal
const NAMES = ['=1+1', "'quoted", '日本ホテル', 'שלום', '\u0301combined', 'a\r\nb', '"', '𝒳', '\u1680'] as const

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tieout-packs-'))
  const owner = await seedOrganization(database.query, 'Acme')
  organizationId = owner.organizationId
  userId = owner.userId
  connectionId = await seedConnection(database.query, owner)
  const odd = NAMES.map((name, at) =>
    makeWireLine(`odd-${at}`, '=INV-1', { description: name, tax_regime: name, total_amount: '119.01' }),
  )
  const plain = [makeWireLine('line-a', 'INV-2'), makeWireLine('line-b', 'INV-2', { tax_regime: '', quantity: 1 })]
  await seedPackInvoice(organizationId, connectionId, '=INV-1', { total: '1071.09', lines: odd })
  await seedPackInvoice(organizationId, connectionId, 'INV-2', { total: '238.0', lines: plain })
  await seedPackInvoice(organizationId, connectionId, 'INV-3', { total: '0E-2', lines: [], issuing_date: '2026-04-01' })
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  settings().attachmentsDir = null
  await database.query('delete from pack')
  await database.query('delete from stored_file')
  await switchPool(database.urls.web)
})

const asker = () => ({
  actor: { kind: 'person', userId, name: 'ana@example.com', network: '203.0.113.7' } as const,
  name: 'Ana',
})
const MARCH = (): PackScope => ({ kind: 'profile_month', connectionId, profileId: 'profile-1', month: '2026-03' })
const invoice = (serialNumber: string): PackScope => ({ kind: 'invoice', connectionId, serialNumber })

async function make(scope: PackScope): Promise<string> {
  const asked = await askForPack(organizationId, scope, asker())
  if (asked.kind !== 'asked') throw new Error(asked.kind)
  await switchPool(database.urls.worker)
  expect(await makePacks(signal)).toBe(1)
  await switchPool(database.urls.web)
  return asked.id
}

async function check(bytes: Buffer) {
  const path = join(folder, 'pack.pdf')
  await writeFile(path, bytes)
  return spawnSync('python3', [besides('check_pack.py'), path], { encoding: 'utf8' })
}

const audit = () =>
  database.query<{ action: string; actor_name: string; after: string | null }>(
    `select action, actor_name, after from audit_entry where action like 'pack.%' order by number`,
  )

test('what was asked for is made by a worker, checked without us, and taken by whoever asked; the audit has its hash', async () => {
  const before = (await audit()).length
  const id = await make(MARCH())
  const [listed] = await listPacks(organizationId, MARCH(), new Date())
  expect(listed).toMatchObject({ id, state: 'made', askedBy: 'Ana', lineCount: NAMES.length + 2, links: [] })
  const opened = await openPack(organizationId, id, asker().actor)
  expect(opened?.fileName).toMatch(/^tieout-pack-2026-03-profile-1-\d{4}-\d\d-\d\d\.pdf$/)
  const checked = await check(opened?.bytes as Buffer)
  expect([checked.status, checked.stdout]).toEqual([0, expect.stringContaining(`Seal ${listed?.seal}`)])
  expect(checked.stdout).toContain('EUR: 11 lines come to 1309.09, 2 invoices to 1309.09')
  const told = (await audit()).slice(before)
  expect(told.map(({ action, actor_name }) => `${action} ${actor_name}`)).toEqual([
    'pack.asked ana@example.com',
    'pack.made worker',
    'pack.downloaded ana@example.com',
  ])
  for (const { after } of told.slice(1)) expect(JSON.parse(after ?? '{}')).toMatchObject({ sha256: listed?.hash })
  expect(await listPacks(organizationId, invoice('INV-2'), new Date())).toEqual([])
})

test('an invoice without a line has a pack, and nothing has none', async () => {
  const id = await make(invoice('INV-3'))
  expect((await check((await openPack(organizationId, id, asker().actor))?.bytes as Buffer)).status).toBe(0)
  expect(await askForPack(organizationId, invoice('INV-9'), asker())).toEqual({ kind: 'nothing' })
  expect(await askForPack(organizationId, { ...MARCH(), month: '2026-02' } as PackScope, asker())).toEqual({
    kind: 'nothing',
  })
  expect(MOST_PACK_LINES).toBeGreaterThanOrEqual(100_000)
})

test('five may wait at a time, and one that cannot be made says so after three tries', async () => {
  for (let at = 0; at < 5; at++) expect((await askForPack(organizationId, MARCH(), asker())).kind).toBe('asked')
  expect(await askForPack(organizationId, MARCH(), asker())).toEqual({ kind: 'busy' })
  await database.query(`update pack set tries = 3`)
  await switchPool(database.urls.worker)
  expect(await makePacks(signal)).toBe(0)
  await switchPool(database.urls.web)
  const states = (await listPacks(organizationId, MARCH(), new Date())).map(({ state }) => state)
  expect(new Set(states)).toEqual(new Set(['failed']))
})

test('bytes stay as long as their pack, in the folder too, and go when the account’s data does', async () => {
  settings().attachmentsDir = folder
  const id = await make(invoice('INV-2'))
  await switchPool(database.urls.both)
  expect(await sweepFiles()).toBe(0)
  expect((await openPack(organizationId, id, asker().actor))?.bytes.length).toBeGreaterThan(1000)
  await database.query('delete from pack')
  expect(await sweepFiles()).toBe(1)
  expect(await openPack(organizationId, id, asker().actor)).toBeNull()
  const left = await readdir(join(folder, organizationId), { recursive: true })
  expect(left.filter((name) => /[0-9a-f]{64}/.test(name))).toEqual([])
})

/** The manifest in a pack, as the checker takes it out. */
async function manifestOf(id: string) {
  const path = join(folder, 'signed.pdf')
  await writeFile(path, (await openPack(organizationId, id, asker().actor))?.bytes as Buffer)
  const program = `import sys; sys.path.insert(0, ${JSON.stringify(besides('.'))}); import check_pack
print(check_pack.attachments(open(${JSON.stringify(path)}, 'rb').read(), [])['manifest.json'].decode())`
  return JSON.parse(spawnSync('python3', ['-c', program], { encoding: 'utf8' }).stdout) as {
    seal: string
    signatures: PackSignature[]
  }
}

test('a pack has who signed it, over which seal, and what ended a signature since', async () => {
  const signer = { actor: asker().actor, name: 'Ana', role: 'finance' }
  const preview = await previewSignOff(organizationId, MARCH(), 'prepared', userId)
  const residuals = preview.open.map((open) => ({ ...open, reason: 'agreed', note: 'a cent each' }))
  const wish = { sealHex: preview.sealHex, residuals, runningRun: null }
  expect((await signOff(organizationId, signer, MARCH(), 'prepared', wish)).kind).toBe('signed')
  const before = await manifestOf(await make(MARCH()))
  expect(before.seal).toBe(preview.sealHex)
  const standing = { step: 'prepared', name: 'Ana', role: 'finance', seal: before.seal }
  expect(before.signatures).toMatchObject([
    { ...standing, residuals: [{ currency: 'EUR', reason: 'agreed' }], ended: null },
  ])

  await switchPool(database.urls.both)
  const line = makeWireLine('line-c', 'INV-2', { total_amount: '119.00' })
  await seedPackInvoice(organizationId, connectionId, 'INV-2', { total: '357.00', lines: [line] })
  await switchPool(database.urls.web)
  const after = await manifestOf(await make(MARCH()))
  expect(after.seal).not.toBe(before.seal)
  expect(after.signatures).toMatchObject([
    { ...standing, ended: { cause: expect.stringMatching(/^(invoice|new_line)$/) } },
  ])
})

test('a link opens one pack until it is withdrawn or too old, is kept as a hash, and each opening is in the audit', async () => {
  const id = await make(invoice('INV-2'))
  const days = { pack: id, days: 7 }
  const made = await makePackLink(organizationId, days, asker())
  if (made.kind !== 'made') throw new Error(made.kind)
  const key = made.address.split('#')[1] ?? ''
  expect(made.address).toMatch(/\/pack#[0-9a-f-]{36}\.[\w-]{43}$/)
  const [stored] = await database.query<{ text: string }>('select pack_link::text as text from pack_link')
  expect(stored?.text).not.toContain(key.split('.')[1])
  const opened = await openPackLink(key, '198.51.100.9')
  expect(opened?.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect((await audit()).at(-1)).toMatchObject({
    action: 'pack.link-opened',
    actor_name: 'web',
    after: expect.stringContaining('198.51.100.9'),
  })
  for (const wrong of ['', key.slice(0, -1), `${key}a`, key.replace(/^./, key.startsWith('0') ? '1' : '0')])
    expect(await openPackLink(wrong, null)).toBeNull()
  expect(await withdrawPackLink(organizationId, made.id, asker())).toBe(true)
  expect(await withdrawPackLink(organizationId, made.id, asker())).toBe(false)
  expect(await openPackLink(key, null)).toBeNull()
  const second = await makePackLink(organizationId, days, asker())
  if (second.kind !== 'made') throw new Error(second.kind)
  await database.query(`update pack_link set made_at = made_at - interval '8 days', expires_at = now() where id = $1`, [
    second.id,
  ])
  expect(await openPackLink(second.address.split('#')[1] ?? '', null)).toBeNull()
  const links = (await listPacks(organizationId, invoice('INV-2'), new Date()))[0]?.links
  expect(links?.map(({ state, openCount }) => `${state} ${openCount}`).sort()).toEqual(['expired 0', 'withdrawn 1'])
  await expect(makePackLink(organizationId, { pack: id, days: 31 }, asker())).rejects.toThrow()
})
