import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, startWorld, type World } from '#lib/auth/test-support/test-world.ts'

let world: World
const browsers = new Map<string, Browser>()

beforeAll(async () => {
  world = await startWorld({}, 'both')
  for (const role of ['admin', 'finance', 'viewer']) {
    await world.addUser(`${role}@example.com`, role)
    const browser = world.browser()
    await browser.signIn(`${role}@example.com`)
    browsers.set(role, browser)
  }
})
afterAll(() => world.close())

async function post(who: string, name: '' | '/trial' | '/switch' | '/approving', body: object) {
  const reply = await (browsers.get(who) as Browser).postJson(`/api/close/rules${name}`, body)
  return { status: reply.status, body: await reply.json() }
}

const TERMS = { name: 'What adds up', verb: 'accept', complete: 'on', limits: 'EUR 500', activeFrom: '2026-01-01' }
const readActions = async () =>
  (
    await world.database.query<{ action: string }>(
      `select action from audit_entry where action like 'rule.%' order by number`,
    )
  ).map(({ action }) => action)

test('a rule is made, tried, turned on and off, and changed, each in the audit, and is off until it was tried', async () => {
  expect((await post('viewer', '', TERMS)).status).toBe(403)
  const { body: made } = await post('finance', '', TERMS)
  expect(made).toMatchObject({ version: 1 })
  const wish = { rule: made.id, version: 1, from: '2026-01', to: '2026-06' }
  const { body: tried } = await post('finance', '/trial', wish)
  const early = await post('finance', '/switch', { rule: made.id, trial: tried.trial })
  expect(early).toMatchObject({ status: 409, body: { error: { code: 'rule-not-tried' } } })
  const { runTrials } = await import('#lib/ledger/certify/run-trials.ts')
  await runTrials(new AbortController().signal)
  expect((await post('finance', '/switch', { rule: made.id, trial: tried.trial })).status).toBe(200)
  expect((await post('finance', '/switch', { rule: made.id })).status).toBe(200)
  expect((await post('finance', '', { ...TERMS, rule: made.id, version: 1, share: '5' })).body).toMatchObject({
    version: 2,
  })
  expect(await readActions()).toEqual(['rule.made', 'rule.tried', 'rule.turned-on', 'rule.turned-off', 'rule.changed'])
  const kept = await world.database.query(
    'select version, conditions, limits, share::text as share, length(seed) as seed from rule_version order by version',
  )
  expect(kept).toEqual([
    { version: 1, conditions: ['complete'], limits: { EUR: '500' }, share: '2', seed: 32 },
    { version: 2, conditions: ['complete'], limits: { EUR: '500' }, share: '5', seed: 32 },
  ])
})

test('a rule without a name is not kept', async () => {
  const { name: _, ...nameless } = TERMS
  const before = await world.database.query('select id from certification_rule')
  expect(await post('finance', '', nameless)).toMatchObject({ status: 400, body: { error: { code: 'bad-request' } } })
  expect(await world.database.query('select id from certification_rule')).toEqual(before)
})

test('what cannot be read changes nothing: limits, share, months, days, another rule', async () => {
  const before = await readActions()
  for (const wrong of [
    { limits: 'EUR 5,00' },
    { share: '101' },
    { share: 'some' },
    { monthsLeftOut: '13' },
    { activeFrom: '2026-02-30' },
    { verb: 'dispute' },
  ])
    expect((await post('finance', '', { ...TERMS, ...wrong })).status).toBe(400)
  const nobody = '00000000-0000-4000-8000-000000000000'
  expect((await post('finance', '/switch', { rule: nobody })).body.error.code).toBe('gone')
  expect((await post('finance', '', { ...TERMS, rule: nobody, version: 1 })).body.error.code).toBe('gone')
  expect((await post('finance', '', { ...TERMS, rule: nobody })).status).toBe(400)
  const backwards = { rule: nobody, version: 1, from: '2026-06', to: '2026-01' }
  expect((await post('finance', '/trial', backwards)).status).toBe(400)
  expect(await readActions()).toEqual(before)
})

test('of two people who change one rule, the second is told so and changes nothing, also at the same moment', async () => {
  const { body: made } = await post('finance', '', TERMS)
  const before = await readActions()
  const change = (who: string, version: number) => post(who, '', { ...TERMS, rule: made.id, version, share: '7' })
  const both = await Promise.all([change('finance', 1), change('admin', 1)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const late = await change('admin', 1)
  expect(late).toMatchObject({ status: 409, body: { error: { code: 'changed' } } })
  expect(late.body.error.text).toContain('Somebody changed this rule after you opened the page')
  // one that nobody can have seen
  expect((await change('admin', 9)).status).toBe(409)
  expect(await change('admin', 2)).toMatchObject({ status: 200, body: { version: 3 } })
  expect((await readActions()).slice(before.length)).toEqual(['rule.changed', 'rule.changed'])
})

test('a rule that approves is refused until an admin lets rules approve', async () => {
  const terms = { ...TERMS, verb: 'approve' }
  expect(await post('admin', '', terms)).toMatchObject({
    status: 409,
    body: { error: { code: 'rule-may-not-approve' } },
  })
  expect((await post('finance', '/approving', { allowed: 'yes' })).status).toBe(403)
  expect((await post('admin', '/approving', { allowed: 'yes' })).status).toBe(200)
  expect((await post('admin', '', terms)).status).toBe(200)
  expect((await readActions()).slice(-2)).toEqual(['rule.approving-allowed', 'rule.made'])
})
