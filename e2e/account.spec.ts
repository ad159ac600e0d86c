/** Own password and sessions, and a forgotten password with a mail server that keeps its mails. */
import type { Page } from '@playwright/test'
import { serveSmtp } from '#lib/worker/test-support/test-smtp.ts'
import { test as base, expect } from './fixtures.ts'

type MailServer = Awaited<ReturnType<typeof serveSmtp>>

const test = base.extend<object, { mailServer: MailServer }>({
  mailServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
    async ({}, use) => {
      const server = await serveSmtp()
      await use(server)
      server.close()
    },
    { scope: 'worker' },
  ],
  appOptions: async ({ mailServer }, use) =>
    use({ settings: { SMTP_URL: mailServer.url, MAIL_FROM: 'Tieout <desk@example.com>' } }),
})

const SECOND = 'four unlikely pelicans swim'
const THIRD = 'seven patient herons read'

/** Signs in with the form and says whether the desk opened. */
async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('link', { name: 'Overview' })).toBeVisible()
}

async function expectSignedOut(page: Page): Promise<void> {
  await page.goto('/account')
  await expect(page).toHaveURL(/\/sign-in\?error=ended&next=%2Faccount/)
}

/** The link in the newest mail, as a mail program reads it (quoted-printable). */
function readLink({ mails }: MailServer, link: RegExp): string {
  const text = mails.at(-1)?.text.replaceAll('=\n', '').replaceAll('=3D', '=') ?? ''
  return link.exec(text)?.[0] ?? ''
}

const TO_PASSWORD = /http:\S+new-password#[\w-]{43}/
const TO_JOIN = /http:\S+invite#[\w.-]{80}/

test('a person changes the password, ends sessions, forgets the password and sets a new one by mail', async ({
  page,
  browser,
  app,
  mailServer,
}) => {
  const elsewhere = async () => (await browser.newContext({ baseURL: app.appUrl, javaScriptEnabled: false })).newPage()
  const [there, further] = [await elsewhere(), await elsewhere()]
  await enter(page, app.adminEmail, app.adminPassword)
  await enter(there, app.adminEmail, app.adminPassword)

  await page.goto('/account')
  await page.getByLabel('Old password').fill(app.adminPassword)
  await page.getByLabel('New password').fill('iloveyou2')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByText('one of those that attackers try first')).toBeVisible()
  await page.getByLabel('Old password').fill(app.adminPassword)
  await page.getByLabel('New password').fill(SECOND)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByText('Your password is changed.')).toBeVisible()
  await expectSignedOut(there)

  await enter(there, app.adminEmail, SECOND)
  await enter(further, app.adminEmail, SECOND)
  await page.goto('/account')
  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  await expect(sessions.getByRole('listitem')).toHaveCount(3)
  await expect(sessions.getByRole('listitem').first()).toContainText(/Chrome on \w+.*this one/)
  await expect(sessions.getByRole('listitem').first()).toContainText('127.0.0.1')
  await sessions.getByRole('listitem').last().getByRole('button').click()
  await expect(page.getByText('You are signed out there.')).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expectSignedOut(there)
  await expectSignedOut(further)

  await there.goto('/sign-in')
  await there.getByRole('link', { name: 'Forgotten password' }).click()
  await there.getByLabel('Email').fill(app.adminEmail)
  await there.getByRole('button', { name: 'Send me a link' }).click()
  await expect(there.getByText('If this address has a password here')).toBeVisible()
  await expect.poll(() => readLink(mailServer, TO_PASSWORD), { timeout: 30_000 }).not.toBe('')
  const link = readLink(mailServer, TO_PASSWORD)
  // without scripts nothing takes the secret from behind the #: it is pasted
  await there.goto(link)
  await there.getByLabel('Link from the mail').fill(link)
  await there.getByLabel('New password').fill(THIRD)
  await there.getByRole('button', { name: 'Set the password' }).click()
  await expect(there.getByText('Your new password is set.')).toBeVisible()
  await expectSignedOut(page)
  await enter(there, app.adminEmail, THIRD)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(link)
  await expect(page).toHaveURL(/\/sign-in\/new-password$/)
  await page.getByLabel('New password').fill(SECOND)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('This link does not work any more.')).toBeVisible()
  // the secret travelled in no address
  expect(requested.filter((url) => url.includes(link.slice(-43)))).toEqual([])
})

test('an admin sets limits of sessions, which hold at the next request', async ({ page, app }) => {
  await app.query('delete from throttle')
  await enter(page, app.adminEmail, THIRD)
  await page.goto('/settings')
  await page.getByLabel('Sign out when idle for').selectOption({ label: '15 minutes' })
  await page.getByLabel('Sign out after').selectOption({ label: '7 days' })
  await page.getByRole('region', { name: 'Sessions' }).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The new limits hold from now on')).toBeVisible()
  await expect(page.getByLabel('Sign out when idle for')).toHaveValue('15')
  await app.query(`update user_session set last_seen_at = now() - interval '16 minutes' where ended_at is null`)
  await expectSignedOut(page)
})

test('an admin invites by mail, and the invited person joins with the link in it', async ({
  page,
  browser,
  app,
  mailServer,
}) => {
  const person = await (await browser.newContext({ baseURL: app.appUrl })).newPage()
  await enter(page, app.adminEmail, THIRD)
  await page.goto('/people')
  await page.getByLabel('Email').fill('grace@example.com')
  await page.getByRole('button', { name: 'Invite by mail' }).click()
  await expect(page.getByRole('status').first()).toContainText('on its way by mail')
  await expect(page.getByLabel('Invitation link')).toHaveCount(0)
  await expect.poll(() => readLink(mailServer, TO_JOIN), { timeout: 30_000 }).not.toBe('')
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('region', { name: 'Invitations' })).toContainText(/mailed (just now|\d+ s)/)
  }).toPass()
  const first = readLink(mailServer, TO_JOIN)
  await page.getByRole('button', { name: 'Mail another link to grace@example.com' }).click()
  await expect.poll(() => readLink(mailServer, TO_JOIN), { timeout: 30_000 }).not.toBe(first)
  await person.goto(readLink(mailServer, TO_JOIN))
  await person.getByLabel('Your name').fill('Grace Hopper')
  await person.getByLabel('Password').fill(SECOND)
  await person.getByRole('button', { name: 'Join' }).click()
  await enter(person, 'grace@example.com', SECOND)
  await page.goto('/people')
  await expect(page.getByRole('row').filter({ hasText: 'grace@example.com' })).toContainText('Viewer')
})
