import type { Page } from '@playwright/test'
import { expect, takeSession, test } from './fixtures.ts'
import type { App } from './start-app.ts'

const CALLBACK = '/api/auth/callback/partner'

/**
 * Runs `attack` and checks that it changed nothing: same session, no token call, no connection, a
 * page that says so.
 */
async function expectRefusal(page: Page, app: App, attack: () => Promise<unknown>, words: RegExp): Promise<void> {
  const before = await readWorld(page, app)
  await attack()
  await expect(page).toHaveURL(/\/connections\?connect=/)
  await expect(page.getByRole('main')).toContainText(words)
  expect(await readWorld(page, app)).toEqual(before)
}

async function readWorld(page: Page, app: App) {
  const cookies = await page.context().cookies(app.appUrl)
  const counts = await app.query(
    'select (select count(*) from connection) as connections, (select count(*) from connection_credential) as credentials',
  )
  return {
    session: cookies.filter(({ name }) => /session/.test(name)),
    counts,
    tokenCalls: app.sandbox.state().oauth.summary().tokenCalls,
  }
}

/** Starts a connect flow and stops at the consent page; returns the state it sent. */
async function startConnect(page: Page): Promise<string> {
  await page.goto('/connections')
  await page.getByRole('button', { name: 'Connect account' }).first().click()
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  return new URL(page.url()).searchParams.get('state') as string
}

/** The address the platform redirects to after Allow, intercepted before our callback gets it. */
async function allowButHold(page: Page): Promise<string> {
  await page.route(`**${CALLBACK}**`, (route) => route.abort())
  const [request] = await Promise.all([
    page.waitForRequest(`**${CALLBACK}**`),
    page.getByRole('button', { name: 'Allow' }).click(),
  ])
  await page.unroute(`**${CALLBACK}**`)
  return request.url()
}

test.beforeEach(async ({ page, signIn }) => signIn(page))

test('says clearly that consent was declined, and leaves everything unchanged', async ({ page, app }) => {
  await startConnect(page)
  await expectRefusal(page, app, () => page.getByRole('button', { name: 'Decline' }).click(), /declined/i)
})

test('A3: refuses a callback with a wrong state without a token call', async ({ page, app }) => {
  await startConnect(page)
  const url = new URL(await allowButHold(page))
  url.searchParams.set('state', 'wrong')
  await expectRefusal(page, app, () => page.goto(url.toString()), /./)
})

test('A3: refuses a callback without a state without a token call', async ({ page, app }) => {
  await startConnect(page)
  const url = new URL(await allowButHold(page))
  url.searchParams.delete('state')
  await expectRefusal(page, app, () => page.goto(url.toString()), /./)
})

test('A1: refuses a callback that nobody here started without a token call', async ({ page, app }) => {
  await expectRefusal(page, app, () => page.goto(`${CALLBACK}?code=stolen&state=guessed`), /./)
})

test("A2: refuses another user's callback without a token call", async ({ page, app, browser }) => {
  const attacker = await browser.newContext({ baseURL: app.appUrl })
  const theirs = await attacker.newPage()
  await takeSession(theirs, app, app.adminEmail)
  await startConnect(theirs)
  const link = await allowButHold(theirs)
  await expectRefusal(page, app, () => page.goto(link), /./)
  await attacker.close()
})

test('A3: refuses a callback used a second time', async ({ page, app }) => {
  await startConnect(page)
  const [request] = await Promise.all([
    page.waitForRequest(`**${CALLBACK}**`),
    page.getByRole('button', { name: 'Allow' }).click(),
  ])
  await expect(page).toHaveURL(/connect=connected/)
  await expectRefusal(page, app, () => page.goto(request.url()), /./)
})
