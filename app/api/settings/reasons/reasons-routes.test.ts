import '#lib/auth/test-support/test-cheap-passwords.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Browser, leadsTo, startWorld, type World } from '#lib/auth/test-support/test-world.ts'

let world: World
const people = new Map<string, Browser>()

beforeAll(async () => {
  world = await startWorld()
  for (const role of ['admin', 'finance'] as const) await join(role, role)
  await join('stranger', 'admin', 'Second')
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.query('delete from reason_list returning 1 as one')
})

async function join(who: string, role: string, organization?: string): Promise<void> {
  await world.addUser(`${who}@example.com`, role, organization)
  const browser = world.browser()
  await browser.signIn(`${who}@example.com`)
  people.set(who, browser)
}

const post = (who: string, body: object) => (people.get(who) as Browser).postJson('/api/settings/reasons', body)
const own = { kind: 'dispute', code: 'own_rebate_is_missing' }

async function codeOf(reply: Response): Promise<string> {
  expect(reply.status).toBe(409)
  return ((await reply.json()) as { error: { code: string } }).error.code
}

test('an admin adds, names, orders, retires and brings back a reason, each in the audit; others may not', async () => {
  const steps = [
    { change: 'add', kind: 'dispute', words: 'Rebate is missing' },
    { change: 'rename', ...own, words: 'The rebate is missing' },
    { change: 'up', ...own },
    { change: 'retire', ...own },
    { change: 'restore', ...own },
  ]
  expect((await post('finance', { revision: 0, ...steps[0] })).status).toBe(403)
  for (const [revision, step] of steps.entries())
    expect(await (await post('admin', { revision, ...step })).json()).toEqual({ kind: 'done', revision: revision + 1 })
  const entries = await world.database.query<Record<string, string>>(
    `select action, subject_id, before, after from audit_entry where action like 'review.reason-%' order by number`,
  )
  expect(entries.map(({ action, subject_id }) => [action, subject_id])).toEqual(
    [
      'review.reason-added',
      'review.reason-renamed',
      'review.reason-moved',
      'review.reason-retired',
      'review.reason-restored',
    ].map((action) => [action, own.code]),
  )
  expect(JSON.parse(entries[1]?.before ?? '')).toEqual({ words: 'Rebate is missing' })
  expect(JSON.parse(entries[1]?.after ?? '')).toEqual({ of: 'dispute', words: 'The rebate is missing' })
})

test('who changes a list that somebody changed meanwhile is told, and a form is led back with the message', async () => {
  expect((await post('admin', { revision: 0, change: 'add', kind: 'accept', words: 'One' })).status).toBe(200)
  expect(await codeOf(await post('admin', { revision: 0, change: 'add', kind: 'accept', words: 'Two' }))).toBe(
    'changed',
  )
  const form = { revision: '0', change: 'add', kind: 'accept', words: 'Two' }
  const admin = people.get('admin') as Browser
  expect(leadsTo(await admin.post('/api/settings/reasons', form))).toBe('/settings?error=reasons-changed#reasons')
  const saved = await admin.post('/api/settings/reasons', { ...form, revision: '1' })
  expect(leadsTo(saved)).toBe('/settings?said=reasons-saved#reasons')
})

test('what cannot be a reason is refused: no words, more than 80, unseen characters, an unknown kind or code', async () => {
  const add = { revision: 0, change: 'add', kind: 'accept' }
  for (const words of ['', '   ', 'x'.repeat(81), 'two\nlines', 'turned \u202e around'])
    expect((await post('admin', { ...add, words })).status).toBe(400)
  expect((await post('admin', { ...add, kind: 'settle', words: 'x' })).status).toBe(400)
  for (const code of ['', 'A', "x'", 'x'.repeat(41)])
    expect((await post('admin', { revision: 0, change: 'retire', kind: 'accept', code })).status).toBe(400)
  expect((await post('admin', { ...add, words: 'x'.repeat(80) })).status).toBe(200)
})

test('the refusals of the list have codes of their own, and another organization has its own list', async () => {
  const retire = { revision: 0, change: 'retire', kind: 'accept', code: 'elsewhere' }
  expect(await codeOf(await post('admin', retire))).toBe('stays')
  expect(await codeOf(await post('admin', { ...retire, code: 'own_nothing' }))).toBe('gone')
  const same = { revision: 0, change: 'add', kind: 'accept', words: 'handled ELSEWHERE' }
  expect(await codeOf(await post('admin', same))).toBe('taken')
  expect((await post('admin', { ...same, words: 'Ours' })).status).toBe(200)
  expect((await post('stranger', { ...same, words: 'Theirs' })).status).toBe(200)
})
