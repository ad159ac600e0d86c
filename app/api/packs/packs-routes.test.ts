import '#lib/auth/test-support/test-cheap-passwords.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, leadsTo, startWorld, type World } from '#lib/auth/test-support/test-world.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { PackRow } from '#lib/pack/model.ts'

let world: World
let connectionId: ConnectionId
const browsers = new Map<string, Browser>()

beforeAll(async () => {
  world = await startWorld({}, 'both')
  for (const [who, role, organization] of [
    ['ana', 'finance', 'First'],
    ['vera', 'viewer', 'First'],
    ['stranger', 'admin', 'Second'],
  ] as const) {
    await world.addUser(`${who}@example.com`, role, organization)
    const browser = world.browser()
    await browser.signIn(`${who}@example.com`)
    browsers.set(who, browser)
  }
  const [row] = await world.database.query<{ organizationId: OrganizationId; id: ConnectionId }>(
    `insert into connection (organization_id, state, scopes_asked, created_by, name)
     select organization_id, 'active', 'expenses:read', id, 'Meridian' from app_user
     where email = 'ana@example.com' returning organization_id as "organizationId", id`,
  )
  connectionId = row?.id as ConnectionId
  const { makeWireLine, seedPackInvoice } = await import('#lib/pack/test-support/seed-pack.ts')
  await seedPackInvoice(row?.organizationId as OrganizationId, connectionId, 'INV-1', {
    total: '119.00',
    lines: [makeWireLine('line-1', 'INV-1')],
  })
})
afterAll(() => world.close())

const as = (who: string) => browsers.get(who) as Browser
const ofInvoice = () => ({ kind: 'invoice', connection: connectionId, serial: 'INV-1' })
const list = async (who: string) => {
  const reply = await as(who).get(`/api/packs?${new URLSearchParams(ofInvoice())}`)
  return (await reply.json()) as { packs: PackRow[]; may: { share: boolean } }
}
const codeOf = async (reply: Response) =>
  [reply.status, ((await reply.json()) as { error: { code: string } }).error.code] as const

/** As a worker does. */
async function work(): Promise<void> {
  const { makePacks } = await import('#lib/pack/make-packs.ts')
  await makePacks(new AbortController().signal)
}

test('a viewer makes and takes a pack, finance gives a link, and somebody without an account opens it', async () => {
  expect((await as('vera').postJson('/api/packs', ofInvoice())).status).toBe(200)
  const [waiting] = (await list('vera')).packs
  expect(waiting).toMatchObject({ state: 'waiting', hash: null })
  expect(await codeOf(await as('vera').postJson('/api/packs/file', { pack: waiting?.id }))).toEqual([
    409,
    'pack-missing',
  ])
  await work()
  const { packs, may } = await list('vera')
  expect([packs[0]?.state, may.share]).toEqual(['made', false])
  const file = await as('vera').postJson('/api/packs/file', { pack: waiting?.id })
  expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
    200,
    'application/pdf',
    expect.stringMatching(/^attachment; filename="tieout-pack-INV-1-[\d-]{10}\.pdf"$/),
  ])
  const share = { pack: waiting?.id, days: 7 }
  expect(await codeOf(await as('vera').postJson('/api/packs/links', share))).toEqual([403, 'forbidden'])
  expect(await codeOf(await as('stranger').postJson('/api/packs/links', share))).toEqual([409, 'pack-missing'])
  expect(await codeOf(await as('stranger').postJson('/api/packs/file', { pack: waiting?.id }))).toEqual([
    409,
    'pack-missing',
  ])
  for (const days of [0, 8, 31, 400])
    expect((await as('ana').postJson('/api/packs/links', { ...share, days })).status).toBe(400)
  const { link, id } = (await (await as('ana').postJson('/api/packs/links', share)).json()) as {
    link: string
    id: string
  }
  const outsider = world.browser('198.51.100.7')
  const opened = await outsider.post('/api/packs/open', { pack: link })
  expect([opened.status, (await opened.text()).slice(0, 5)]).toEqual([200, '%PDF-'])
  expect((await list('ana')).packs[0]?.links).toMatchObject([{ id, state: 'open', openCount: 1 }])
  expect((await as('vera').postJson('/api/packs/links/withdraw', { link: id })).status).toBe(403)
  expect((await as('ana').postJson('/api/packs/links/withdraw', { link: id })).status).toBe(200)
  expect(await codeOf(await as('ana').postJson('/api/packs/links/withdraw', { link: id }))).toEqual([
    409,
    'pack-link-ended',
  ])
  expect(leadsTo(await outsider.post('/api/packs/open', { pack: link }))).toContain('/pack?error=unusable')
  const told = await world.database.query<{ action: string }>(
    `select action from audit_entry where action like 'pack.%' order by number`,
  )
  expect(told.map(({ action }) => action)).toEqual([
    'pack.asked',
    'pack.made',
    'pack.downloaded',
    'pack.link-made',
    'pack.link-opened',
    'pack.link-withdrawn',
  ])
}, 30_000)

test('who guesses at links waits, and another organization’s invoice has no packs', async () => {
  const guesser = world.browser('198.51.100.8')
  const answers: string[] = []
  for (let at = 0; at < 60 && !answers.at(-1)?.includes('error=wait'); at++) {
    const secret = `${'0'.repeat(8)}-0000-4000-8000-${String(at).padStart(12, '0')}.${'a'.repeat(43)}`
    answers.push(leadsTo(await guesser.post('/api/packs/open', { pack: secret })))
  }
  expect(answers.at(-1)).toContain('error=wait')
  expect(await codeOf(await as('stranger').postJson('/api/packs', ofInvoice()))).toEqual([409, 'pack-nothing'])
  expect((await list('stranger')).packs).toEqual([])
  for (const wrong of [
    { kind: 'invoice', connection: connectionId },
    { kind: 'month' },
    { ...ofInvoice(), connection: 'x' },
  ])
    expect((await as('ana').postJson('/api/packs', wrong)).status).toBe(400)
  const period = { kind: 'profile_month', connection: connectionId, profile: 'profile-1', month: '2026-3' }
  expect((await as('ana').postJson('/api/packs', period)).status).toBe(400)
}, 30_000)
