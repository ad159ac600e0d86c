import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { claimDigest, moveDigest, planDigests } from '#lib/digest/digest-rows.ts'
import { askForDigest, readDigestChoice, setRhythm } from '#lib/digest/digest-settings.ts'
import { type DigestWorld, startDigestWorld, tooMuch, type Who } from '#lib/digest/test-support/test-digest-world.ts'
import { turnOffByLink } from '#lib/digest/turn-off-link.ts'
import { Secret } from '#lib/secret.ts'
import { mailDigests } from './digest-mail.ts'
import { createMailer, type Mailer } from './mail.ts'
import { type MailServer, serveMail } from './test-support/test-mail-server.ts'

const noSignal = new AbortController().signal
const MINUTE = 60_000
/** Tomorrow at half past seven, UTC. */
const MORNING = new Date(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T07:30:00.000Z`)
const later = (minutes: number) => new Date(MORNING.getTime() + minutes * MINUTE)
/** The evening before, whatever the clock says: after the last one was due, and before the next. */
const EVENING = later(-10 * 60)

let world: DigestWorld
let server: MailServer
let mailer: Mailer

beforeAll(async () => {
  server = await serveMail()
  world = await startDigestWorld()
  mailer = createMailer({ smtpUrl: new Secret(server.url), from: 'Desk <desk@example.com>' })
  await world.bring([tooMuch('new', '25.20')])
})
afterAll(async () => {
  mailer.close()
  await server.close()
  await world.database.drop()
})
beforeEach(async () => {
  server.mails.length = 0
  server.mood = {}
  await world.as('both')
  await world.database.query('delete from digest')
  await world.database.query('delete from digest_setting')
  await world.database.query('update app_user set disabled_at = null, time_zone = null')
  await world.database.query('update organization set time_zone = null')
  await world.database.query(`update line set first_seen_at = $1`, [EVENING])
})

const choose = (who: Who, rhythm: 'off' | 'daily' | 'weekly', now = EVENING) =>
  setRhythm(world.organizationId, world.idOf(who), rhythm, personOf(world.idOf(who)), now)
const ask = (who: Who, now = later(-10 * 60 + 1)) => askForDigest(world.organizationId, world.idOf(who), now)
const send = (now = MORNING) => mailDigests(mailer, noSignal, now)
/** A worker's turns at that time. */
const work = async (now = MORNING) => {
  await planDigests(now)
  await send(now)
}
const lastOf = async (who: Who, now = MORNING) =>
  (await readDigestChoice(world.organizationId, world.idOf(who), now)).last
const states = async () =>
  (
    await world.database.query<{ state: string; cause: string | null }>(
      'select state, cause from digest order by period',
    )
  ).map(({ state, cause }) => cause ?? state)
const sentTo = () => server.mails.flatMap(({ recipients }) => recipients).sort()

test('a digest is off until somebody chooses one, and then comes to them alone, by the worker’s rights', async () => {
  await work()
  expect([sentTo(), await states()]).toEqual([[], []])
  await choose('ana', 'daily')
  await choose('vera', 'weekly')
  await choose('vera', 'off')
  await world.as('worker')
  await work()
  expect(sentTo()).toEqual(['ana@example.com'])
  await world.as('both')
  const [mail] = server.mails
  expect(mail?.subject).toMatch(/^Tieout: what waits for you, /)
  expect(mail?.text).toContain('1 line in EUR\n  overcharged EUR\u00a025.20')
  expect(mail?.html).toContain('overcharged EUR\u00a025.20')
  expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(await lastOf('ana')).toMatchObject({ state: 'sent', asked: false })
})

test('one comes each day and none twice, however often workers look', async () => {
  await choose('ana', 'daily')
  for (const minutes of [0, 1, 60, 600]) await work(later(minutes))
  expect(server.mails).toHaveLength(1)
  await world.bring([tooMuch('next', '12.10')])
  await world.database.query(`update line set first_seen_at = $1 where id = 'next'`, [later(60)])
  await work(later(24 * 60))
  expect(server.mails).toHaveLength(2)
  // it tells of what came since the first one
  expect(server.mails[1]?.text).toContain('1 line in EUR\n  overcharged EUR\u00a012.10')
  await world.database.query(`update line set missing_since = now() where id = 'next'`)
})

test('several workers at once send one', async () => {
  await Promise.all((['ana', 'vera'] as const).map((who) => choose(who, 'daily')))
  await Promise.all([1, 2, 3, 4].map(() => work()))
  expect(sentTo()).toEqual(['ana@example.com', 'vera@example.com'])
})

test('what a killed worker was sending is not sent again, and is told', async () => {
  await choose('ana', 'daily')
  await planDigests(MORNING)
  const claimed = await claimDigest(MORNING)
  if (claimed === null) throw new Error('nothing is due')
  // the worker says that it sends, and is gone
  expect(await moveDigest(claimed, 'waiting', { state: 'sending' })).toBe(true)
  await world.database.query(`update digest set lease_until = now() - interval '1 hour'`)
  await work(later(30))
  expect([server.mails.length, await states()]).toEqual([0, ['sending']])
  await world.database.query(`update digest set moved_at = now() - interval '11 minutes'`)
  await work(later(60))
  expect([server.mails.length, await states()]).toEqual([0, ['stopped']])
  // what it may not have told, the next one tells
  await work(later(24 * 60))
  expect(server.mails[0]?.text).toContain('overcharged EUR\u00a025.20')
})

test('a worker that is killed before it sends leaves it to the next one, and comes too late itself', async () => {
  await choose('ana', 'daily')
  await planDigests(MORNING)
  const slow = await claimDigest(MORNING)
  if (slow === null) throw new Error('nothing is due')
  await work()
  expect(server.mails).toHaveLength(0)
  await world.database.query(`update digest set lease_until = now() - interval '1 second'`)
  await work()
  expect(server.mails).toHaveLength(1)
  expect(await moveDigest(slow, 'waiting', { state: 'sending' })).toBe(false)
})

test('what the server refuses is told with its words and not tried again', async () => {
  server.mood = { recipient: 550 }
  await choose('ana', 'daily')
  await work()
  expect(await lastOf('ana')).toMatchObject({
    state: 'failed',
    cause: 'refused',
    reply: expect.stringContaining('no such user here'),
  })
  server.mood = {}
  await work(later(60))
  expect([server.mails.length, await states()]).toEqual([0, ['refused']])
})

test('what the server puts off is tried again after a while, five times at most', async () => {
  server.mood = { data: 451 }
  await choose('ana', 'daily')
  await work()
  expect(await lastOf('ana')).toMatchObject({ state: 'waiting', reply: expect.stringContaining('no such user') })
  const begun = server.begun()
  await work(later(4))
  expect(server.begun()).toBe(begun)
  for (const minutes of [6, 22, 83, 264]) await work(later(minutes))
  expect([server.begun() - begun, await states()]).toEqual([4, ['put-off']])
  await work(later(500))
  expect(server.begun() - begun).toBe(4)
})

test('one that was put off comes when the server takes it', async () => {
  const down = createMailer({ smtpUrl: new Secret('smtp://127.0.0.1:1'), from: 'desk@example.com' })
  await choose('ana', 'daily')
  await planDigests(MORNING)
  await mailDigests(down, noSignal, MORNING)
  down.close()
  expect(await states()).toEqual(['waiting'])
  await work(later(6))
  expect([server.mails.length, await states()]).toEqual([1, ['sent']])
})

test('a connection that is lost after the mail was said is not made up for: nobody knows what the server has', async () => {
  server.mood = { hangs: true }
  await choose('ana', 'daily')
  const working = work()
  await expect.poll(() => server.mails.length).toBe(1)
  server.drop()
  await working
  server.mood = {}
  await work(later(60))
  expect([server.mails.length, await states()]).toEqual([1, ['unknown']])
})

test('whoever was deactivated, or turned it off since it was due, gets none', async () => {
  await choose('ana', 'daily')
  await choose('vera', 'daily')
  await planDigests(MORNING)
  await world.database.query(`update app_user set disabled_at = now() where email = 'ana@example.com'`)
  await choose('vera', 'off')
  await send()
  expect([server.mails.length, (await states()).sort()]).toEqual([0, ['not-here', 'turned-off']])
  await work(later(24 * 60))
  expect(server.mails).toHaveLength(0)
})

test('without news no mail is sent, and that is noted', async () => {
  await world.database.query(`update line set first_seen_at = $1`, [later(-9 * 24 * 60)])
  await choose('ana', 'daily')
  await work()
  expect([server.mails.length, await states()]).toEqual([0, ['nothing']])
  const { since } = await readDigestChoice(world.organizationId, world.idOf('ana'), MORNING)
  expect(since).toBe(MORNING.toISOString().replace('07:30', '07:00'))
})

test('it is due by the clock of the person, else of the organization, else of UTC; not before it was chosen', async () => {
  const day = MORNING.toISOString().slice(0, 10)
  const at = (time: string) => new Date(`${day}T${time}:00.000Z`)
  const noon = later(-19.5 * 60)
  await choose('ana', 'daily', noon)
  // its hour had passed when it was chosen
  await planDigests(noon)
  expect(await states()).toEqual([])
  await planDigests(at('07:01'))
  expect(await states()).toEqual([])
  await planDigests(at('07:03'))
  expect(await states()).toEqual(['waiting'])
  await world.database.query('delete from digest')
  // a summer or a winter in Tokyo: nine hours ahead
  await world.database.query(`update organization set time_zone = 'Asia/Tokyo'`)
  await planDigests(at('07:03'))
  expect(await world.database.query('select until from digest')).toEqual([
    { until: new Date(at('07:00').getTime() - 9 * 60 * MINUTE) },
  ])
  await world.database.query('delete from digest')
  await world.database.query(`update app_user set time_zone = 'Asia/Kolkata' where email = 'ana@example.com'`)
  await planDigests(at('07:03'))
  expect(await world.database.query('select until from digest')).toEqual([{ until: at('01:30') }])
})

test('one that is asked for comes at once, whatever was chosen, and takes nothing from the next one', async () => {
  await ask('ana')
  await send(later(-10 * 60 + 2))
  expect(sentTo()).toEqual(['ana@example.com'])
  expect(await lastOf('ana')).toMatchObject({ state: 'sent', asked: true })
  await choose('ana', 'daily')
  await work()
  expect(server.mails.map(({ text }) => text?.includes('overcharged EUR\u00a025.20'))).toEqual([true, true])
})

test('the link in its head turns it off at one click, once for that person, and leaves an entry', async () => {
  await choose('ana', 'daily')
  await choose('vera', 'daily')
  await work()
  const mail = server.mails.find(({ recipients }) => recipients.includes('ana@example.com'))
  const [, key = ''] = /^List-Unsubscribe: <http[^>]*\/api\/digest\/off\?key=([^>]*)>\r$/m.exec(mail?.raw ?? '') ?? []
  expect(mail?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  expect(mail?.text).toContain(`/unsubscribe?key=${key}`)
  const [organization, person, signature = ''] = key.split('.')
  const other = `${organization}.${world.idOf('vera')}.${signature}`
  for (const wrong of ['', 'x', `${organization}.${person}.`, `${organization}.${person}.${signature}x`, other, '..'])
    expect(await turnOffByLink(wrong, 'net', MORNING), wrong).toBe(false)
  const rhythms = () =>
    world.database.query<{ rhythm: string }>(
      `select rhythm from digest_setting s join app_user u on u.id = s.person_id order by u.email`,
    )
  expect((await rhythms()).map(({ rhythm }) => rhythm)).toEqual(['daily', 'daily'])
  expect(await turnOffByLink(key, 'net', MORNING)).toBe(true)
  expect(await turnOffByLink(key, 'net', MORNING)).toBe(true)
  expect((await rhythms()).map(({ rhythm }) => rhythm)).toEqual(['off', 'daily'])
  const entries = await world.database.query<{ after: string }>(
    `select actor_name, network, after from audit_entry where action = 'people.digest' order by number desc limit 2`,
  )
  expect(entries[0]).toMatchObject({ actor_name: 'ana@example.com', network: 'net' })
  expect(JSON.parse(entries[0]?.after ?? '')).toEqual({ digest: 'off', by: 'the link of a mail' })
  expect(JSON.parse(entries[1]?.after ?? '')).toEqual({ digest: 'daily' })
  // it works with the next digest too, after it was turned on again
  await choose('ana', 'daily')
  expect(await turnOffByLink(key, 'net', MORNING)).toBe(true)
})
