import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashSecret } from '#lib/connections/secret-hash.ts'
import { type RefreshWorld, startRefreshWorld } from '#lib/connections/test-support/test-refresh-world.ts'
import { Secret } from '#lib/secret.ts'
import { createMailer, type Mailer } from './mail.ts'
import { mailPasswordLinks } from './password-mail.ts'
import { serveSmtp } from './test-support/test-smtp.ts'

const PERSON = 'holder@example.com'
const noSignal = new AbortController().signal

let world: RefreshWorld
let server: Awaited<ReturnType<typeof serveSmtp>>
let mailer: Mailer

beforeAll(async () => {
  world = await startRefreshWorld()
  server = await serveSmtp()
  mailer = createMailer({ smtpUrl: new Secret(server.url), from: 'Desk <desk@example.com>' })
})
afterAll(async () => {
  mailer.close()
  server.close()
  await world.close()
})
beforeEach(async () => {
  await world.renew()
  server.mails.length = 0
  await world.database.query('delete from password_wish')
  await world.database.query('delete from app_user where email = $1', [PERSON])
  await world.database.query(
    `insert into app_user (organization_id, email, name, role, password_hash)
     select id, $1, 'Holder', 'viewer', 'x' from organization order by created_at limit 1`,
    [PERSON],
  )
})

const wish = (address: string) => world.database.query('insert into password_wish (address) values ($1)', [address])
const wishes = () => world.database.query('select from password_wish')
const links = () =>
  world.database.query<{ secret_hash: string; mailed_at: Date | null }>('select * from password_reset')

/** The secrets of the mails, as a mail program reads them. */
const mailed = () =>
  server.mails.map(({ text }) => {
    const plain = text.replaceAll('=\n', '').replaceAll('=3D', '=')
    return /new-password#([\w-]{43})/.exec(plain)?.[1] ?? ''
  })

test('mails a link to who has a password at the address, keeps only its hash, and tells the audit', async () => {
  await wish(PERSON)
  await mailPasswordLinks(mailer, noSignal)
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([[PERSON]])
  const [secret = ''] = mailed()
  expect(await links()).toMatchObject([{ secret_hash: hashSecret(secret), mailed_at: expect.any(Date) }])
  expect(await wishes()).toEqual([])
  const entries = await world.database.query(
    `select subject_name, before, after from audit_entry where action = 'password.link-mailed'`,
  )
  expect(entries.at(-1)).toMatchObject({ subject_name: PERSON })
  expect(JSON.stringify(entries)).not.toContain(secret)
})

test('mails nothing to whom the organization takes no password from, but to the admin who keeps one', async () => {
  await world.database.query(
    `insert into single_sign_on (organization_id, mode, issuer, client_id, auth_method, role_claim, admin_values, finance_values, viewer_values)
     select organization_id, 'enforced', 'https://x.example', 'x', 'none', 'groups', '{}', '{}', '{}' from app_user where email = $1`,
    [PERSON],
  )
  await wish(PERSON)
  await mailPasswordLinks(mailer, noSignal)
  expect([server.mails, await links(), await wishes()]).toEqual([[], [], []])
  await world.database.query(`update app_user set role = 'admin', break_glass = true where email = $1`, [PERSON])
  await wish(PERSON)
  await mailPasswordLinks(mailer, noSignal)
  await world.database.query('delete from single_sign_on')
  expect(mailed()).toHaveLength(1)
})

test.each([
  ['an address that is nobody’s', 'update app_user set name = name'],
  ['a disabled person', 'update app_user set disabled_at = now() where email = $1'],
  ['a person without a password', 'update app_user set password_hash = null where email = $1'],
])('mails nothing to %s, and forgets the wish', async (what, change) => {
  const isNobody = what.includes('nobody')
  await world.database.query(change, isNobody ? [] : [PERSON])
  await wish(isNobody ? 'nobody@example.com' : PERSON)
  await mailPasswordLinks(mailer, noSignal)
  expect([server.mails, await links(), await wishes()]).toEqual([[], [], []])
})

test('however often it is asked for, an account gets one mail in five minutes, and its link goes on working', async () => {
  for (let i = 0; i < 5; i++) await wish(PERSON)
  const now = new Date()
  await mailPasswordLinks(mailer, noSignal, now)
  await wish(PERSON)
  await mailPasswordLinks(mailer, noSignal, new Date(now.getTime() + 299_000))
  expect(mailed()).toHaveLength(1)
  await wish(PERSON)
  await mailPasswordLinks(mailer, noSignal, new Date(now.getTime() + 301_000))
  expect(mailed()).toHaveLength(2)
  const open = await world.database.query<{ secret_hash: string }>(
    'select secret_hash from password_reset where closed_at is null',
  )
  expect(open.map(({ secret_hash }) => secret_hash).sort()).toEqual(mailed().map(hashSecret).sort())
})

test('a mail that the server does not take is sent later, and its link is gone', async () => {
  const down = createMailer({ smtpUrl: new Secret('smtp://127.0.0.1:1'), from: 'desk@example.com' })
  await wish(PERSON)
  await expect(mailPasswordLinks(down, noSignal)).rejects.toThrow()
  down.close()
  expect(await links()).toEqual([])
  await mailPasswordLinks(mailer, noSignal)
  expect(mailed()).toEqual([])
  await world.database.query('update password_wish set lease_until = clock_timestamp()')
  await mailPasswordLinks(mailer, noSignal)
  expect(mailed()).toHaveLength(1)
})

test('several workers mail one link, and a wish that nobody could answer is forgotten', async () => {
  await wish(PERSON)
  await Promise.all([mailPasswordLinks(mailer, noSignal), mailPasswordLinks(mailer, noSignal)])
  expect(mailed()).toHaveLength(1)
  await wish('late@example.com')
  await world.database.query(`update password_wish set asked_at = now() - interval '16 minutes'`)
  await mailPasswordLinks(null, noSignal)
  expect(await wishes()).toEqual([])
})
