/** The digest: chosen, tried, read as a mail program shows it, and turned off from there. */
import type { Page } from '@playwright/test'
import { type MailServer, serveMail } from '#lib/worker/test-support/test-mail-server.ts'
import { test as base, expect, KEPT_ALIVE } from './fixtures.ts'
import { expectAccessible, expectContrast } from './look.ts'
import type { App } from './start-app.ts'

const test = base.extend<object, { mailServer: MailServer }>({
  mailServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
    async ({}, use) => {
      const server = await serveMail()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  appOptions: async ({ mailServer }, use) =>
    use({ settings: { SMTP_URL: mailServer.url, MAIL_FROM: 'Tieout <desk@example.com>' } }),
})

// one account, read once
test.describe.configure({ mode: 'serial' })

const section = (page: Page) => page.getByRole('region', { name: 'Digest' })

/** The button's own request, for stories of what comes of it. */
async function askByRequest(page: Page, app: App): Promise<void> {
  const reply = await page.request.post(`${app.appUrl}/api/account/digest/now`, {
    headers: { origin: app.appUrl },
    ...KEPT_ALIVE,
  })
  expect(reply.ok()).toBe(true)
}

/** Presses the button of the account page, which is open. */
async function askForOne(page: Page): Promise<void> {
  await section(page).getByRole('button', { name: 'Send me one now' }).click()
  await expect(section(page)).toContainText('A worker makes it now')
}

async function countAsked(app: App, state: string): Promise<number> {
  return (await app.query(`select from digest where asked and state = '${state}'`)).length
}

/** Gives the first admin a line, and names them beside it. */
async function giveLine(app: App): Promise<void> {
  await app.query(`
    with who as (select organization_id as o, id as person from app_user where email = '${app.adminEmail}'),
    about as (select connection_id as c, id as line from line where id ~ '^[\\w-]+$' order by id limit 1),
    made as (insert into thread (organization_id, kind, connection_id, key) select o, 'line', c, line from who, about returning id)
    insert into assignment (organization_id, thread_id, person_id, person_name, assigned_by, assigned_by_name, due_on)
    select o, made.id, person, 'Me', person, E'\\u202eAda <b>Admin</b>', current_date - 3 from who, made returning 1 as one`)
}

test('somebody chooses a digest, tries it, reads it, finds its lines, and turns it off from the mail', async ({
  page,
  browser,
  app,
  mailServer,
  readAccount,
}) => {
  test.setTimeout(300_000)
  await readAccount(page)
  await giveLine(app)
  await page.goto('/account')
  await section(page).getByLabel('By mail').selectOption('Every day at 7:00')
  await section(page).getByRole('button', { name: 'Save' }).click()
  await expect(section(page)).toContainText('Saved.')
  await expect(section(page).getByLabel('By mail')).toHaveValue('daily')
  await askForOne(page)
  await expect.poll(() => mailServer.mails.length, { timeout: 30_000 }).toBe(1)
  await expect.poll(() => countAsked(app, 'sent'), { timeout: 30_000 }).toBe(1)
  await page.goto('/account')
  await expect(section(page)).toContainText('The mail server took it.')
  await expectAccessible(page, 'the account')

  const [mail] = mailServer.mails
  expect(mail?.recipients).toEqual([app.adminEmail])
  const reader = await browser.newPage({ viewport: { width: 390, height: 844 } })
  const requested: string[] = []
  reader.on('request', (request) => requested.push(request.url()))
  for (const colorScheme of ['light', 'dark'] as const) {
    await reader.emulateMedia({ colorScheme })
    await reader.setContent(mail?.html ?? '')
    await expectContrast(reader, `the mail, ${colorScheme}`)
  }
  await expect(reader.getByRole('heading', { name: '1 assigned to you, 1 overdue' })).toBeVisible()
  await expect(reader.getByRole('listitem').first()).toContainText('3 days overdue; given by Ada <b>Admin</b>')
  const money = reader.getByRole('link', { name: /^\d[\d,]* lines? in EUR$/ })
  const figure = await money.textContent()
  const href = await money.getAttribute('href')
  const turnOff = await reader.getByRole('link', { name: 'Turn it off' }).getAttribute('href')
  // a mail loads nothing
  expect(requested).toEqual([])
  await reader.close()

  const count = /[\d,]+/.exec(figure ?? '')?.[0]
  await page.goto(href ?? '')
  await expect(page.getByText(new RegExp(`of ${count} lines?$`)).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Filter First seen since / })).toBeVisible()
  await page.goto('/digest')
  await expect(page.getByRole('link', { name: new RegExp(`^${count} lines? in EUR`) })).toBeVisible()
  await expectAccessible(page, 'the digest')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectContrast(page, 'the digest in the dark')
  await page.getByRole('link', { name: 'Today so far' }).click()
  await expect(page.getByRole('link', { name: 'Today so far' })).toHaveAttribute('aria-current', 'page')

  const stranger = await browser.newPage({ baseURL: app.appUrl })
  await stranger.goto(turnOff ?? '')
  await expectAccessible(stranger, 'turning it off')
  expect(await app.query('select rhythm from digest_setting')).toEqual([{ rhythm: 'daily' }])
  await stranger.getByRole('button', { name: 'Turn it off' }).click({ timeout: 20_000 })
  await expect(stranger.getByText('You get no more digests by mail.')).toBeVisible()
  await stranger.close()
  await page.goto('/account')
  await expect(section(page).getByLabel('By mail')).toHaveValue('off')
})

test('a worker that is killed while it sends a digest sends it never again, and the account page says so', async ({
  page,
  app,
  mailServer,
  signIn,
}) => {
  await signIn(page)
  mailServer.mails.length = 0
  mailServer.mood = { hangs: true }
  await askByRequest(page, app)
  await expect.poll(() => mailServer.mails.length, { timeout: 30_000 }).toBe(1)
  await app.killWorker()
  mailServer.mood = {}
  await app.query(
    `update digest set moved_at = now() - interval '11 minutes' where state = 'sending' returning 1 as one`,
  )
  app.startWorker()
  await expect.poll(() => countAsked(app, 'failed'), { timeout: 60_000 }).toBe(1)
  await page.goto('/account')
  await expect(section(page)).toContainText(
    'A worker stopped while it was sent. It may have come; it is not sent twice.',
  )
  await askByRequest(page, app)
  // the newer one comes, and the older one does not
  await expect.poll(() => mailServer.mails.length, { timeout: 60_000 }).toBe(2)
  expect(await app.query(`select state, cause from digest where asked order by until`)).toEqual([
    { state: 'sent', cause: null },
    { state: 'failed', cause: 'stopped' },
    { state: expect.stringMatching(/^sen[dt]/), cause: null },
  ])
  const ids = mailServer.mails.map(({ messageId }) => messageId)
  expect(new Set(ids).size).toBe(2)
})

test('what the mail server refuses stands on the account page in its words, and too many wishes have to wait', async ({
  page,
  app,
  mailServer,
  signIn,
}) => {
  await signIn(page)
  await app.query(`delete from throttle where kind = 'digest' returning 1 as one`)
  mailServer.mood = { recipient: 550 }
  const failed = await countAsked(app, 'failed')
  await askByRequest(page, app)
  await expect.poll(() => countAsked(app, 'failed'), { timeout: 30_000 }).toBe(failed + 1)
  await page.goto('/account')
  await expect(section(page)).toContainText('The mail server refused it.')
  await expect(section(page)).toContainText('no such user here')
  mailServer.mood = {}
  for (let n = 0; n < 2; n++) await askByRequest(page, app)
  await section(page).getByRole('button', { name: 'Send me one now' }).click()
  await expect(section(page)).toContainText('There were too many digests. Please wait')
})
