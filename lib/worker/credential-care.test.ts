import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  type RefreshWorld,
  startRefreshWorld,
  TOKEN_ENDPOINT,
} from '#lib/connections/test-support/test-refresh-world.ts'
import { listIdleConnections } from '#lib/connections/tokens/keep-alive.ts'
import { Secret } from '#lib/secret.ts'
import { careForCredentials, toWarningText } from './credential-care.ts'
import { createMailer } from './mail.ts'
import { serveSmtp } from './test-support/test-smtp.ts'

let world: RefreshWorld

beforeAll(async () => {
  world = await startRefreshWorld()
})
afterAll(() => world.close())
beforeEach(() => world.renew())

const noSignal = new AbortController().signal
const care = (mailer: Parameters<typeof careForCredentials>[1] = null) => careForCredentials(noSignal, mailer)
/** Ages the connection's tokens by `days`, by the database's clock and the platform's. */
async function becomeDaysOld(days: number): Promise<void> {
  world.sandbox.state().clock.advance(days * 86_400)
  await world.database.query(
    `update connection_credential set obtained_at = obtained_at - $2::interval, access_expires_at = access_expires_at - $2::interval,
       refresh_expires_at = refresh_expires_at - $2::interval where connection_id = $1`,
    [world.connectionId, `${days * 24} hours`],
  )
  // a warning is identified by the moment its token ends
  await world.database.query('update connection_warning set refresh_expires_at = refresh_expires_at - $1::interval', [
    `${days * 24} hours`,
  ])
}
const endpointIsDown = () =>
  world.sandbox
    .state()
    .faults.add({ ...TOKEN_ENDPOINT, times: 0, action: { type: 'status', status: 503, when: 'before' } })

test('F14: an idle connection is renewed once its refresh token is 10 days old, not before', async () => {
  await becomeDaysOld(9.9)
  await care()
  expect(world.refreshes()).toEqual({})
  await becomeDaysOld(0.2)
  await care()
  await care()
  expect(world.refreshes()).toEqual({ success: 1 })
  expect(await world.readRow()).toMatchObject({ state: 'active', generation: 2 })
})

test('F14: thirty idle days and another thirty end with a live connection', async () => {
  for (let day = 0; day < 60; day++) {
    await becomeDaysOld(1)
    await care()
  }
  expect(world.isLive((await world.getToken()).accessToken)).toBe(true)
  expect(world.refreshes()).toEqual({ success: 6 })
})

test('F14: a renewal failing at 10 days is retried after its pause; one that keeps the token waits for 15 and 20', async () => {
  endpointIsDown()
  await becomeDaysOld(10.5)
  await care()
  await care()
  expect((await world.readRow()).outcomes).toEqual(['retry_later'])
  world.sandbox.state().faults.clear()
  const action = { type: 'rewrite' as const, replace: [['"refresh_token"', '"other"']] as [string, string][] }
  world.sandbox.state().faults.add({ ...TOKEN_ENDPOINT, times: 0, action })
  world.sandbox.state().oauth.setGrace('same-pair', 40 * 86_400)
  await world.passPause()
  const isDue = async () => (await listIdleConnections()).length === 1
  expect(await isDue()).toBe(true)
  await care()
  expect((await world.readRow()).generation).toBe(2)
  expect(await isDue()).toBe(false)
  const dueAt: number[] = []
  for (let day = 11; day <= 23; day++) {
    await becomeDaysOld(1)
    if (!(await isDue())) continue
    dueAt.push(day)
    await world.database.query('update connection_credential set obtained_at = now()')
  }
  expect(dueAt).toEqual([15, 20, 21, 22, 23])
})

test('F14: warnings come at 7, 3 and 1 days left, once each, however many workers look', async () => {
  endpointIsDown()
  const seen: number[] = []
  for (let day = 0; day < 30; day++) {
    await Promise.all([care(), care()])
    const [{ left } = { left: null }] = await world.database.query<{ left: number | null }>(
      'select min(days_left) as left from connection_warning',
    )
    if (left !== null && left !== seen.at(-1)) seen.push(left)
    await becomeDaysOld(1)
  }
  expect(seen).toEqual([7, 3, 1])
  const rows = await world.database.query('select days_left from connection_warning order by days_left')
  expect(rows).toEqual([{ days_left: 1 }, { days_left: 3 }, { days_left: 7 }])
})

test('F14: a warning is mailed once to every admin if mail is configured, later if the server is away', async () => {
  endpointIsDown()
  const mailServer = await serveSmtp()
  onTestFinished(mailServer.close)
  const down = createMailer({ smtpUrl: new Secret('smtp://127.0.0.1:1'), from: 'desk@example.com' })
  await becomeDaysOld(28)
  await care(down)
  expect(await world.database.query('select from connection_warning where mailed_at is not null')).toEqual([])
  await world.database.query('update connection_warning set mail_lease_until = now()')
  const mailer = createMailer({ smtpUrl: new Secret(mailServer.url), from: 'Desk <desk@example.com>' })
  await Promise.all([care(mailer), care(mailer)])
  await care(mailer)
  expect(mailServer.mails).toHaveLength(1)
  const [mail] = mailServer.mails
  expect(mail?.recipients).toEqual([expect.stringMatching(/^admin-.*@example\.com$/)])
  expect(mail?.text).toMatch(/^Subject: .*runs out within 3 days/m)
  expect(mail?.text).toContain('/connections')
  await becomeDaysOld(1.5)
  await care(mailer)
  expect(mailServer.mails[1]?.text).toContain('runs out within one day')
  mailer.close()
  down.close()
})

test('A12: a name from the platform cannot add lines or headers to a mail', () => {
  const { subject } = toWarningText({
    connectionName: 'Acme\r\nBcc: all@example.com',
    daysLeft: 7,
    refreshExpiresAt: new Date('2026-11-20T10:00:00Z'),
  })
  expect(subject).toBe('Acme Bcc: all@example.com: the connection runs out within 7 days')
})
