import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashSecret } from '#lib/connections/secret-hash.ts'
import { type RefreshWorld, startRefreshWorld } from '#lib/connections/test-support/test-refresh-world.ts'
import { switchPool } from '#lib/db/pool.ts'
import { Secret } from '#lib/secret.ts'
import { mailInvitations } from './invitation-mail.ts'
import { createMailer, type Mailer } from './mail.ts'
import { serveSmtp } from './test-support/test-smtp.ts'

const INVITED = 'invited@example.com'
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
  await switchPool(world.database.urls.both)
  await world.renew()
  // the worker may read only some columns of an invitation, as no other role of the tests
  await switchPool(world.database.urls.worker)
  server.mails.length = 0
  await world.database.query('delete from invitation')
})

const change = (set: string) => world.database.query(`update invitation set ${set}`)
const addInvitation = (wantedAt: string) =>
  world.database.query(
    `insert into invitation
       (organization_id, email, name, role, secret_hash, invited_by_name, created_at, expires_at, mail_wanted_at)
     select id, $1, '', 'viewer', 'nobody has it', 'boss@example.com', now(), now() + interval '7 days', ${wantedAt}
     from organization order by created_at limit 1`,
    [INVITED],
  )
const read = async () => {
  const [row] = await world.database.query<{ secret_hash: string; isWanted: boolean; isMailed: boolean }>(
    `select secret_hash, mail_wanted_at is not null as "isWanted", mailed_at is not null as "isMailed" from invitation`,
  )
  return row
}
/** The keys in the mails, as a mail program reads them. */
const mailed = () =>
  server.mails.map(({ text }) => /invite#([\w.-]{80})/.exec(text.replaceAll('=\n', '').replaceAll('=3D', '='))?.[1])

test('mails a link that works, says who invites whereto, keeps only its hash, and tells the audit', async () => {
  await addInvitation('now()')
  await mailInvitations(mailer, noSignal)
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([[INVITED]])
  expect(server.mails[0]?.text).toContain('boss@example.com invites you')
  const [key = ''] = mailed()
  const [organizationId, secret = ''] = key.split('.')
  expect(await read()).toEqual({ secret_hash: hashSecret(secret), isWanted: false, isMailed: true })
  const entries = await world.database.query(
    `select organization_id, actor_name, subject_name, before, after from audit_entry
     where action = 'people.invitation-mailed' order by number desc limit 1`,
  )
  expect(entries).toEqual([
    { organization_id: organizationId, actor_name: 'worker', subject_name: INVITED, before: null, after: null },
  ])
})

test('mails nothing that nobody wished for, that has ended, or that has failed for an hour', async () => {
  await addInvitation('null')
  await mailInvitations(mailer, noSignal)
  await change(`mail_wanted_at = now(), expires_at = now() - interval '1 second'`)
  await mailInvitations(mailer, noSignal)
  await change(`mail_wanted_at = now() - interval '61 minutes', expires_at = now() + interval '1 day'`)
  await mailInvitations(mailer, noSignal)
  expect([server.mails, (await read())?.secret_hash]).toEqual([[], 'nobody has it'])
})

test('a mail that the server does not take is sent later with another link; the first one is gone', async () => {
  const down = createMailer({ smtpUrl: new Secret('smtp://127.0.0.1:1'), from: 'desk@example.com' })
  await addInvitation('now()')
  await expect(mailInvitations(down, noSignal)).rejects.toThrow()
  down.close()
  const lost = await read()
  expect(lost).toMatchObject({ isWanted: true, isMailed: false })
  await mailInvitations(mailer, noSignal)
  expect(mailed()).toEqual([])
  await change('mail_lease_until = clock_timestamp()')
  await mailInvitations(mailer, noSignal)
  expect(mailed()).toHaveLength(1)
  expect((await read())?.secret_hash).not.toBe(lost?.secret_hash)
})

test('several workers mail one link', async () => {
  await addInvitation('now()')
  await Promise.all([1, 2, 3].map(() => mailInvitations(mailer, noSignal)))
  expect(mailed()).toHaveLength(1)
})

test('a link that an admin makes by hand while the mail is on its way is the one that works', async () => {
  await addInvitation('now()')
  const handing: Mailer = {
    ...mailer,
    send: async (mail) => {
      await change(`secret_hash = 'by hand', mail_wanted_at = null`)
      await mailer.send(mail)
    },
  }
  await mailInvitations(handing, noSignal)
  expect(await read()).toEqual({ secret_hash: 'by hand', isWanted: false, isMailed: false })
})
