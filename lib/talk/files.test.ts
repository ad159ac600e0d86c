import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { switchPool } from '#lib/db/pool.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { settings } from '#lib/env.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import {
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'
import { MOST_FILE_BYTES } from './file-kind.ts'
import { toHash } from './file-store.ts'
import { keepFile, openFile } from './keep-file.ts'
import { removeFile } from './message-files.ts'
import type { Subject } from './model.ts'
import { listThread } from './read-thread.ts'
import { sweepFiles, sweepFolder } from './sweep-files.ts'
import { addMessage } from './write-message.ts'

let database: TestDatabase
let acme: OrganizationId
let beta: OrganizationId
let line: Subject
let folder: string
const people: Record<string, UserId> = {}
const signal = new AbortController().signal

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tieout-files-'))
  const owners = [
    await seedOrganization(database.query, 'Acme'),
    await seedOrganization(database.query, 'Beta'),
  ] as const
  acme = owners[0].organizationId
  beta = owners[1].organizationId
  const account = await seedConnection(database.query, owners[0])
  await seedInvoices(acme, account, [makeInvoice({ serialNumber: 'INV-1' })])
  await seedLines(acme, account, [makeLine({ id: 'line-1' })])
  line = { kind: 'line', connectionId: account, key: 'line-1' }
  for (const [name, organizationId] of [
    ['Ana', acme],
    ['Ben', acme],
    ['Bea', beta],
  ] as const) {
    const [user] = await database.query<{ id: UserId }>(
      `insert into app_user (organization_id, email, name, role) values ($1, $2, $3, 'finance') returning id`,
      [organizationId, `${name.toLowerCase()}@example.com`, name],
    )
    people[name] = user?.id as UserId
  }
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  await switchPool(database.urls.web)
  settings().attachmentsDir = null
  await database.query('delete from thread')
  await database.query('delete from attachment')
  await database.query('delete from stored_file')
  for (const each of [acme, beta]) await rm(join(folder, each), { recursive: true, force: true })
})

const idOf = (who: string) => people[who] as UserId
const as = (who: string) => ({
  userId: idOf(who),
  name: who,
  actor: { kind: 'person', userId: idOf(who), name: `${who}@example.com`, network: null } as const,
})
const pdf = (text: string) => Buffer.from(`%PDF-1.7 ${text}`)
const keep = async (who: string, bytes: Buffer, of = acme, name = 'bill.pdf') => {
  const kept = await keepFile(of, idOf(who), { name, bytes })
  if (kept.kind !== 'kept') throw new Error(kept.kind)
  return kept.id
}
const say = (who: string, files: string[], of = acme, text = '') =>
  addMessage(of, as(who), line, { text, mentions: [], quote: null, files })
const attach = async (who: string, bytes: Buffer) => {
  const id = await keep(who, bytes)
  expect((await say(who, [id])).kind).toBe('written')
  return id
}
const read = async () => (await listThread(acme, { userId: idOf('Ben'), roles: [] }, line))?.messages ?? []
const kept = () =>
  database.query<{ name: string; isHere: boolean }>(
    `select encode(hash, 'hex') as name, content is not null as "isHere" from stored_file order by 1`,
  )
const inFolder = () => readdir(folder, { recursive: true, withFileTypes: true })
const filesInFolder = async () => (await inFolder()).filter((entry) => entry.isFile()).map(({ name }) => name)
/** As the worker, with its role. */
const sweep = async () => {
  await switchPool(database.urls.worker)
  while ((await sweepFiles()) > 0);
  const gone = await sweepFolder(new Date(), signal)
  await switchPool(database.urls.web)
  return gone
}

describe.each(['the database', 'a folder'])('in %s', (place) => {
  beforeEach(() => {
    settings().attachmentsDir = place === 'a folder' ? folder : null
  })

  test('a file of a comment opens byte for byte, and the thread says what it is', async () => {
    const bytes = Buffer.concat([pdf(''), Buffer.from([0, 255, 13, 10, 0])])
    const id = await attach('Ana', bytes)
    expect(await openFile(acme, id)).toEqual({ name: 'bill.pdf', kind: 'pdf', bytes })
    expect(await read()).toMatchObject([
      { text: '', files: [{ id, name: 'bill.pdf', kind: 'pdf', size: bytes.length, removedAt: null }] },
    ])
    expect(await kept()).toEqual([{ name: toHash(bytes).toString('hex'), isHere: place === 'the database' }])
    expect(await filesInFolder()).toEqual(place === 'a folder' ? [toHash(bytes).toString('hex')] : [])
  })

  test('the same bytes are kept once, and go with the last file that is of them', async () => {
    const [first, second] = [await attach('Ana', pdf('same')), await attach('Ben', pdf('same'))]
    expect(await kept()).toHaveLength(1)
    expect(await removeFile(acme, as('Ana'), first)).toEqual({ kind: 'removed' })
    await sweep()
    expect(await openFile(acme, first)).toBeNull()
    expect((await openFile(acme, second))?.bytes).toEqual(pdf('same'))
    await removeFile(acme, as('Ben'), second)
    expect(await kept()).toHaveLength(1)
    await sweep()
    expect([await kept(), await filesInFolder()]).toEqual([[], []])
    expect((await read()).map(({ files }) => files.map(({ removedAt }) => removedAt !== null))).toEqual([
      [true],
      [true],
    ])
    const again = await attach('Ana', pdf('same'))
    expect((await openFile(acme, again))?.bytes).toEqual(pdf('same'))
  })

  test('what is no longer what was sent is not opened, and sending it again mends it', async () => {
    const id = await attach('Ana', pdf('right'))
    const name = toHash(pdf('right')).toString('hex')
    if (place === 'a folder') await writeFile(join(folder, acme, name.slice(0, 2), name), pdf('wrong'))
    else await database.query(`update stored_file set content = '%PDF-1.7 wrong'`)
    await expect(openFile(acme, id)).rejects.toMatchObject({ code: 'attachments-unavailable' })
    if (place === 'the database') return
    await attach('Ben', pdf('right'))
    expect((await openFile(acme, id))?.bytes).toEqual(pdf('right'))
  })

  test('files of comments that never followed go after a day, and nobody opens them before', async () => {
    const id = await keep('Ana', pdf('unsent'))
    expect(await openFile(acme, id)).toBeNull()
    await sweep()
    expect(await kept()).toHaveLength(1)
    await database.query(`update attachment set at = now() - interval '25 hours'`)
    await sweep()
    expect([await kept(), await filesInFolder()]).toEqual([[], []])
    expect(await say('Ana', [id])).toEqual({ kind: 'no-file' })
  })

  test('the files of an account’s comments go with its data', async () => {
    const id = await attach('Ana', pdf('of the account'))
    await database.query(`delete from thread`)
    expect(await openFile(acme, id)).toBeNull()
    await sweep()
    expect([await kept(), await filesInFolder()]).toEqual([[], []])
  })

  test('another organization has bytes of its own, and reaches nobody else’s files', async () => {
    const own = await attach('Ana', pdf('same'))
    const unsent = await keep('Ana', pdf('unsent'))
    await keep('Bea', pdf('same'), beta)
    expect(await kept()).toHaveLength(3)
    expect(await openFile(beta, own)).toBeNull()
    expect(await removeFile(beta, { ...as('Bea'), userId: idOf('Ana') }, own)).toEqual({ kind: 'gone' })
    expect(await addMessage(beta, as('Bea'), line, { text: 'x', mentions: [], quote: null, files: [unsent] })).toEqual({
      kind: 'no-file',
    })
    expect((await openFile(acme, own))?.bytes).toEqual(pdf('same'))
  })

  test('somebody who sends bytes while they are swept away has them', async () => {
    await removeFile(acme, as('Ana'), await attach('Ana', pdf('wanted')))
    await switchPool(database.urls.both)
    const ids = await Promise.all([
      ...Array.from({ length: 6 }, () => keep('Ben', pdf('wanted'))),
      ...Array.from({ length: 6 }, () => sweepFiles()),
    ])
    const sent = ids.filter((id): id is string => typeof id === 'string')
    expect((await say('Ben', sent)).kind).toBe('written')
    for (const id of sent) expect((await openFile(acme, id))?.bytes).toEqual(pdf('wanted'))
  })
})

test('a folder holds no half of a file, and what broken-off writes left goes after a day', async () => {
  settings().attachmentsDir = folder
  await attach('Ana', pdf('whole'))
  const [name = ''] = await filesInFolder()
  const beside = join(folder, acme, name.slice(0, 2))
  const stray = join(beside, name.slice(0, 2).padEnd(64, '0'))
  const half = join(beside, `${name}.half.part`)
  const strange = join(beside, 'notes.txt')
  for (const path of [stray, half, strange]) await writeFile(path, 'x')
  expect(await sweep()).toBe(0)
  const old = new Date(Date.now() - 25 * 3_600_000)
  for (const path of [stray, half, strange, join(beside, name)]) await utimes(path, old, old)
  expect(await sweep()).toBe(2)
  expect((await filesInFolder()).sort()).toEqual([name, 'notes.txt'].sort())
  expect(await readFile(join(beside, name))).toEqual(pdf('whole'))
})

test('a folder that cannot be written refuses the file, and nothing of it is kept', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  settings().attachmentsDir = join(file, 'below')
  await expect(keepFile(acme, idOf('Ana'), { name: 'x', bytes: pdf('') })).rejects.toMatchObject({
    code: 'attachments-unavailable',
  })
  expect([await kept(), await database.query('select from attachment')]).toEqual([[], []])
})

test('what is in a folder is said to be there when the folder is no longer set', async () => {
  settings().attachmentsDir = folder
  const id = await attach('Ana', pdf('there'))
  settings().attachmentsDir = null
  await expect(openFile(acme, id)).rejects.toMatchObject({ code: 'attachments-unavailable' })
  settings().attachmentsDir = folder
  expect((await openFile(acme, id))?.bytes).toEqual(pdf('there'))
})

test.each([
  ['empty', Buffer.alloc(0)],
  ['too-large', Buffer.concat([pdf(''), Buffer.alloc(MOST_FILE_BYTES)]).subarray(0, MOST_FILE_BYTES + 1)],
  ['wrong-kind', Buffer.from('<svg onload="alert(1)"/>')],
] as const)('a file that is %s is not kept', async (kind, bytes) => {
  expect(await keepFile(acme, idOf('Ana'), { name: 'bill.pdf', bytes })).toEqual({ kind })
  expect(await kept()).toEqual([])
})

test('a file of exactly 10 MB is kept', async () => {
  const bytes = Buffer.alloc(MOST_FILE_BYTES, '%PDF-1.7')
  expect((await openFile(acme, await attach('Ana', bytes)))?.bytes.equals(bytes)).toBe(true)
})

test('a comment takes only files that its author has sent and no comment has', async () => {
  const [own, others] = [await keep('Ana', pdf('own')), await keep('Ben', pdf('other'))]
  expect(await say('Ana', [own, others])).toEqual({ kind: 'no-file' })
  expect(await read()).toEqual([])
  expect((await say('Ana', [own, own])).kind).toBe('written')
  expect(await say('Ana', [own])).toEqual({ kind: 'no-file' })
  expect(await say('Ana', ['00000000-0000-4000-8000-000000000000'])).toEqual({ kind: 'no-file' })
})

test('a file is removed by its author alone, once, and its row says when', async () => {
  const id = await attach('Ana', pdf('own'))
  expect(await removeFile(acme, as('Ben'), id)).toEqual({ kind: 'not-own' })
  expect(await removeFile(acme, as('Ana'), await keep('Ana', pdf('unsent')))).toEqual({ kind: 'gone' })
  expect(await removeFile(acme, as('Ana'), id)).toEqual({ kind: 'removed' })
  const [{ removedAt } = { removedAt: null }] = (await read())[0]?.files ?? []
  expect(await removeFile(acme, as('Ana'), id)).toEqual({ kind: 'removed' })
  expect((await read())[0]?.files).toMatchObject([{ id, name: 'bill.pdf', removedAt }])
})

test('somebody who sends file after file without a comment is stopped', async () => {
  for (let at = 0; at < 30; at++) await keep('Ana', pdf(`${at}`))
  expect(await keepFile(acme, idOf('Ana'), { name: 'x', bytes: pdf('more') })).toEqual({ kind: 'too-many' })
  expect((await keepFile(acme, idOf('Ben'), { name: 'x', bytes: pdf('more') })).kind).toBe('kept')
})

test('the audit says which bytes came and went, and never what they are called', async () => {
  const [before] = await database.query<{ number: string }>(
    'select coalesce(max(number), 0) as number from audit_entry',
  )
  const id = await keep('Ana', pdf('secret'), acme, 'secret.pdf')
  await say('Ana', [id])
  await removeFile(acme, as('Ana'), id)
  await removeFile(acme, as('Ana'), id)
  const entries = await database.query<{ action: string; before: string; after: string }>(
    'select action, actor_name, subject_kind, subject_id, before, after from audit_entry where number > $1 order by number',
    [before?.number],
  )
  const of = { attachment: id, kind: 'pdf', bytes: pdf('secret').length, hash: toHash(pdf('secret')).toString('hex') }
  expect(JSON.stringify(entries)).not.toContain('secret')
  expect(entries.map(({ action }) => action)).toEqual(['comment.added', 'attachment.added', 'attachment.removed'])
  expect(JSON.parse(entries[1]?.after ?? '')).toMatchObject(of)
  expect(JSON.parse(entries[2]?.before ?? '')).toMatchObject(of)
  expect(entries[2]).toMatchObject({ actor_name: 'Ana@example.com', subject_kind: 'line', subject_id: 'line-1' })
})
