import '#lib/auth/test-support/test-cheap-passwords.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Browser, startWorld, type World } from '#lib/auth/test-support/test-world.ts'
import type { SavedView, ViewedList } from '#lib/views/list-views.ts'

let world: World
const people = new Map<string, Browser>()
const ids = new Map<string, string>()
let organizationId: string

beforeAll(async () => {
  world = await startWorld()
  for (const [who, role] of [
    ['anna', 'finance'],
    ['ben', 'finance'],
    ['vera', 'viewer'],
  ] as const)
    await join(who, role)
  await join('stranger', 'admin', 'Second')
  const [row] = await world.database.query<{ id: string }>(
    `select organization_id as id from app_user where email = 'anna@example.com'`,
  )
  organizationId = row?.id ?? ''
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.query('delete from saved_view')
})

async function join(who: string, role: string, organization?: string): Promise<void> {
  ids.set(who, await world.addUser(`${who}@example.com`, role, organization))
  const browser = world.browser()
  await browser.signIn(`${who}@example.com`)
  people.set(who, browser)
}

const as = (who: string) => people.get(who) as Browser
const post = (who: string, body: object, team = false) =>
  as(who).postJson(team ? '/api/views/team' : '/api/views', { list: 'lines', search: '', ...body })

async function add(who: string, body: { name: string; search?: string; list?: string }, team = false) {
  const reply = await post(who, { action: 'add', ...body }, team)
  expect(reply.status).toBe(200)
  const { view } = (await reply.json()) as { view: { id: string; version: number } }
  return { view: view.id, version: view.version }
}

async function listOf(who: string, list: ViewedList = 'lines'): Promise<SavedView[]> {
  const { listViews } = await import('#lib/views/list-views.ts')
  return listViews(organizationId, ids.get(who) ?? '', list)
}

async function codeOf(reply: Response): Promise<string> {
  expect(reply.status).toBe(409)
  return ((await reply.json()) as { error: { code: string } }).error.code
}

const entries = async () =>
  (
    await world.database.query<Record<string, string>>(
      `select action, actor_name, subject_name, before, after from audit_entry where action like 'view.%' order by number`,
    )
  ).map((entry) => Object.values(entry))

test('a view of one’s own is seen by its person alone, and each list has its own', async () => {
  await add('anna', { name: 'Hotels', search: 'vertical=hotel&page=3' })
  await add('anna', { name: 'Hotels', search: 'by=vertical', list: 'groups' })
  expect(await listOf('anna')).toMatchObject([
    { name: 'Hotels', search: 'vertical=hotel', version: 1, isTeam: false, isDefault: false },
  ])
  expect(await listOf('anna', 'groups')).toMatchObject([{ search: 'by=vertical' }])
  expect(await listOf('ben')).toEqual([])
})

test('nobody changes, deletes or opens a list with the view of another person or organization', async () => {
  const own = await add('anna', { name: 'Mine', search: 'q=a' })
  const team = await add('anna', { name: 'Ours', search: 'q=b' }, true)
  for (const who of ['ben', 'vera', 'stranger'])
    for (const wish of [
      { action: 'save', search: 'q=x' },
      { action: 'rename', name: 'X' },
      { action: 'remove' },
      { action: 'open-with' },
    ])
      expect(await codeOf(await post(who, { ...wish, ...own }))).toBe('view-gone')
  for (const action of ['save', 'remove'])
    expect(await codeOf(await post('stranger', { action, ...team }, true))).toBe('view-gone')
  expect(await listOf('anna')).toMatchObject([{ search: 'q=a' }, { search: 'q=b' }])
})

test('views of everybody are saved, renamed and deleted by those who may, and opened by all', async () => {
  expect((await post('vera', { action: 'add', name: 'No' }, true)).status).toBe(403)
  const made = await add('anna', { name: 'To review', search: 'findings=1' }, true)
  expect((await post('vera', { action: 'remove', ...made }, true)).status).toBe(403)
  expect(await listOf('vera')).toMatchObject([{ name: 'To review', isTeam: true, search: 'findings=1' }])
  expect((await post('ben', { action: 'save', ...made, search: 'findings=1&q=a' }, true)).status).toBe(200)
  const seen = { view: made.view, version: 2 }
  expect((await post('ben', { action: 'rename', ...seen, name: 'For review' }, true)).status).toBe(200)
  expect((await post('anna', { action: 'remove', ...seen, version: 3 }, true)).status).toBe(200)
  expect(await listOf('vera')).toEqual([])
  expect(await entries()).toEqual([
    ['view.shared', 'anna@example.com', 'Ours', null, expect.stringContaining('q=b')],
    ['view.shared', 'anna@example.com', 'To review', null, expect.stringContaining('findings=1')],
    ['view.saved', 'ben@example.com', 'To review', '{"search":"findings=1"}', '{"search":"findings=1&q=a"}'],
    ['view.renamed', 'ben@example.com', 'For review', '{"name":"To review"}', '{"name":"For review"}'],
    ['view.removed', 'anna@example.com', 'For review', '{"search":"findings=1&q=a"}', null],
  ])
})

test('of two who save a view at once one is told, and has changed nothing', async () => {
  const seen = await add('anna', { name: 'To review', search: 'findings=1' }, true)
  const save = (who: string, search: string) => post(who, { action: 'save', ...seen, search }, true)
  const replies = await Promise.all([save('anna', 'q=anna'), save('ben', 'q=ben')])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  const winner = replies[0]?.status === 200 ? 'anna' : 'ben'
  const [view] = await listOf('vera')
  expect(view).toMatchObject({ search: `q=${winner}`, version: 2 })
  for (const wish of [{ action: 'save', search: 'q=x' }, { action: 'rename', name: 'X' }, { action: 'remove' }])
    expect(await codeOf(await post('ben', { ...wish, ...seen }, true))).toBe('view-changed')
  expect(await listOf('vera')).toEqual([view])
})

test('two views of a list and a person do not have one name', async () => {
  await add('anna', { name: 'Hotels' })
  const other = await add('anna', { name: 'Flights' })
  expect(await codeOf(await post('anna', { action: 'add', name: 'Hotels' }))).toBe('view-taken')
  expect(await codeOf(await post('anna', { action: 'rename', ...other, name: 'Hotels' }))).toBe('view-taken')
  await add('ben', { name: 'Hotels' })
  await add('anna', { name: 'Hotels' }, true)
})

test('a list opens with a view until it opens without one, or the view is gone', async () => {
  const own = await add('vera', { name: 'Mine', search: 'q=a' })
  const team = await add('anna', { name: 'Ours', search: 'q=b' }, true)
  const { listDefaultViews } = await import('#lib/views/list-views.ts')
  const defaults = async () =>
    (await listDefaultViews(organizationId, ids.get('vera') ?? '')).map(({ search }) => search)
  await post('vera', { action: 'open-with', ...own })
  await post('vera', { action: 'open-with', ...team })
  expect(await defaults()).toEqual(['q=b'])
  expect(await listOf('vera')).toMatchObject([{ isDefault: false }, { isDefault: true }])
  expect(await listOf('ben')).toMatchObject([{ isDefault: false }])
  await post('vera', { action: 'open-plain' })
  expect(await defaults()).toEqual([])
  await post('vera', { action: 'open-with', ...team })
  await post('anna', { action: 'remove', ...team }, true)
  expect(await defaults()).toEqual([])
})

test('a form is led back to the list as it was shown, with the view that it now is', async () => {
  const form = { action: 'add', list: 'lines', search: 'page=4&vertical=hotel', name: ' Hotels ' }
  const { location = '' } = Object.fromEntries((await as('anna').post('/api/views', form)).headers)
  expect(location).toMatch(/^\/lines\?said=view-add&vertical=hotel&view=[\da-f-]{36}\.1$/)
  const taken = await as('anna').post('/api/views', { ...form, search: 'q=b' })
  expect(taken.headers.get('location')).toBe('/lines?error=view-taken&q=b')
})

test('who is removed leaves what everybody has, and nothing of their own', async () => {
  await join('carl', 'finance')
  await add('carl', { name: 'Mine' })
  await add('carl', { name: 'Ours' }, true)
  const { removeUser } = await import('#lib/auth/people/users.ts')
  const actor = { kind: 'operator', name: 'test' } as const
  await removeUser(organizationId, ids.get('carl') ?? '', actor, new Date())
  expect(await world.database.query('select name from saved_view')).toEqual([{ name: 'Ours' }])
})
